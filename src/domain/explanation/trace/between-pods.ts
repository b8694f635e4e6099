/**
 * Follows a packet between pods of a network that ovn-uplinks provides: from the interface of one by the logical switch of its node, the cluster router and the transit
 * switch, through a tunnel to the other node, and there to the interface of the other one. Every step is decided by rows and entities of the two nodes; where one is
 * missing the packet ends, with the reason (docs/design/networks.md, "Zones").
 */
import { INTEGRATION_BRIDGE, INTERCONNECTION_KEY } from '../../basics/conventions.ts';
import { familyOf, subnetContains, withoutLength } from '../../basics/addresses/ip-address.ts';
import { isSwitchedOn, switchKeyInForce } from '../../snapshot/controller-keys.ts';
import { isPartOf, type NorthboundRow } from '../../datapath/northbound/row.ts';
import { tunnelAddressesOf } from '../../snapshot/tunnel-addresses.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import { isDropping, policyFor, policyText, routerPortTo } from './router-policies.ts';
import { type Addresses, connectedRoutes, longestPrefix, staticRoutes, text, texts } from './router-rows.ts';
import { hasAddress, interfaceOf, option, portsOf, rowNamed, type NodeSide } from './node-side.ts';

/** The hops of the way, and how it ended. */
export interface PodPath {
  readonly hops: readonly Hop[];
  readonly end: TraceVerdict;
}

/** A packet in a tunnel. */
export interface Tunnelled {
  /** Name of the chassis, and the addresses where its tunnels end. */
  readonly chassis: string;
  readonly addresses: readonly string[];
  /** Name of the Node that the chassis was added for; absent if another program added it. */
  readonly node?: string;
  /** Key of the transit switch, and of the port there that it leaves by. */
  readonly key: string;
  readonly portKey: string;
}

/** The way of a packet of a pod through its node. */
export type FromPod = { readonly hops: readonly Hop[] } & (
  { readonly end: TraceVerdict } | { readonly tunnel: Tunnelled }
);

/** A packet that ends where something is missing. If the network is not programmed on the node, that is why. */
export function dropped({ failure }: NodeSide, where: string, why: string): TraceVerdict {
  return { kind: 'dropped', where, why: failure === undefined ? why : `${why}; ${failure}` };
}

/** Delivers a packet on the switch of the pods. */
function onNodeSwitch(side: NodeSide, destination: string): PodPath {
  const { nodeSwitch, managementPort } = side.names;
  const port = portsOf(side, nodeSwitch).find((each) => hasAddress(each, destination));
  if (port === undefined) {
    return {
      hops: [],
      end: dropped(side, nodeSwitch, `no port has ${destination}: no pod of the node has this address`),
    };
  }
  const toPort: Hop = {
    where: nodeSwitch,
    change: `to port ${port.name}`,
    why: 'it has the address',
    decidedBy: port.name,
  };
  if (port.name === managementPort)
    return { hops: [toPort], end: { kind: 'arrives', at: `the host of ${side.nodeName}` } };
  const found = interfaceOf(side, port.name);
  if (found === undefined) {
    const why = `no interface has iface-id ${port.name}: the pod is not attached, or has gone`;
    return { hops: [toPort], end: dropped(side, INTEGRATION_BRIDGE, why) };
  }
  const out: Hop = {
    where: INTEGRATION_BRIDGE,
    change: `to ${found.name}`,
    why: 'the interface of the pod',
    decidedBy: `iface-id ${port.name}`,
  };
  return { hops: [toPort, out], end: { kind: 'arrives', at: `the pod with ${destination} on ${side.nodeName}` } };
}

/** A hop, or where the packet ends instead. */
type HopOrEnd = { readonly hop: Hop } | { readonly end: TraceVerdict };

/** From the interface of a pod to the switch of its node. */
function fromInterface(side: NodeSide, source: string): HopOrEnd {
  const { nodeSwitch } = side.names;
  if (rowNamed(side, 'Logical_Switch', nodeSwitch) === undefined) {
    return { end: dropped(side, nodeSwitch, 'there is no such switch: the network is not on the node') };
  }
  const port = portsOf(side, nodeSwitch).find((each) => hasAddress(each, source));
  if (port === undefined) {
    return { end: dropped(side, nodeSwitch, `no port has ${source}, and others may not send from this address`) };
  }
  const found = interfaceOf(side, port.name);
  if (found === undefined) {
    return {
      end: dropped(side, INTEGRATION_BRIDGE, `no interface has iface-id ${port.name}: the pod is not attached`),
    };
  }
  const change = `from ${found.name} to port ${port.name} of ${nodeSwitch}`;
  return {
    hop: { where: INTEGRATION_BRIDGE, change, why: 'the interface of the pod', decidedBy: `iface-id ${port.name}` },
  };
}

/** From the switch of the node to the cluster router; undefined if both are connected. */
function unconnected(side: NodeSide): TraceVerdict | undefined {
  const { nodeSwitch, nodeSwitchPort, nodeRouterPort, clusterRouter } = side.names;
  const port = rowNamed(side, 'Logical_Switch_Port', nodeSwitchPort);
  const peer = rowNamed(side, 'Logical_Router_Port', nodeRouterPort);
  const isConnected = port !== undefined && option(port, 'options', 'router-port') === nodeRouterPort;
  if (isConnected && peer !== undefined && isPartOf(peer, clusterRouter)) return undefined;
  return dropped(
    side,
    nodeSwitch,
    `it is not connected to ${clusterRouter} by ${nodeSwitchPort} and ${nodeRouterPort}`,
  );
}

/** The port of another node on the transit switch, and the tunnel to that node. */
function intoTunnel(side: NodeSide, nextHop: string): FromPod {
  const { transitSwitch } = side.names;
  const port = portsOf(side, transitSwitch).find((each) => hasAddress(each, nextHop));
  if (port === undefined) return { hops: [], end: dropped(side, transitSwitch, `no port has ${nextHop}`) };
  const onTransit: Hop = {
    where: transitSwitch,
    change: `to port ${port.name}`,
    why: 'the router of the other node',
    decidedBy: port.name,
  };
  const ended = (why: string): FromPod => ({ hops: [onTransit], end: dropped(side, transitSwitch, why) });
  const bound = side.after.remotePorts.find((each) => each.port === port.name);
  if (bound === undefined) {
    const requested = option(port, 'options', 'requested-chassis') ?? '';
    return ended(
      `port ${port.name} is not bound to chassis ${requested || 'of another node'} in the Southbound database`,
    );
  }
  const chassis = side.after.chassis.find(({ name }) => name === bound.chassis);
  if (chassis === undefined) return ended(`the Southbound database has no chassis ${bound.chassis}`);
  if (!chassis.isRemote) return ended(`chassis ${chassis.name} is not marked as remote, so there is no tunnel to it`);
  const own = rowNamed(side, 'Logical_Switch', transitSwitch);
  const key = (own && option(own, 'other_config', 'requested-tnl-key')) ?? '';
  const portKey = option(port, 'options', 'requested-tnl-key') ?? '';
  const { name, addresses, node } = chassis;
  const hop: Hop = {
    where: 'Geneve tunnel',
    change: `to chassis ${name} at ${addresses.join(', ')}, with tunnel key ${key} and port key ${portKey}`,
    why: `port ${port.name} is bound to it`,
    decidedBy: `Chassis ${name}`,
  };
  return {
    hops: [onTransit, hop],
    tunnel: { chassis: name, addresses, key, portKey, ...(node !== undefined && { node }) },
  };
}

/** From the interface of a pod to the cluster router, for a destination that is not on the switch of the node. */
export function toClusterRouter(side: NodeSide, source: string): { readonly hops: readonly Hop[] } | PodPath {
  const sent = fromInterface(side, source);
  if ('end' in sent) return { hops: [], end: sent.end };
  const broken = unconnected(side);
  if (broken !== undefined) return { hops: [sent.hop], end: broken };
  const { nodeSwitch, nodeSwitchPort, clusterRouter } = side.names;
  const change = `to ${clusterRouter}`;
  const toRouter = { where: nodeSwitch, change, why: 'not an address of this node', decidedBy: nodeSwitchPort };
  return { hops: [sent.hop, toRouter] };
}

/** A packet on the cluster router, with the port that it has come in by. */
interface OnClusterRouter extends Addresses {
  readonly inport: string;
}

/** Why the cluster router does not send a packet to another node; undefined if it does. */
function unrouted(
  side: NodeSide,
  { destination, inport }: OnClusterRouter,
  route: ReturnType<typeof longestPrefix>,
  unreached: (destination: string) => string,
): string | undefined {
  const { clusterRouter } = side.names;
  if (route === undefined || route.nextHops.length === 0 || route.isBySource) {
    const instead = route?.isBySource === true ? ' other than out of the network' : '';
    return `it has no route to ${destination}${instead}: ${unreached(destination)}`;
  }
  const outport = routerPortTo(side, clusterRouter, route.nextHops[0] ?? '');
  const { policy } = policyFor(side, clusterRouter, { inport, outport, destination });
  return policy && isDropping(policy) ? `${policyText(policy)} drops it: ${unreached(destination)}` : undefined;
}

/** Whether a route is to the destination alone. */
const isOfOneHost = (prefixLength: number, { destination }: Addresses) =>
  prefixLength === (familyOf(destination) === 4 ? 32 : 128);

/** From the cluster router to another node. */
function toOtherNode(side: NodeSide, packet: OnClusterRouter, unreached: (destination: string) => string): FromPod {
  const { clusterRouter } = side.names;
  const routes = [...staticRoutes(side, clusterRouter, packet), ...connectedRoutes(side, clusterRouter, packet)];
  const route = longestPrefix(routes);
  const why = unrouted(side, packet, route, unreached);
  const nextHop = route?.nextHops[0];
  if (route === undefined || nextHop === undefined || why !== undefined) {
    return { hops: [], end: dropped(side, clusterRouter, why ?? '') };
  }
  const routed: Hop = {
    where: clusterRouter,
    change: route.description,
    why: isOfOneHost(route.prefixLength, packet) ? 'the gateway router of another node' : 'the subnet of another node',
    decidedBy: route.description,
  };
  const rest = intoTunnel(side, nextHop);
  return { ...rest, hops: [routed, ...rest.hops] };
}

/**
 * Follows a packet that a pod of the node sends to an address of the network.
 *
 * @param unreached why the cluster router has no route to an address
 */
export function fromPod(side: NodeSide, addresses: Addresses, unreached: (destination: string) => string): FromPod {
  const { clusterRouter, nodeRouterPort } = side.names;
  const { source, destination } = addresses;
  const sent = fromInterface(side, source);
  if ('end' in sent) return { hops: [], end: sent.end };
  const router = rowNamed(side, 'Logical_Router_Port', nodeRouterPort);
  const ofNode = router === undefined ? [] : texts(router, 'networks');
  if (ofNode.some((cidr) => withoutLength(cidr) === destination)) {
    return { hops: [sent.hop], end: { kind: 'arrives', at: `the router ${clusterRouter}` } };
  }
  if (ofNode.some((cidr) => subnetContains(cidr, destination))) {
    const { hops, end } = onNodeSwitch(side, destination);
    return { hops: [sent.hop, ...hops], end };
  }
  const inside = toClusterRouter(side, source);
  if ('end' in inside) return inside;
  const rest = toOtherNode(side, { source, destination, inport: nodeRouterPort }, unreached);
  return { ...rest, hops: [...inside.hops, ...rest.hops] };
}

/** The transit switch that has a tunnel key in the zone. */
function transitSwitchWith({ rows }: NodeSide, key: string): NorthboundRow | undefined {
  return rows.find((row) => row.table === 'Logical_Switch' && option(row, 'other_config', 'requested-tnl-key') === key);
}

/** From a tunnel to the cluster router. */
function outOfTunnel(side: NodeSide, { chassis, addresses, key, portKey }: Tunnelled): HopOrEnd {
  const { after, names, nodeName } = side;
  const tunnel = 'Geneve tunnel';
  const own = after.switchExternalIds;
  if (own['system-id'] !== chassis) {
    const why = `it leads to chassis ${chassis}, and ${nodeName} is ${own['system-id'] ?? 'none'}`;
    return { end: dropped(side, tunnel, why) };
  }
  const ends = tunnelAddressesOf(after);
  if (!addresses.some((address) => ends.includes(address))) {
    const why = `it leads to ${addresses.join(', ')}, and tunnels of ${nodeName} end at ${ends.join(', ') || 'no address'}`;
    return { end: dropped(side, tunnel, why) };
  }
  if (!isSwitchedOn(INTERCONNECTION_KEY, own)) {
    const key = switchKeyInForce(INTERCONNECTION_KEY, own);
    return { end: dropped(side, tunnel, `${key} is not true in Open vSwitch of ${nodeName}`) };
  }
  const found = transitSwitchWith(side, key);
  if (found === undefined) return { end: dropped(side, tunnel, `no switch of ${nodeName} has tunnel key ${key}`) };
  if (found.name !== names.transitSwitch) {
    return {
      end: dropped(side, tunnel, `tunnel key ${key} is that of ${found.name} there, of another network`),
    };
  }
  const port = portsOf(side, found.name).find((each) => option(each, 'options', 'requested-tnl-key') === portKey);
  const peer = port && option(port, 'options', 'router-port');
  if (port === undefined || text(port, 'type') !== 'router' || peer !== names.transitRouterPort) {
    return {
      end: dropped(side, found.name, `no port with key ${portKey} leads to the router of ${nodeName}`),
    };
  }
  const decidedBy = port.name;
  return {
    hop: {
      where: found.name,
      change: `to port ${port.name}`,
      why: `tunnel key ${key}, port key ${portKey}`,
      decidedBy,
    },
  };
}

/** The route of the cluster router to an address of the network, from any source. */
function routeInside(side: NodeSide, destination: string): ReturnType<typeof longestPrefix> {
  const { clusterRouter } = side.names;
  return longestPrefix([
    ...staticRoutes(side, clusterRouter, { source: '', destination }),
    ...connectedRoutes(side, clusterRouter, { source: '', destination }),
  ]);
}

/** From the cluster router to a pod of the node. */
function toNodeSwitch(side: NodeSide, { description }: { readonly description: string }, destination: string): PodPath {
  const { clusterRouter, nodeSwitch } = side.names;
  const change = `to ${nodeSwitch}`;
  const routed: Hop = { where: clusterRouter, change, why: 'the subnet of this node', decidedBy: description };
  const { hops, end } = onNodeSwitch(side, destination);
  return { hops: [routed, ...hops], end };
}

/** Follows a packet that comes in by a tunnel. */
export function fromTunnel(side: NodeSide, tunnel: Tunnelled, destination: string): PodPath {
  const out = outOfTunnel(side, tunnel);
  if ('end' in out) return { hops: [], end: out.end };
  const route = routeInside(side, destination);
  if (route === undefined || route.nextHops.length > 0) {
    const why =
      route === undefined
        ? `it has no route to ${destination}`
        : `${destination} is not an address of ${side.nodeName}: ${route.description}`;
    return { hops: [out.hop], end: dropped(side, side.names.clusterRouter, why) };
  }
  const { hops, end } = toNodeSwitch(side, route, destination);
  return { hops: [out.hop, ...hops], end };
}

/** Follows a packet that the gateway router of the node sends to an address of the network. @param unreached as that of `fromPod` */
export function fromGatewayRouter(
  side: NodeSide,
  addresses: Addresses,
  unreached: (destination: string) => string,
): FromPod {
  const { clusterRouter, joinRouterPort: inport } = side.names;
  const { destination } = addresses;
  if (rowNamed(side, 'Logical_Router_Port', inport) === undefined)
    return { hops: [], end: dropped(side, clusterRouter, `it has no port ${inport} to its gateway router`) };
  const route = routeInside(side, destination);
  return route?.nextHops.length === 0
    ? toNodeSwitch(side, route, destination)
    : toOtherNode(side, { ...addresses, inport }, unreached);
}

/** The hops of a packet to the gateway router of the node, and its end where it does not come there. */
export interface ToGatewayRouter {
  readonly hops: readonly Hop[];
  readonly end?: TraceVerdict;
}

/** From the cluster router to the gateway router. */
function toGatewayRouter(side: NodeSide, { inport, ...addresses }: OnClusterRouter): ToGatewayRouter {
  const { clusterRouter, joinRouterPort } = side.names;
  const { destination } = addresses;
  const ended = (why: string): ToGatewayRouter => ({ hops: [], end: dropped(side, clusterRouter, why) });
  const route = longestPrefix([
    ...staticRoutes(side, clusterRouter, addresses),
    ...connectedRoutes(side, clusterRouter, addresses),
  ]);
  if (route === undefined) return ended(`it has no route to ${destination}`);
  const outport = routerPortTo(side, clusterRouter, route.nextHops[0] ?? destination);
  if (outport !== joinRouterPort) return ended(`${route.description} does not lead to the gateway router of the node`);
  const { policy } = policyFor(side, clusterRouter, { inport, outport, destination });
  if (policy !== undefined) return ended(`${policyText(policy)} takes it elsewhere`);
  const { description } = route;
  const why = 'the gateway router that the connection came by';
  return { hops: [{ where: clusterRouter, change: description, why, decidedBy: description }] };
}

/** Follows what a pod of the node sends to the gateway router of the node. */
export function fromPodToGatewayRouter(side: NodeSide, addresses: Addresses): ToGatewayRouter {
  const inside = toClusterRouter(side, addresses.source);
  if ('end' in inside) return inside;
  const rest = toGatewayRouter(side, { ...addresses, inport: side.names.nodeRouterPort });
  return { ...rest, hops: [...inside.hops, ...rest.hops] };
}

/** Follows what comes in by a tunnel to the gateway router of the node. */
export function fromTunnelToGatewayRouter(side: NodeSide, tunnel: Tunnelled, addresses: Addresses): ToGatewayRouter {
  const out = outOfTunnel(side, tunnel);
  if ('end' in out) return { hops: [], end: out.end };
  const rest = toGatewayRouter(side, { ...addresses, inport: side.names.transitRouterPort });
  return { ...rest, hops: [out.hop, ...rest.hops] };
}
