/** The verdict of OVN itself on a packet between pods, by the logical flows of both nodes (ovn-trace(8)), beside that of `trace`. */
import { logicalNetworkNames } from '../../../../src/domain/network/names/logical-network.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  type NodeSettings,
  type NodeSnapshot,
} from '../../../../src/domain/index.ts';
import { macAddressOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { fromPod, fromTunnel } from '../../../../src/domain/explanation/trace/between-pods.ts';
import { nodeSide } from '../../../../src/domain/explanation/trace/node-side.ts';
import type { LabNode } from '../node.ts';
import { observed, podAddresses, podName, type ZonePod } from './zone-node.ts';

const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };

/** The last logical port that a packet leaves by on each node: towards the other node, then to a pod. Absent where there is none. */
export interface LastPorts {
  readonly sending?: string;
  readonly receiving?: string;
}

/** A node and its databases. */
export async function tracedSnapshot(node: LabNode): Promise<NodeSnapshot> {
  const { northbound, chassis, remotePorts } = await observed(node);
  return { ...(await node.snapshot()), northbound, chassis, remotePorts, isNorthboundRead: true };
}

/** By `trace`. */
export function portsByTrace(
  cluster: ClusterSnapshot,
  [from, to]: readonly [NodeSnapshot, NodeSnapshot],
  pod: ZonePod,
  destination: string,
): LastPorts {
  const sideOf = (node: NodeSnapshot) => nodeSide(cluster, node, settings, `cluster_udn_${pod.tenant}`);
  const source = podAddresses(pod)[destination.includes(':') ? 1 : 0];
  const sent = fromPod(sideOf(from), { source, destination }, () => 'no route');
  if ('end' in sent) {
    const port = sent.end.kind === 'arrives' ? sent.hops.at(-1)?.decidedBy?.replace('iface-id ', '') : undefined;
    return port === undefined ? {} : { sending: port };
  }
  const sending = sent.hops.at(-2)?.decidedBy ?? '';
  const { hops, end } = fromTunnel(sideOf(to), sent.tunnel, destination);
  const receiving = hops.at(-1)?.decidedBy?.replace('iface-id ', '');
  return end.kind === 'arrives' && receiving !== undefined ? { sending, receiving } : { sending };
}

/** Questions that a router asks instead of forwarding a packet to a neighbour that it does not know. */
const QUESTIONS = /\b(?:arp|nd_ns) *\{[^}]*\}/g;

/** The ports that ovn-trace sends a packet to that is neither dropped nor answered. */
async function outputs(node: LabNode, datapath: string, fields: readonly string[]): Promise<readonly string[]> {
  const text = await node.does([
    ...['ovn-trace', '--db=unix:/run/ovn/ovnsb_db.sock', '--minimal', datapath, fields.join(' && ')],
  ]);
  return [...text.replaceAll(QUESTIONS, '').matchAll(/^\s*output\("([^"]+)"\);/gm)].map(([, port = '']) => port);
}

/** By OVN: from the pod, and from the port of the first node on the transit switch of the second. */
export async function portsByOvn(
  [from, to]: readonly [LabNode, LabNode],
  pod: ZonePod,
  destination: string,
): Promise<LastPorts> {
  const isIpv6 = destination.includes(':');
  const [family, icmp] = isIpv6 ? ['ip6', 'icmp6.type == 128'] : ['ip4', 'icmp4.type == 8'];
  const source = podAddresses(pod)[isIpv6 ? 1 : 0];
  const [routerAddress] = podAddresses({ ...pod, number: 1 });
  const packet = [`${family}.src == ${source}`, `${family}.dst == ${destination}`, icmp, 'ip.ttl == 64'];
  const network = `cluster_udn_${pod.tenant}`;
  const own = logicalNetworkNames(network, from.name);
  const [podOnSwitch] = podAddresses(pod);
  const [sending] = await outputs(from, own.nodeSwitch, [
    `inport == "${podName(pod)}"`,
    `eth.src == ${macAddressOf(podOnSwitch)}`,
    `eth.dst == ${macAddressOf(routerAddress)}`,
    ...packet,
  ]);
  if (sending === undefined) return {};
  const prefix = own.transitSwitch.replace(/transit_switch$/, 'tstor-');
  if (sending !== `${prefix}${to.name}`) return { sending };
  const transitOf = (id: number) => macAddressOf(`100.88.0.${id}`);
  const [receiving] = await outputs(to, own.transitSwitch, [
    `inport == "${prefix}${from.name}"`,
    `eth.src == ${transitOf(pod.place.id)}`,
    `eth.dst == ${transitOf(to.name === 'worker-b' ? 3 : 2)}`,
    ...packet,
  ]);
  return receiving === undefined ? { sending } : { sending, receiving };
}
