/**
 * Follows a packet of a pod to a Service of its network: the load balancer on the switch of the pod sends it to one of the endpoints that its node uses, in another place as any
 * packet between pods. What no Service of the network has is refused there (docs/design/services.md, "Addresses that no Service has").
 */
import type { Service } from '../../../api/service.ts';
import { addressAt, canonicalAddress, subnetContains } from '../../../basics/addresses/ip-address.ts';
import { MASQUERADE_OFFSETS } from '../../../basics/conventions.ts';
import { counted } from '../../../basics/names/counted.ts';
import { subnetOfFamily } from '../../../network/allocation/addresses.ts';
import { logicalNetworkNames } from '../../../network/names/logical-network.ts';
import type { Network } from '../../../network/network.ts';
import { type ClusterView, viewCluster } from '../../../plan/view/cluster-view.ts';
import type { LoadBalancer } from '../../../services/load-balancers.ts';
import { serviceScope } from '../../../services/service-scope.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../../snapshot/settings.ts';
import { networkOfServices } from '../../../plan/view/network-of-services.ts';
import { serviceOnNode } from '../../service-on-node.ts';
import { sharedAddresses } from '../../shared-addresses.ts';
import { type Hop, traceFromPod, type TraceVerdict } from '../hop.ts';
import { packetText, type TracedPacket } from '../packet.ts';
import type { TraceOutcome, TraceQuestion } from '../trace.ts';
import { type ObservedNodes, providedNetwork, strangeSource, tracePods } from '../trace-pods.ts';

const namespaceOf = ({ metadata: { namespace = 'default' } }: Service) => namespace;

/** The Service of a network that has an address. */
function serviceAt(address: string, network: Network, view: ClusterView): Service | undefined {
  return view.snapshot.services.find((service) => {
    if (service.spec.clusterIPs?.some((each) => canonicalAddress(each) === address) !== true) return false;
    const scope = serviceScope(service, networkOfServices(namespaceOf(service), view));
    return scope.kind === 'served' && scope.network.key === network.key;
  });
}

/** An end of a packet as load balancers have it. */
function vipOf({ family, destination, ports }: TracedPacket): string {
  const port = String(ports?.destination ?? '');
  return family === 6 ? `[${destination}]:${port}` : `${destination}:${port}`;
}

/** A packet at the endpoint of a load balancer, as its text has it. */
function balanced(packet: TracedPacket, endpoint: string): TracedPacket {
  const place = endpoint.lastIndexOf(':');
  const destination = endpoint.slice(0, place).replace(/^\[(.*)\]$/, '$1');
  const ports = { source: packet.ports?.source ?? 0, destination: Number(endpoint.slice(place + 1)) };
  return { ...packet, destination, ports };
}

/** The load balancer for a packet, with its endpoints. */
interface Balancing {
  readonly balancer: LoadBalancer;
  readonly endpoints: readonly string[];
}

function balancingOf(packet: TracedPacket, balancers: readonly LoadBalancer[]): Balancing | undefined {
  const balancer = balancers.find(({ protocol, vips }) => protocol === packet.protocol && vipOf(packet) in vips);
  const text = balancer?.vips[vipOf(packet)];
  return balancer && { balancer, endpoints: text === undefined || text === '' ? [] : text.split(',') };
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

/** Follows a packet to a Service, by its load balancers on the node. */
function throughBalancers(
  to: ToService,
  service: Service,
  balancers: readonly LoadBalancer[],
  onward: (packet: TracedPacket) => TraceOutcome | undefined,
): TraceOutcome | undefined {
  const { packet } = to.question;
  const where = switchOf(to);
  const named = `Service/${namespaceOf(service)}/${service.metadata.name}`;
  const refused = (why: string) => ended(to, [], { kind: 'dropped', where, why: `${named} ${why}` });
  const balancing = balancingOf(packet, balancers);
  if (balancing === undefined) return refused(`does not have this port by ${packet.protocol}`);
  const { balancer, endpoints } = balancing;
  const [chosen] = endpoints;
  if (chosen === undefined) return refused('has no endpoint for this node: it is refused');
  const there = balanced(packet, chosen);
  const hop: Hop = {
    where,
    change: `destination ${vipOf(packet)} → ${chosen}`,
    why: `${named}: one of ${counted(endpoints.length, 'endpoint')}, of which connections get any`,
    decidedBy: `load balancer ${balancer.name}`,
  };
  if (there.destination === packet.source) return hairpin(to, hop);
  const outcome = onward(there);
  if (outcome?.traced !== true) return outcome;
  const { trace } = outcome;
  return { ...outcome, trace: { ...trace, packet: packetText(packet), hops: [hop, ...trace.hops] } };
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
  const { source, destination } = question.packet;
  const { nodeName } = nodes.from;
  const found = serviceAt(destination, network, view);
  const isShared = found !== undefined && sharedAddresses(found, view).has(destination);
  const service = isShared ? undefined : found;
  const subnet = view.settings.serviceCidrs.find((cidr) => subnetContains(cidr, destination));
  if (service === undefined && subnet === undefined) return undefined;
  const problem = strangeSource(network, source, nodeName, view);
  if (problem !== undefined) return { traced: false, problem };
  const to: ToService = { network, question, nodes, settings };
  const node = view.nodes.byName.get(nodeName);
  if (service === undefined || node === undefined) {
    const services = `${isShared ? 'several Services' : 'no Service'} of network ${network.metadata.name}`;
    const have = isShared ? 'have this address, so that none is served there' : 'has this address';
    const why = `${services} ${have}: the ACL for ${subnet ?? ''} refuses it`;
    return ended(to, [], { kind: 'dropped', where: switchOf(to), why });
  }
  const { loadBalancers } = serviceOnNode(service, network, node, view);
  const onward = (packet: TracedPacket) => tracePods(cluster, nodes, settings, { ...question, packet });
  return throughBalancers(to, service, loadBalancers, onward);
}
