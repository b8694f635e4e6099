/**
 * Follows a packet of a pod to a Service of its network, by its ClusterIP or an address outside: the load balancer on the switch of the pod sends it to one of the endpoints that its node
 * uses, and from there it goes as any packet between pods. What no Service of the network has is refused there (docs/design/services.md, "Addresses that no Service has").
 */
import type { Service } from '../../../api/service.ts';
import { addressAt, canonicalAddress, subnetContains } from '../../../basics/addresses/ip-address.ts';
import { MASQUERADE_OFFSETS } from '../../../basics/conventions.ts';
import { counted } from '../../../basics/names/counted.ts';
import { subnetOfFamily } from '../../../network/allocation/addresses.ts';
import { logicalNetworkNames } from '../../../network/names/logical-network.ts';
import type { Network } from '../../../network/network.ts';
import { planNode } from '../../../plan/plan-node.ts';
import { type ClusterView, viewCluster } from '../../../plan/view/cluster-view.ts';
import { keyOf, namespaceOf } from '../../../services/services-by-namespace.ts';
import { serviceScope } from '../../../services/service-scope.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../../snapshot/settings.ts';
import { networkOfServices } from '../../../plan/view/network-of-services.ts';
import { sharedAddresses } from '../../shared-addresses.ts';
import { type Hop, traceFromPod, type TraceVerdict } from '../hop.ts';
import { balanced, type Balancing, balancingFor } from '../node-services/balancing.ts';
import { named, nodeServices } from '../node-services/node-services.ts';
import { packetText, type TracedPacket } from '../packet.ts';
import type { TraceOutcome, TraceQuestion } from '../trace.ts';
import type { ObservedNodes } from '../node-to-node.ts';
import { providedNetwork, strangeSource, tracePods } from '../trace-pods.ts';

/** The Service of a network that has an address. */
function serviceAt(address: string, network: Network, view: ClusterView): Service | undefined {
  return view.snapshot.services.find((service) => {
    if (service.spec.clusterIPs?.some((each) => canonicalAddress(each) === address) !== true) return false;
    const scope = serviceScope(service, networkOfServices(namespaceOf(service), view));
    return scope.kind === 'served' && scope.network.key === network.key;
  });
}

/** A packet to a Service, and where it is. */
interface ToService {
  readonly network: Network;
  readonly question: TraceQuestion;
  readonly nodes: ObservedNodes;
  readonly settings: NodeSettings;
}

function ended({ question, nodes }: ToService, hops: readonly Hop[], verdict: TraceVerdict): TraceOutcome {
  const { network, packet } = question;
  return traceFromPod({ network, node: nodes.from.nodeName, packet: packetText(packet), hops, verdict });
}

/** The switch of the pod. */
const switchOf = ({ network, nodes }: ToService) =>
  logicalNetworkNames(network.networkName, nodes.from.nodeName).nodeSwitch;

/** Where a packet goes on whose endpoint is the pod itself: back to it, from an address that is not the Service's. */
function hairpin(to: ToService, hop: Hop): TraceOutcome {
  const { packet } = to.question;
  const subnet = subnetOfFamily(to.settings.masqueradeSubnets, packet.family) ?? '';
  const source = addressAt(subnet, MASQUERADE_OFFSETS.hairpin) ?? '';
  const back: Hop = { ...hop, change: `source ${packet.source} → ${source}`, why: 'the pod reaches itself' };
  return ended(to, [hop, back], { kind: 'arrives', at: 'the pod itself' });
}

/** Follows a packet that a load balancer takes. @param onward from there, as any packet between pods */
function throughBalancer(
  to: ToService,
  { of, balancer, vip, endpoints }: Balancing,
  onward: (packet: TracedPacket) => TraceOutcome | undefined,
): TraceOutcome | undefined {
  const { packet } = to.question;
  const where = switchOf(to);
  const [chosen] = endpoints;
  if (chosen === undefined)
    return ended(to, [], {
      kind: 'dropped',
      where,
      why: `${named(of.key)} has no endpoint for this node: it is refused`,
    });
  const there = balanced(packet, chosen);
  const hop: Hop = {
    where,
    change: `destination ${vip} → ${chosen}`,
    why: `${named(of.key)}: one of ${counted(endpoints.length, 'endpoint')}, of which connections get any`,
    decidedBy: `load balancer ${balancer.name}`,
  };
  if (there.destination === packet.source) return hairpin(to, hop);
  const outcome = onward(there);
  if (outcome?.traced !== true) return outcome;
  const { trace } = outcome;
  return { ...outcome, trace: { ...trace, packet: packetText(packet), hops: [hop, ...trace.hops] } };
}

/** Why a packet to an address of Services is refused that no load balancer takes; undefined if it is for none. */
function refusal({ protocol, destination }: TracedPacket, network: Network, view: ClusterView): string | undefined {
  const found = serviceAt(destination, network, view);
  const isShared = found !== undefined && sharedAddresses(found, view).has(destination);
  if (found !== undefined && !isShared) return `${named(keyOf(found))} does not have this port by ${protocol}`;
  const subnet = view.settings.serviceCidrs.find((cidr) => subnetContains(cidr, destination));
  if (found === undefined && subnet === undefined) return undefined;
  const services = `${isShared ? 'several Services' : 'no Service'} of network ${network.metadata.name}`;
  const have = isShared ? 'have this address, so that none is served there' : 'has this address';
  return `${services} ${have}: the ACL for ${subnet ?? ''} refuses it`;
}

/** Whether a packet is the first one of a connection of a pod of a network. */
function isOfPod({ packet, from = 'pod', isReply = false }: TraceQuestion, { subnets }: Network): boolean {
  return from === 'pod' && !isReply && subnets.some(({ cidr }) => subnetContains(cidr, packet.source));
}

/** Follows a packet of a pod to a Service of its network; undefined if it goes to none. */
export function traceToService(
  cluster: ClusterSnapshot,
  nodes: ObservedNodes,
  settings: NodeSettings,
  question: TraceQuestion,
): TraceOutcome | undefined {
  const view = viewCluster(cluster, settings);
  const network = providedNetwork(question.network, view);
  if (network === undefined || !isOfPod(question, network)) return undefined;
  const { packet } = question;
  const { nodeName } = nodes.from;
  const services = nodeServices(cluster, nodes.from, settings, planNode(cluster, nodes.from, settings));
  const balancing = balancingFor(services, [network.networkName, 'switch'], packet);
  const refused = balancing === undefined ? refusal(packet, network, view) : undefined;
  if (balancing === undefined && refused === undefined) return undefined;
  const problem = strangeSource(network, packet.source, nodeName, view);
  if (problem !== undefined) return { traced: false, problem };
  const to: ToService = { network, question, nodes, settings };
  if (balancing === undefined) return ended(to, [], { kind: 'dropped', where: switchOf(to), why: refused ?? '' });
  const onward = (there: TracedPacket) => tracePods(cluster, nodes, settings, { ...question, packet: there });
  return throughBalancer(to, balancing, onward);
}
