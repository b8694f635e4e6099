import { DNS } from '../../kubernetes/dns-objects.ts';
import { ip } from '../commands.ts';
import { exchange } from '../packets/exchange.ts';
import { summary } from '../packets/clients.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';

/** The addresses of a name in the cluster, as a pod gets them from the ClusterIP of DNS. */
export async function addressesOf(pod: StartedPod, name: string): Promise<readonly string[]> {
  const words = ['busybox', 'nslookup', `${name}.svc.cluster.local.`, DNS];
  const printed = await pod.node.does(['ip', 'netns', 'exec', namespaceOf(pod), ...words]);
  // The server is named before.
  const [, ...answers] = printed.split(/^Name:/m);
  return answers.flatMap((answer) => /^Address(?: \d+)?:\s*(\S+)/m.exec(answer)?.[1] ?? []).sort();
}

/** The device by which a pod reaches DNS. */
export async function deviceToDns(pod: StartedPod): Promise<string | undefined> {
  return / dev (\S+)/.exec(await pod.node.does(ip`-n ${namespaceOf(pod)} route get ${DNS}`))?.[1];
}

/** The network namespaces that answer a pod at the addresses of a name, each once. */
export async function answeringAt(pod: StartedPod, name: string, port: number): Promise<readonly string[]> {
  const addresses = await addressesOf(pod, name);
  const found = await exchange(
    pod.node,
    addresses.map((to) => ({ from: namespaceOf(pod), protocol: 'tcp', to, port })),
  );
  const names = found.flatMap((each) => Object.keys(summary(each).answers).map((text) => text.split(' ')[0]!));
  return [...new Set(names)].sort();
}
