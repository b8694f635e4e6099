import { join } from 'node:path';
import { DNS } from '../../kubernetes/dns-objects.ts';
import { ip } from '../commands.ts';
import type { LabNode, Run } from '../node.ts';
import { cniCommand, NETWORKS } from './whole-node.ts';

/** A pod that is scheduled to a node. */
export interface ScheduledPod {
  readonly node: LabNode;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Name of its primary network in OVN. */
  readonly network: string;
}

/** A pod that was started. */
export interface StartedPod extends ScheduledPod {
  /** In its primary network, IPv4 before IPv6. */
  readonly addresses: readonly string[];
}

type PodName = Pick<ScheduledPod, 'namespace' | 'name'>;

/** The network namespace of a pod (ip-netns(8)). */
export const namespaceOf = ({ namespace, name }: PodName) => `${namespace}-${name}`;

/** The files of a pod on its node. */
export const folderOf = (pod: PodName) => `/run/pods/${namespaceOf(pod)}`;

/** Writes a file of a pod by which it looks up names as kubelets have it (resolv.conf(5)): by the DNS of the cluster, in its namespace first. */
export async function writeResolver(pod: PodName & Pick<ScheduledPod, 'node'>): Promise<void> {
  const search = [`${pod.namespace}.svc`, 'svc'].map((domain) => `${domain}.cluster.local`).join(' ');
  await pod.node.does(['/bin/busybox', 'mkdir', '-p', folderOf(pod)]);
  const text = `nameserver ${DNS}\nsearch ${search} cluster.local\noptions ndots:5\n`;
  await pod.node.write(join(folderOf(pod), 'resolv.conf'), text);
}

/** A command in the network of a pod. @param files of the pod that are in the place of those in /etc */
export function commandInPod(pod: PodName, files: readonly string[], command: readonly string[]): readonly string[] {
  const bound = files.map((name) => `mount --bind "$0/${name}" /etc/${name}`);
  const script = [...bound, 'exec "$@"'].join(' && ');
  return ['ip', 'netns', 'exec', namespaceOf(pod), '/bin/sh', '-c', script, folderOf(pod), ...command];
}

/** The interface of the primary network, as Multus names the second one of a pod. */
export const PRIMARY_INTERFACE = 'net1';

/** Has a node know a network by the configuration of its NetworkAttachmentDefinition, as Multus does. */
export async function configureNetwork(node: LabNode, configuration: string): Promise<void> {
  const { name } = JSON.parse(configuration) as { readonly name: string };
  await node.write(join(NETWORKS, `20-${name}.conf`), configuration);
}

/** Calls the plugin of a network for a pod, as a runtime does. */
export async function callPlugin(pod: ScheduledPod, command: string, network = pod.network): Promise<Run> {
  const { node, namespace, name, uid } = pod;
  const args = {
    IgnoreUnknown: '1',
    K8S_POD_NAMESPACE: namespace,
    K8S_POD_NAME: name,
    K8S_POD_UID: uid,
  };
  const variables = {
    CNI_IFNAME: network === 'default' ? 'eth0' : PRIMARY_INTERFACE,
    CNI_ARGS: Object.entries(args)
      .map(([key, value]) => `${key}=${value}`)
      .join(';'),
  };
  return await node.run(cniCommand('cnitool', [command, network, `/run/netns/${namespaceOf(pod)}`], variables));
}

/** Calls the plugin of a network for a pod, and throws unless it succeeds. */
async function called(pod: ScheduledPod, command: string, network?: string): Promise<string> {
  const { exitCode, stdout, stderr } = await callPlugin(pod, command, network);
  if (exitCode !== 0) {
    const where = `${pod.namespace}/${pod.name} on ${pod.node.name}`;
    throw new Error(`${command} of ${where} in network ${network ?? pod.network}: ${stderr}${stdout}`);
  }
  return stdout;
}

/** The addresses in a result of a plugin, without prefix length. */
function addressesIn(result: string): readonly string[] {
  const { ips } = JSON.parse(result) as { readonly ips: readonly { readonly address: string }[] };
  return ips.map(({ address }) => address.replace(/\/.*/, ''));
}

/** Starts a pod in the default network: its namespace, and its first interface. @returns its addresses there, without prefix length */
export async function startDefault(pod: ScheduledPod): Promise<readonly string[]> {
  await pod.node.does(ip`netns add ${namespaceOf(pod)}`, ip`-n ${namespaceOf(pod)} link set lo up`);
  return addressesIn(await called(pod, 'add', 'default'));
}

/** Attaches a pod of the default network to its primary network. @returns its addresses there, without prefix length */
export async function attachPod(pod: ScheduledPod): Promise<readonly string[]> {
  return addressesIn(await called(pod, 'add'));
}

/** How often a runtime is asked to start a pod. The kubelet asks again without end (pkg/kubelet/kuberuntime, SyncPod). */
const ATTEMPTS = 3;

/**
 * Starts a pod in the default network, then in its primary one. After a refusal, which is printed, the runtime deletes what it has added, and starts it again.
 *
 * @returns its addresses in the primary network, without prefix length
 */
export async function startPod(pod: ScheduledPod, attempts = ATTEMPTS): Promise<readonly string[]> {
  try {
    await startDefault(pod);
    return await attachPod(pod);
  } catch (error) {
    process.stdout.write(`      ${String(error)}\n`);
    if (attempts === 1) throw error;
  }
  await endPod(pod);
  return await startPod(pod, attempts - 1);
}

/** Ends a pod, as a runtime does. */
export async function endPod(pod: ScheduledPod): Promise<void> {
  await called(pod, 'del');
  await called(pod, 'del', 'default');
  await pod.node.does(ip`netns delete ${namespaceOf(pod)}`);
}

/** The ports of pods of a node in Open vSwitch. */
export async function portsOf(node: LabNode): Promise<readonly string[]> {
  const printed = await node.does(['ovs-vsctl', 'list-ports', 'br-int']);
  return printed.split('\n').filter((name) => name.startsWith('ovu'));
}
