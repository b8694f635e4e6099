/** Follows a packet between pods of a network that ovn-uplinks provides, over both of their nodes (between-pods.ts). */
import { nameOfNetwork } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import { subnetContains } from '../../basics/addresses/ip-address.ts';
import { type ClusterView, viewCluster } from '../../plan/view/cluster-view.ts';
import { networksIn } from '../../plan/view/provided-networks.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { fromPod, fromTunnel } from './between-pods.ts';
import { type Hop, traceFromPod, type TraceVerdict } from './hop.ts';
import { nodeAtEnd, type ObservedNodes } from './node-to-node.ts';
import { packetText } from './packet.ts';
import type { TraceOutcome, TraceQuestion } from './trace.ts';
import { subnetsOnNode, unreachedReason } from './unreached.ts';
import { type NodeSide, nodeSide } from './node-side.ts';

/** The network of a ClusterUserDefinedNetwork, or of a UserDefinedNetwork `NAMESPACE/NAME`, if ovn-uplinks provides it. */
export function providedNetwork(name: string, { snapshot, settings }: ClusterView): Network | undefined {
  const networks = networksIn(snapshot, settings);
  const network = networks.find((each) => nameOfNetwork(each.key) === name);
  if (network === undefined || unsupportedPart(network) !== undefined) return undefined;
  return network.providedBy === 'us' ? network : undefined;
}

interface Followed {
  readonly hops: readonly Hop[];
  readonly verdict: TraceVerdict;
  readonly isChanged: boolean;
}

/** From a pod to the other one, or as far as the nodes are known. */
function follow(
  network: Network,
  { packet: { source, destination } }: TraceQuestion,
  { from, others }: ObservedNodes,
  view: ClusterView,
  sideOf: (node: NodeSnapshot) => NodeSide,
): Followed {
  const here = sideOf(from);
  const sent = fromPod(here, { source, destination }, (address) => unreachedReason(network, address, view));
  if ('end' in sent) return { hops: sent.hops, verdict: sent.end, isChanged: here.isChanged };
  const there = nodeAtEnd(sent.tunnel, others, view);
  if ('end' in there) return { hops: sent.hops, verdict: there.end, isChanged: here.isChanged };
  const side = sideOf(there.node);
  const { hops, end } = fromTunnel(side, sent.tunnel, destination);
  return {
    hops: [...sent.hops, ...hops.map((hop) => ({ ...hop, node: side.nodeName }))],
    verdict: end,
    isChanged: here.isChanged || side.isChanged,
  };
}

/** Why pods of the network on the node do not send from this address; undefined if they may. */
export function strangeSource(
  network: Network,
  source: string,
  nodeName: string,
  view: ClusterView,
): string | undefined {
  const node = view.nodes.byName.get(nodeName);
  const subnets = node === undefined ? [] : subnetsOnNode(network, node, view);
  if (subnets.some((cidr) => subnetContains(cidr, source))) return undefined;
  const owner = view.nodes.all.find((each) =>
    subnetsOnNode(network, each, view).some((cidr) => subnetContains(cidr, source)),
  );
  const whose = owner === undefined ? 'of no node' : `of ${owner.metadata.name}`;
  return `${source} is an address ${whose}: expected one of a pod on ${nodeName}, in ${subnets.join(', ') || 'no subnet'}`;
}

/** Follows a packet between pods; undefined if it is none, or if another implementation provides the network. */
export function tracePods(
  cluster: ClusterSnapshot,
  nodes: ObservedNodes,
  settings: NodeSettings,
  question: TraceQuestion,
): TraceOutcome | undefined {
  const view = viewCluster(cluster, settings);
  const network = providedNetwork(question.network, view);
  const { packet, length = 0, from = 'pod' } = question;
  if (network === undefined || from !== 'pod') return undefined;
  const isOfNetwork = (address: string) => network.subnets.some(({ cidr }) => subnetContains(cidr, address));
  if (!isOfNetwork(packet.source) || !isOfNetwork(packet.destination)) return undefined;
  const { nodeName } = nodes.from;
  const problem = strangeSource(network, packet.source, nodeName, view);
  if (problem !== undefined) return { traced: false, problem };
  const mtu = network.mtu ?? settings.defaultNetworkMtu;
  const { hops, verdict, isChanged }: Followed =
    length > mtu
      ? {
          hops: [],
          verdict: {
            kind: 'dropped',
            where: 'the pod',
            why: `${String(length)} bytes exceed the MTU of ${String(mtu)} bytes`,
          },
          isChanged: false,
        }
      : follow(network, question, nodes, view, (node) => nodeSide(cluster, node, settings, network.networkName));
  return traceFromPod({
    network: question.network,
    node: nodeName,
    packet: packetText(packet),
    hops,
    verdict,
    isPlanned: isChanged,
  });
}
