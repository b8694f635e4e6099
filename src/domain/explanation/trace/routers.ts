/**
 * The path of a packet through OVN. The rows of the gateway router are the planned ones; the switch of the pods, the router between and tunnels are
 * assumed to be as OVN-Kubernetes makes them.
 */
import { familyOf, prefixLengthOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import { type NorthboundRow, referencedRows } from '../../datapath/northbound/row.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import { managementPort, placeInNetwork } from './place-in-network.ts';
import {
  type Addresses,
  asCidr,
  connectedRoutes,
  longestPrefix,
  ownAddresses,
  rowsOf,
  staticRoutes,
  text,
  texts,
} from './router-rows.ts';
import type { TracedNode } from './traced-node.ts';

/** A translation of the source of a connection by the gateway router. */
export interface SourceTranslation {
  readonly from: string;
  readonly to: string;
}

/** The way of a packet of a pod through OVN. */
export type FromPods = { readonly hops: readonly Hop[] } & (
  | { readonly end: TraceVerdict }
  /** It is sent to the bridge, from this address, to this next hop. */
  | { readonly nextHop: string; readonly source: string; readonly translation?: SourceTranslation }
);

/** The reason of a hop that is assumed. */
const ASSUMED = 'OVN';

/** A hop that is assumed. */
const assumed = (where: string, change: string): Hop => ({ where, change, why: ASSUMED });

/** Whether no other node has an address of the network; unknown where another program adds the routes to other nodes. */
function isOfNoNode(node: TracedNode, router: string, destination: string): boolean {
  const isOurs = node.rows.some(({ isOfZone }) => isOfZone === true);
  return isOurs && staticRoutes(node, router, { source: '', destination }).length === 0;
}

/** Follows a packet for an address of the network through OVN, from the router between on, or from the gateway router where there is none. */
function toPods(node: TracedNode, destination: string): { readonly hops: readonly Hop[]; readonly end: TraceVerdict } {
  const { router, podSwitch } = node.names.inside;
  const isLayer2 = node.datapath.router.inside !== 'join-switch';
  const pods = isLayer2 ? 'to the pods of the network' : 'to the pods of this node';
  const routed = router === undefined ? [] : [assumed(router, pods)];
  switch (placeInNetwork(node, destination)) {
    case 'pod':
      return {
        hops: [...routed, assumed(podSwitch, `to the pod with ${destination}${isLayer2 ? ', on any node' : ''}`)],
        end: { kind: 'arrives', at: `the pod with ${destination}` },
      };
    case 'management-port':
      return {
        hops: [...routed, assumed(podSwitch, `to ${managementPort(node)}`)],
        end: { kind: 'arrives', at: `the host by ${managementPort(node)}` },
      };
    case 'router':
      return { hops: [], end: { kind: 'arrives', at: `the router ${router ?? node.names.gatewayRouter}` } };
    case 'other-node':
      if (router !== undefined && isOfNoNode(node, router, destination)) {
        return { hops: [], end: { kind: 'dropped', where: router, why: `no node has pods with ${destination}` } };
      }
      return {
        hops: router === undefined ? [] : [assumed(router, 'to the node that has the pod')],
        end: { kind: 'leaves', by: 'the tunnel to the node that has the pod' },
      };
    case undefined:
      return {
        hops: [],
        end: {
          kind: 'dropped',
          where: router ?? node.names.gatewayRouter,
          why: `${destination} is not an address of the network`,
        },
      };
  }
}

/** The policy that routes packets for an address of the node to the host; undefined if there is none. */
function ownAddressPolicy(node: TracedNode, destination: string): NorthboundRow | undefined {
  const word = `ip${String(familyOf(destination))}.dst == ${destination}`;
  return rowsOf(node, 'Logical_Router_Policy', node.names.inside.router ?? '').find(
    (row) => text(row, 'action') === 'reroute' && text(row, 'match').split(' && ').includes(word),
  );
}

/** Whether a translation applies to a destination: to all, or to those of an address set only (ovn-nb(5), allowed_ext_ips). */
function isAllowed({ rows }: TracedNode, translation: NorthboundRow, destination: string): boolean {
  return referencedRows(translation).every((set) =>
    rows
      .filter(({ table, name }) => table === set.table && name === set.name)
      .some((row) => texts(row, 'addresses').some((address) => subnetContains(asCidr(address), destination))),
  );
}

/** How the gateway router translates a source. */
function translationOf(node: TracedNode, { source, destination }: Addresses): SourceTranslation | undefined {
  const rows = rowsOf(node, 'NAT', node.names.gatewayRouter)
    .filter((row) => text(row, 'type') === 'snat' && subnetContains(asCidr(text(row, 'logical_ip')), source))
    .filter((row) => isAllowed(node, row, destination))
    .sort(
      (left, right) =>
        prefixLengthOf(asCidr(text(right, 'logical_ip'))) - prefixLengthOf(asCidr(text(left, 'logical_ip'))),
    );
  return rows[0] && { from: source, to: text(rows[0], 'external_ip') };
}

/**
 * Follows a packet on the gateway router, out of the network.
 *
 * @param isReply whether it is a reply to a packet that came by this router
 */
export function throughGatewayRouter(node: TracedNode, addresses: Addresses, isReply: boolean): FromPods {
  const { gatewayRouter } = node.names;
  const { source, destination } = addresses;
  if (ownAddresses(node, gatewayRouter).includes(destination)) {
    return { hops: [], end: { kind: 'arrives', at: `the router ${gatewayRouter}` } };
  }
  const route = longestPrefix([
    ...staticRoutes(node, gatewayRouter, addresses),
    ...connectedRoutes(node, gatewayRouter, addresses),
  ]);
  if (route === undefined) {
    const why = 'it has no route: the uplink has no default gateway of this address family';
    return { hops: [], end: { kind: 'dropped', where: gatewayRouter, why } };
  }
  // A reply has the address to which the request was sent.
  const translation = isReply ? undefined : translationOf(node, addresses);
  const nextHop = route.nextHops[0] ?? destination;
  const isOnLink = route.nextHops.length === 0;
  const hop: Hop = {
    where: gatewayRouter,
    change: [
      ...(route.nextHops.length > 1 ? [`${route.description} (here ${nextHop})`] : [route.description]),
      translation === undefined ? 'keeps its source' : `source becomes ${translation.to}`,
    ].join('; '),
    why: isOnLink ? "a neighbour on the uplink's link" : 'out by the default gateway of the uplink',
    decidedBy: route.description,
  };
  return { hops: [hop], nextHop, source: translation?.to ?? source, ...(translation && { translation }) };
}

/**
 * Follows a packet that a pod of the node sends.
 *
 * @param isReply whether it is a reply to a packet that came by the gateway router
 */
export function fromPods(node: TracedNode, addresses: Addresses, isReply = false): FromPods {
  const { podSwitch, router } = node.names.inside;
  const { destination } = addresses;
  const place = placeInNetwork(node, destination);
  if (place === 'pod' || place === 'management-port') {
    const { hops, end } = toPods(node, destination);
    return { hops: hops.slice(-1), end };
  }
  if (router === undefined) {
    const rest = throughGatewayRouter(node, addresses, isReply);
    return { ...rest, hops: [assumed(podSwitch, 'to the gateway router'), ...rest.hops] };
  }
  const isLayer2 = node.datapath.router.inside !== 'join-switch';
  const first = assumed(podSwitch, isLayer2 ? 'to the transit router' : 'to the cluster router');
  if (place !== undefined) {
    const { hops, end } = toPods(node, destination);
    return { hops: [first, ...hops], end };
  }
  const policy = ownAddressPolicy(node, destination);
  if (policy !== undefined) {
    const hop: Hop = {
      where: router,
      change: `to ${texts(policy, 'nexthops').join(', ')}, the host`,
      why: "the node's own address is reached without leaving the node",
      decidedBy: `policy ${text(policy, 'match')}`,
    };
    return { hops: [first, hop], end: { kind: 'arrives', at: `the host by ${managementPort(node)}` } };
  }
  const route = longestPrefix(staticRoutes(node, router, addresses));
  if (route === undefined) {
    return { hops: [first], end: { kind: 'dropped', where: router, why: 'it has no route for the packet' } };
  }
  const second: Hop = {
    where: router,
    change: route.description,
    why: 'pods of this node leave by its gateway router',
    decidedBy: route.description,
  };
  const rest = throughGatewayRouter(node, addresses, isReply);
  return { ...rest, hops: [first, second, ...rest.hops] };
}

/** Why a packet for pods goes where it goes. */
const WHY_INSIDE = {
  'join-switch': 'pods are behind the cluster router',
  'transit-router': 'pods are behind the transit router',
  switch: 'pods are on a switch of the gateway router',
} as const;

/** The longest packet that the gateway router accepts from the bridge, in bytes; undefined if not set (ovn-nb(5), gateway_mtu). */
function gatewayMtu({ rows, names }: TracedNode): number | undefined {
  const options = rows.find(({ name }) => name === names.externalRouterPort)?.columns['options'];
  if (typeof options !== 'object' || Array.isArray(options)) return undefined;
  const text = (options as Readonly<Record<string, string>>)['gateway_mtu'];
  return text === undefined ? undefined : Number(text);
}

/**
 * Follows a packet on the gateway router, into the network.
 *
 * @param changed the change of the packet there, for people
 * @param length of the packet, in bytes
 */
export function intoNetwork(
  node: TracedNode,
  address: string,
  changed: readonly string[],
  length: number,
): { readonly hop: Hop; readonly end?: TraceVerdict } {
  const { gatewayRouter } = node.names;
  const addresses = { source: '', destination: address };
  const route = longestPrefix([
    ...staticRoutes(node, gatewayRouter, addresses),
    ...connectedRoutes(node, gatewayRouter, addresses),
  ]);
  const hop: Hop = {
    where: gatewayRouter,
    change: [...changed, route?.description ?? 'to the pods'].join('; '),
    why: WHY_INSIDE[node.datapath.router.inside],
    ...(route && { decidedBy: route.description }),
  };
  const mtu = gatewayMtu(node);
  if (mtu === undefined || length <= mtu) return { hop };
  const why = `${String(length)} bytes exceed the MTU of pods, ${String(mtu)} bytes; the sender gets an ICMP error`;
  return { hop, end: { kind: 'dropped', where: gatewayRouter, why } };
}

/**
 * Follows a packet from the bridge into the network.
 *
 * @param length of the packet, in bytes
 */
export function fromBridge(
  node: TracedNode,
  { destination }: Addresses,
  translations: readonly SourceTranslation[],
  length = 0,
): { readonly hops: readonly Hop[]; readonly end: TraceVerdict } {
  const known = translations.find(({ to }) => to === destination);
  const address = known?.from ?? destination;
  if (placeInNetwork(node, address) === undefined) {
    const why = `${destination} is neither an address of the network nor of one of its connections`;
    return { hops: [], end: { kind: 'dropped', where: node.names.gatewayRouter, why } };
  }
  const changed = known === undefined ? [] : [`destination becomes ${address}`];
  const { hop, end: tooLong } = intoNetwork(node, address, changed, length);
  if (tooLong !== undefined) return { hops: [hop], end: tooLong };
  const { hops, end } = toPods(node, address);
  return { hops: [hop, ...hops], end };
}
