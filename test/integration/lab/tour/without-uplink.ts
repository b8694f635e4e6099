import { textTable } from '../../../../src/cmd/output/text-table.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { ControllerManager } from '../../kubernetes/programs/controller-manager.ts';
import type { LabNode } from '../node.ts';
import { common } from '../packets/tenant.ts';
import { PORT } from '../packets/exchange.ts';
import { startClusterServices } from '../services/cluster-services.ts';
import { commandInPod, namespaceOf, type StartedPod, writeResolver } from '../whole-networks/lab-pod.ts';
import { setReady } from '../tenant-services/served.ts';
import type { WholeCluster } from '../whole-networks/whole-cluster.ts';
import { places } from './tenants.ts';
import { print } from './text.ts';

/** A tenant whose network has no uplink. */
export const WITHOUT_UPLINK = 'green';

/** The Service of the tenant, which leads to its pod on the second node. */
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: WITHOUT_UPLINK, name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: PORT }] },
};

/** Starts what most clusters have: the controllers of Kubernetes, kube-proxy and DNS, and beyond the default routes of the nodes a host. */
export async function startUsualPrograms({ lab }: WholeCluster, nodes: readonly LabNode[]): Promise<void> {
  await ControllerManager.start(lab.server, ['endpointslice', 'garbage-collector']);
  await lab.startOutside(common.outside[0]);
  await Promise.all(
    nodes.map(async (node) => {
      await node.does(['/bin/busybox', 'sysctl', '-w', 'net.ipv4.ip_forward=1']);
      await startClusterServices(node, lab.server, ['10.244.0.0/16']);
    }),
  );
}

/** Puts the last pod of the tenant behind its Service, and waits until OVN has it on the node of the first. */
export async function serve(
  { lab: { server }, administrator }: WholeCluster,
  pods: readonly StartedPod[],
): Promise<void> {
  const [first, last] = [pods[0]!, pods.at(-1)!];
  for (const pod of pods) await writeResolver(pod);
  server.kubectl(['label', `pod/${last.name}`, `--namespace=${WITHOUT_UPLINK}`, 'app=web']);
  server.apply(service);
  await setReady(administrator, last, true);
  const [address = ''] = last.addresses;
  await eventually('the Service is on the node', async () => {
    const { stdout } = await first.node.run(['ovn-nbctl', 'lb-list']);
    return stdout.includes(`${address}:${PORT}`);
  });
}

/** Shows whom pods of the tenant reach. @returns whether they are those that they should */
export async function showPages(pods: readonly StartedPod[]): Promise<boolean> {
  const [first, last] = [pods[0]!, pods.at(-1)!];
  const outside = `http://${common.outside[0]}:${PORT}`;
  const nodeOf = ({ node }: StartedPod) => places.find(({ name }) => name === node.name)!.address;
  const pages = [
    { pod: first, url: 'http://web', expected: `${namespaceOf(last)} sees ${first.addresses[0]!}` },
    ...[first, last].map((pod) => ({ pod, url: outside, expected: `outside sees ${nodeOf(pod)}` })),
  ];
  const rows: string[][] = [];
  let isRight = true;
  for (const { pod, url, expected } of pages) {
    const command = ['/bin/busybox', 'wget', '-q', '-O-', url];
    const { stdout, stderr } = await pod.node.run(commandInPod(pod, ['resolv.conf'], command));
    const said = (stdout === '' ? stderr : stdout).trim();
    isRight &&= said === expected;
    rows.push([`${pod.namespace}/${pod.name} on ${pod.node.name}`, url, said]);
  }
  print('', ...textTable([['FROM', 'PAGE', 'SAYS'], ...rows]));
  return isRight;
}
