/**
 * Follows a connection from the wire to a Service: from its load balancer on the gateway router to one of its endpoints, on this node or another one, and the answer back by the same
 * gateway router and uplink (docs/design/services.md, "On the wire"). Bridges decide by their flows (packet-path.ts), OVN by load balancers and rows of the nodes.
 */
import { type AddressFamily, familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import { counted } from '../../basics/names/counted.ts';
import { type ClusterView, viewCluster } from '../../plan/view/cluster-view.ts';
import { placeText } from '../../services/load-balancers.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import {
  type FromPod,
  fromGatewayRouter,
  fromPod,
  fromPodToGatewayRouter,
  fromTunnel,
  fromTunnelToGatewayRouter,
  type PodPath,
  type ToGatewayRouter,
} from './between-pods.ts';
import type { BridgePass } from './bridge-pass.ts';
import type { Hop } from './hop.ts';
import { balanced, type Balancing } from './node-services/balancing.ts';
import { named } from './node-services/node-services.ts';
import { type NodeSide, nodeSide, option } from './node-side.ts';
import { nodeAtEnd, type ObservedNodes } from './node-to-node.ts';
import { reversed, type TracedPacket } from './packet.ts';
import { PacketPath, type PacketToService } from './packet-path.ts';
import { intoNetwork, throughGatewayRouter } from './routers.ts';
import { type Addresses, texts } from './router-rows.ts';
import type { TracedNode } from './traced-node.ts';
import { unreachedReason } from './unreached.ts';

/** The answer of an endpoint. */
interface FollowedReply extends PodPath {
  readonly packet: TracedPacket;
  readonly passes: readonly BridgePass[];
  readonly assumptions: Iterable<string>;
}

/** A connection to a Service from the gateway router on. */
export interface ServiceConnection extends PodPath {
  /** Whether operations are needed on a node before packets take this path. */
  readonly isChanged: boolean;
  /** Absent where the packet comes to no endpoint, or is not followed up to it. */
  readonly reply?: FollowedReply;
}

/** A cluster, and its nodes as they are observed. */
export interface Observed {
  readonly cluster: ClusterSnapshot;
  readonly nodes: ObservedNodes;
  readonly settings: NodeSettings;
}

/** A connection to an endpoint, and the node that it comes to from the wire. */
interface Connection {
  readonly node: TracedNode;
  readonly here: NodeSide;
  readonly observed: Observed;
  readonly view: ClusterView;
  /** As it comes from the wire. */
  readonly packet: TracedPacket;
  /** As it is sent to the endpoint. */
  readonly inside: TracedPacket;
  readonly balancing: Balancing;
}

/** The source that the gateway router gives to balanced packets (ovn-nb(5), Logical_Router, `lb_force_snat_ip`); undefined for none. */
function forcedSource({ rows, names }: TracedNode, family: AddressFamily): string | undefined {
  const router = rows.find(({ table, name }) => table === 'Logical_Router' && name === names.gatewayRouter);
  const forced = router && option(router, 'options', 'lb_force_snat_ip');
  const port = rows.find(({ table, name }) => table === 'Logical_Router_Port' && name === names.inside.routerPort);
  const ofPort = port === undefined ? [] : texts(port, 'networks').map(withoutLength);
  const addresses = forced === 'router_ip' ? ofPort : (forced?.split(' ') ?? []);
  return addresses.find((address) => familyOf(address) === family);
}

function policyOf({ of: { service } }: Balancing): 'Cluster' | 'Local' {
  return service.spec.externalTrafficPolicy === 'Local' ? 'Local' : 'Cluster';
}

function withoutEndpoint(balancing: Balancing, nodeName: string): string {
  const [name, isLocal] = [named(balancing.of.key), policyOf(balancing) === 'Local'];
  const why = isLocal
    ? `has no endpoint on ${nodeName}, and externalTrafficPolicy is Local`
    : 'has no endpoint for this node';
  return `${name} ${why}: it is refused, or with OVN 23.03 not answered`;
}

/** The load balancer on the gateway router. */
function balancingHop({ node, packet, inside, balancing }: Connection, endpoint: string): Hop {
  const { of, balancer, vip, endpoints } = balancing;
  const source = inside.source === packet.source ? 'keeps its source' : `source ${packet.source} → ${inside.source}`;
  return {
    where: node.names.gatewayRouter,
    change: `destination ${vip} → ${endpoint}; ${source}`,
    why: `${named(of.key)}, externalTrafficPolicy ${policyOf(balancing)}: one of ${counted(endpoints.length, 'endpoint')}, of which connections get any`,
    decidedBy: `load balancer ${balancer.name}`,
  };
}

/** A packet on its way, and the node where it is. */
interface AtNode extends PodPath {
  readonly side: NodeSide;
  readonly isChanged: boolean;
}

const onNode = ({ nodeName }: NodeSide, hops: readonly Hop[]) => hops.map((hop) => ({ ...hop, node: nodeName }));

/** From the gateway router to the endpoint. */
function toEndpoint({ here, observed, view, inside, balancing }: Connection): AtNode {
  const { scope } = balancing.of;
  const unreached = (address: string) =>
    scope.kind === 'served' ? unreachedReason(scope.network, address, view) : 'the Service is not served';
  const sent = fromGatewayRouter(here, inside, unreached);
  const { isChanged } = here;
  if ('end' in sent) return { ...sent, side: here, isChanged };
  const there = nodeAtEnd(sent.tunnel, observed.nodes.others, view);
  if ('end' in there) return { hops: sent.hops, end: there.end, side: here, isChanged };
  const side = sideOf(observed, there.node, balancing);
  const { hops, end } = fromTunnel(side, sent.tunnel, inside.destination);
  return { hops: [...sent.hops, ...onNode(side, hops)], end, side, isChanged: isChanged || side.isChanged };
}

function sideOf({ cluster, settings }: Observed, node: ObservedNodes['from'], { balancer }: Balancing): NodeSide {
  return nodeSide(cluster, node, settings, balancer.networkName);
}

/** From a tunnel of another node to the gateway router of this one. */
function backOverTunnel(
  { here, observed, view }: Connection,
  side: NodeSide,
  sent: FromPod,
  addresses: Addresses,
): ToGatewayRouter {
  const hops = onNode(side, sent.hops);
  if ('end' in sent) return { hops, end: sent.end };
  const { from, others } = observed.nodes;
  const back = nodeAtEnd(sent.tunnel, [from, ...others], view);
  if ('end' in back) return { hops, end: back.end };
  if (back.node !== from) {
    const why = `it leads to ${back.node.nodeName}, and the connection came by ${from.nodeName}`;
    return { hops, end: { kind: 'dropped', where: 'Geneve tunnel', why } };
  }
  const rest = fromTunnelToGatewayRouter(here, sent.tunnel, addresses);
  return { ...rest, hops: [...hops, ...rest.hops] };
}

/** From the endpoint to the gateway router that the connection came by. */
function backToRouter(connection: Connection, side: NodeSide): ToGatewayRouter {
  const { here, inside } = connection;
  const addresses = reversed(inside);
  if (side === here) return fromPodToGatewayRouter(here, addresses);
  const unreached = () => `the route to the gateway router of ${here.nodeName} is missing`;
  return backOverTunnel(connection, side, fromPod(side, addresses, unreached), addresses);
}

/** Follows the answer from the endpoint to the wire. @param path that of the packet, up to the gateway router */
function reply(connection: Connection, side: NodeSide, path: PacketPath): FollowedReply {
  const { node, packet, inside, balancing } = connection;
  const sent = reversed(inside);
  const { hops, end } = backToRouter(connection, side);
  const nothing = { packet: sent, passes: [], assumptions: [] };
  if (end !== undefined) return { ...nothing, hops, end };
  const left = reversed(packet);
  const routed = throughGatewayRouter(node, { source: sent.source, destination: left.destination }, true);
  if ('end' in routed) return { ...nothing, hops: [...hops, ...routed.hops], end: routed.end };
  const changes = [
    `source ${placeText(sent.source, sent.ports?.source ?? 0)} → ${balancing.vip}`,
    ...(sent.destination === left.destination ? [] : [`destination ${sent.destination} → ${left.destination}`]),
  ];
  const why = `the answer in a connection to ${named(balancing.of.key)}`;
  const translated = routed.hops.map((hop) => ({
    ...hop,
    change: [...changes, hop.decidedBy ?? ''].join('; '),
    why,
  }));
  const back = new PacketPath(node, path.memory());
  const verdict = back.outOfRouter(left, routed.nextHop, 0);
  const { passes, assumptions } = back;
  return { packet: sent, hops: [...hops, ...translated, ...back.hops], end: verdict, passes, assumptions };
}

/**
 * Follows a packet from its load balancer on the gateway router to an endpoint, and the answer back to the wire.
 *
 * @param path that of the packet up to there
 * @param length of the packet, in bytes; 0 for one that fits
 */
export function serviceConnection(
  observed: Observed,
  node: TracedNode,
  { path, toService }: { readonly path: PacketPath; readonly toService: PacketToService },
  length: number,
): ServiceConnection {
  const { packet, balancing } = toService;
  const { isChanged } = node;
  const [endpoint] = balancing.endpoints;
  if (endpoint === undefined) {
    const why = withoutEndpoint(balancing, node.nodeName);
    return { hops: [], end: { kind: 'dropped', where: node.names.gatewayRouter, why }, isChanged };
  }
  const keepsSource = balancing.balancer.options['skip_snat'] === 'true';
  const source = (keepsSource ? undefined : forcedSource(node, packet.family)) ?? packet.source;
  const connection: Connection = {
    node,
    here: sideOf(observed, observed.nodes.from, balancing),
    observed,
    view: viewCluster(observed.cluster, observed.settings),
    packet,
    inside: { ...balanced(packet, endpoint), source },
    balancing,
  };
  const { hop, end: tooLong } = intoNetwork(node, connection.inside.destination, [], length);
  const atRouter = [balancingHop(connection, endpoint), hop];
  if (tooLong !== undefined) return { hops: atRouter, end: tooLong, isChanged };
  const way = toEndpoint(connection);
  const followed = { hops: [...atRouter, ...way.hops], end: way.end, isChanged: isChanged || way.isChanged };
  return way.end.kind === 'arrives' ? { ...followed, reply: reply(connection, way.side, path) } : followed;
}
