/** Follows a packet of a pod out of its network: by the cluster router, which translates it, to the management port. */
import { CHASSIS_KEY, INTEGRATION_BRIDGE } from '../../../basics/conventions.ts';
import { subnetContains } from '../../../basics/addresses/ip-address.ts';
import { isPartOf } from '../../../datapath/northbound/row.ts';
import { egressSentence } from '../../../status/sentences/egress-sentence.ts';
import { dropped, toClusterRouter } from '../between-pods.ts';
import type { Hop, TraceVerdict } from '../hop.ts';
import { hasAddress, interfaceOf, type NodeSide, portsOf } from '../node-side.ts';
import { isDropping, policyFor, policyText, routerPortTo } from '../router-policies.ts';
import { type Addresses, asCidr, longestPrefix, ownAddresses, rowsOf, staticRoutes, text } from '../router-rows.ts';

/** The hops of a packet in OVN, what was assumed, and where it ended or came out: at a device of the host, with this source. */
export type OutOfNetwork = { readonly hops: readonly Hop[]; readonly assumptions: readonly string[] } & (
  { readonly end: TraceVerdict } | { readonly end?: undefined; readonly device: string; readonly source: string }
);

/** The address that the cluster router gives to a packet; undefined where it has none for it. */
function translated(side: NodeSide, source: string): string | undefined {
  const rows = rowsOf(side, 'NAT', side.names.clusterRouter);
  const found = rows.find(
    (row) => text(row, 'type') === 'snat' && subnetContains(asCidr(text(row, 'logical_ip')), source),
  );
  return found && text(found, 'external_ip');
}

/** The chassis that the port of the cluster router to the pods is on; undefined where it is on all. */
function gatewayChassis({ rows, names }: NodeSide): string | undefined {
  const row = rows.find((each) => each.table === 'Gateway_Chassis' && isPartOf(each, names.nodeRouterPort));
  return row && text(row, 'chassis_name');
}

/** Why the cluster router has no route for a packet. */
function withoutRoute({ egressFailure }: NodeSide, destination: string): string {
  const why = egressFailure === undefined ? '' : `: ${egressSentence(egressFailure)}`;
  return `it has no route to ${destination}${why}`;
}

/** Sends a packet by a route to the host, with an address of the network on the node. */
function toHost(
  side: NodeSide,
  { source }: Addresses,
  route: { readonly description: string; readonly nextHop: string },
): { readonly hops: readonly Hop[] } & (
  { readonly end: TraceVerdict } | { readonly device: string; readonly source: string }
) {
  const { clusterRouter, nodeRouterPort, nodeSwitch } = side.names;
  const chassis = gatewayChassis(side);
  const own = side.after.switchExternalIds[CHASSIS_KEY];
  if (chassis !== undefined && chassis !== own) {
    const why = `port ${nodeRouterPort} is on chassis ${chassis}, and ${side.nodeName} is ${own ?? 'none'}`;
    return { hops: [], end: dropped(side, clusterRouter, why) };
  }
  // Only at a port that is on one chassis (ovn-nb(5), Logical_Router, nat).
  const address = chassis === undefined ? undefined : translated(side, source);
  const { description, nextHop } = route;
  const routed: Hop = {
    where: clusterRouter,
    change: `${description}; ${address === undefined ? 'keeps its source' : `source becomes ${address}`}`,
    why: 'pods of this node leave by it, with the address of the network',
    decidedBy: description,
  };
  const port = portsOf(side, nodeSwitch).find((each) => hasAddress(each, nextHop));
  if (port === undefined) return { hops: [routed], end: dropped(side, nodeSwitch, `no port has ${nextHop}`) };
  const toPort = { where: nodeSwitch, change: `to port ${port.name}`, why: 'it has the address', decidedBy: port.name };
  const found = interfaceOf(side, port.name);
  if (found === undefined) {
    const why = `no interface has iface-id ${port.name}`;
    return { hops: [routed, toPort], end: dropped(side, INTEGRATION_BRIDGE, why) };
  }
  const decidedBy = `iface-id ${port.name}`;
  const out = { where: INTEGRATION_BRIDGE, change: `to ${found.name}`, why: 'the management port', decidedBy };
  return { hops: [routed, toPort, out], device: found.name, source: address ?? source };
}

/** Follows a packet that a pod of the node sends to an address outside of the network, until it is at the host. */
export function outOfNetwork(side: NodeSide, addresses: Addresses): OutOfNetwork {
  const { clusterRouter, nodeRouterPort } = side.names;
  const { source, destination } = addresses;
  const inside = toClusterRouter(side, source);
  const { hops } = inside;
  if ('end' in inside) return { ...inside, assumptions: [] };
  if (ownAddresses(side, clusterRouter).includes(destination)) {
    return { hops, assumptions: [], end: { kind: 'arrives', at: `the router ${clusterRouter}` } };
  }
  const route = longestPrefix(staticRoutes(side, clusterRouter, addresses));
  const nextHop = route?.nextHops[0];
  if (route === undefined || nextHop === undefined) {
    return { hops, assumptions: [], end: dropped(side, clusterRouter, withoutRoute(side, destination)) };
  }
  const outport = routerPortTo(side, clusterRouter, nextHop);
  const { policy, undecided } = policyFor(side, clusterRouter, { inport: nodeRouterPort, outport, destination });
  const assumptions = undecided.map((each) => `${policyText(each)} does not match the packet`);
  if (policy !== undefined && isDropping(policy)) {
    const why = `${policyText(policy)} drops it`;
    return { hops, assumptions, end: dropped(side, clusterRouter, why) };
  }
  const rest = toHost(side, addresses, { description: route.description, nextHop });
  return { ...rest, hops: [...hops, ...rest.hops], assumptions };
}
