/**
 * A packet's way through OVN: the rows of the gateway router are those that are planned; node switch, cluster router and tunnels are the network's
 * own half, which is assumed to be as OVN-Kubernetes makes it.
 */
import { addressAt, familyOf, networkOf, prefixLengthOf, subnetContains } from '../ip-address.ts';
import { MANAGEMENT_PORT_PREFIX } from '../conventions.ts';
import { type NorthboundRow, referencedRows } from '../snapshot/northbound-row.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import type { TracedNode } from './traced-node.ts';

/** An address that the gateway router has translated a connection's source to. */
export interface SourceTranslation {
  readonly from: string;
  readonly to: string;
}

/** The addresses of a packet: OVN looks at nothing else of it here. */
export interface Addresses {
  readonly source: string;
  readonly destination: string;
}

/** What becomes of a packet of a pod. */
export type FromPods = { readonly hops: readonly Hop[] } & (
  | { readonly end: TraceVerdict }
  /** It goes to the bridge, from this address, to this next hop. */
  | { readonly nextHop: string; readonly source: string; readonly translation?: SourceTranslation }
);

/** Whose decision a hop of the network's own half is. */
const ASSUMED = 'OVN';

function text(row: NorthboundRow, column: string): string {
  const value = row.columns[column];
  return typeof value === 'string' ? value : '';
}

function texts(row: NorthboundRow, column: string): readonly string[] {
  const value = row.columns[column];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A subnet as CIDR: the Northbound database has single addresses without a length. */
function asCidr(prefix: string): string {
  return prefix.includes('/') ? prefix : `${prefix}/${familyOf(prefix) === 4 ? '32' : '128'}`;
}

const withoutLength = (cidr: string) => cidr.split('/')[0] ?? '';

function rowsOf({ rows }: TracedNode, table: NorthboundRow['table'], router: string): readonly NorthboundRow[] {
  return rows.filter((row) => row.table === table && row.parent?.name === router);
}

/** A way that a router has for a packet. */
interface Way {
  readonly length: number;
  /** Absent where the destination is on the link itself. */
  readonly nextHops: readonly string[];
  readonly words: string;
}

function staticWays(node: TracedNode, router: string, { source, destination }: Addresses): readonly Way[] {
  const matching = rowsOf(node, 'Logical_Router_Static_Route', router).filter((row) =>
    subnetContains(asCidr(text(row, 'ip_prefix')), text(row, 'policy') === 'src-ip' ? source : destination),
  );
  const prefixes = [...new Set(matching.map((row) => `${text(row, 'policy')} ${text(row, 'ip_prefix')}`))];
  return prefixes.map((key) => {
    const same = matching.filter((row) => `${text(row, 'policy')} ${text(row, 'ip_prefix')}` === key);
    const [prefix, nextHops] = [text(same[0] as NorthboundRow, 'ip_prefix'), same.map((row) => text(row, 'nexthop'))];
    const length = prefixLengthOf(asCidr(prefix));
    const name = length === 0 ? 'default' : prefix;
    return {
      length,
      nextHops,
      words: `${key.startsWith('src-ip') ? `from ${name}` : name} via ${nextHops.join(', ')}`,
    };
  });
}

/** The subnets that a router is on. */
function connectedWays(node: TracedNode, router: string, { destination }: Addresses): readonly Way[] {
  return rowsOf(node, 'Logical_Router_Port', router)
    .flatMap((row) => texts(row, 'networks'))
    .filter((cidr) => subnetContains(cidr, destination))
    .map((cidr) => ({ length: prefixLengthOf(cidr), nextHops: [], words: `${networkOf(cidr) ?? cidr} is connected` }));
}

function best(ways: readonly Way[]): Way | undefined {
  return ways.reduce<Way | undefined>(
    (found, way) => (found === undefined || way.length > found.length ? way : found),
    undefined,
  );
}

/** The addresses of a router's own. */
function ownAddresses(node: TracedNode, router: string): readonly string[] {
  return rowsOf(node, 'Logical_Router_Port', router).flatMap((row) => texts(row, 'networks').map(withoutLength));
}

/** What a family of the network's addresses has on the node. */
function familyInput({ datapath: { router } }: TracedNode, address: string) {
  const family = familyOf(address);
  return family === undefined ? undefined : router.families[family];
}

/** Where an address of the network is: a pod of this node, its management port, the router of the pods, or on another node. */
export type PlaceInNetwork = 'pod' | 'management-port' | 'router' | 'other-node';

/** Offset of the address of the cluster router in a subnet of pods (OVN-Kubernetes, util.GetNodeGatewayIfAddr). */
const ROUTER_OFFSET = 1;

/** Where in the network an address is; nothing where it is none of the network's. */
export function placeInNetwork(node: TracedNode, address: string): PlaceInNetwork | undefined {
  const input = familyInput(node, address);
  if (input === undefined) return undefined;
  const subnet = input.nodeSubnets.find((cidr) => subnetContains(cidr, address));
  if (subnet !== undefined) {
    if (address === input.managementAddress) return 'management-port';
    return address === addressAt(subnet, ROUTER_OFFSET) ? 'router' : 'pod';
  }
  return input.clusterSubnets.some((cidr) => subnetContains(cidr, address)) ? 'other-node' : undefined;
}

/** Name of the network's management port. */
export function managementPort({ networkId }: TracedNode): string {
  return `${MANAGEMENT_PORT_PREFIX}${String(networkId)}`;
}

/** What becomes of a packet for an address of the network, once it is at its cluster router. */
function toPods(node: TracedNode, destination: string): { readonly hops: readonly Hop[]; readonly end: TraceVerdict } {
  const { clusterRouter, nodeSwitch } = node.names;
  const hop = (where: string, change: string): Hop => ({ where, change, why: ASSUMED });
  switch (placeInNetwork(node, destination)) {
    case 'pod':
      return {
        hops: [hop(clusterRouter, 'to the pods of this node'), hop(nodeSwitch, `to the pod with ${destination}`)],
        end: { kind: 'arrives', at: `the pod with ${destination}` },
      };
    case 'management-port':
      return {
        hops: [hop(clusterRouter, 'to the pods of this node'), hop(nodeSwitch, `to ${managementPort(node)}`)],
        end: { kind: 'arrives', at: `the host by ${managementPort(node)}` },
      };
    case 'router':
      return { hops: [], end: { kind: 'arrives', at: `the router ${clusterRouter}` } };
    case 'other-node':
      return {
        hops: [hop(clusterRouter, 'to the node that has the pod')],
        end: { kind: 'leaves', by: 'the tunnel to the node that has the pod' },
      };
    case undefined:
      return {
        hops: [],
        end: { kind: 'dropped', where: clusterRouter, why: `${destination} is no address of the network` },
      };
  }
}

/** The policy that leads a packet for an address of the node to the host; nothing where there is none. */
function ownAddressPolicy(node: TracedNode, destination: string): NorthboundRow | undefined {
  const word = `ip${String(familyOf(destination))}.dst == ${destination}`;
  return rowsOf(node, 'Logical_Router_Policy', node.names.clusterRouter).find(
    (row) => text(row, 'action') === 'reroute' && text(row, 'match').split(' && ').includes(word),
  );
}

/** Whether a translation is made for a destination: for all of them, or for those of an address set alone (ovn-nb(5), allowed_ext_ips). */
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

function throughGatewayRouter(node: TracedNode, addresses: Addresses, isReply: boolean): FromPods {
  const { gatewayRouter } = node.names;
  const { source, destination } = addresses;
  if (ownAddresses(node, gatewayRouter).includes(destination)) {
    return { hops: [], end: { kind: 'arrives', at: `the router ${gatewayRouter}` } };
  }
  const way = best([...staticWays(node, gatewayRouter, addresses), ...connectedWays(node, gatewayRouter, addresses)]);
  if (way === undefined) {
    const why = 'it has no route: the uplink has no default gateway of this address family';
    return { hops: [], end: { kind: 'dropped', where: gatewayRouter, why } };
  }
  // Who has asked a pod by its own address is answered from there.
  const translation = isReply ? undefined : translationOf(node, addresses);
  const nextHop = way.nextHops[0] ?? destination;
  const isOnLink = way.nextHops.length === 0;
  const hop: Hop = {
    where: gatewayRouter,
    change: [
      ...(way.nextHops.length > 1 ? [`${way.words} (here ${nextHop})`] : [way.words]),
      translation === undefined ? 'keeps its source' : `source becomes ${translation.to}`,
    ].join('; '),
    why: isOnLink ? "a neighbour on the uplink's link" : 'out by the default gateway of the uplink',
    decidedBy: way.words,
  };
  return { hops: [hop], nextHop, source: translation?.to ?? source, ...(translation && { translation }) };
}

/**
 * Follows what a pod of the node sends.
 *
 * @param isReply whether it is a reply to what came by the gateway router
 */
export function fromPods(node: TracedNode, addresses: Addresses, isReply = false): FromPods {
  const { nodeSwitch, clusterRouter } = node.names;
  const { destination } = addresses;
  const place = placeInNetwork(node, destination);
  if (place === 'pod' || place === 'management-port') {
    const [, hop] = toPods(node, destination).hops;
    return { hops: hop === undefined ? [] : [hop], end: toPods(node, destination).end };
  }
  const first: Hop = { where: nodeSwitch, change: 'to the cluster router', why: ASSUMED };
  if (place !== undefined) {
    const { hops, end } = toPods(node, destination);
    return { hops: [first, ...hops], end };
  }
  const policy = ownAddressPolicy(node, destination);
  if (policy !== undefined) {
    const hop: Hop = {
      where: clusterRouter,
      change: `to ${texts(policy, 'nexthops').join(', ')}, the host`,
      why: "the node's own address is reached without leaving the node",
      decidedBy: `policy ${text(policy, 'match')}`,
    };
    return { hops: [first, hop], end: { kind: 'arrives', at: `the host by ${managementPort(node)}` } };
  }
  const way = best(staticWays(node, clusterRouter, addresses));
  if (way === undefined) {
    return { hops: [first], end: { kind: 'dropped', where: clusterRouter, why: 'it has no route for the packet' } };
  }
  const second: Hop = {
    where: clusterRouter,
    change: way.words,
    why: 'pods of this node leave by its gateway router',
    decidedBy: way.words,
  };
  const rest = throughGatewayRouter(node, addresses, isReply);
  return { ...rest, hops: [first, second, ...rest.hops] };
}

/** Longest packet that the gateway router takes from the bridge, in bytes; absent where that is not set (ovn-nb(5), gateway_mtu). */
function gatewayMtu({ rows, names }: TracedNode): number | undefined {
  const options = rows.find(({ name }) => name === names.externalRouterPort)?.columns['options'];
  if (typeof options !== 'object' || Array.isArray(options)) return undefined;
  const text = (options as Readonly<Record<string, string>>)['gateway_mtu'];
  return text === undefined ? undefined : Number(text);
}

/**
 * Follows what the bridge gives to the network.
 *
 * @param length of the packet, in bytes
 */
export function fromBridge(
  node: TracedNode,
  { destination }: Addresses,
  translations: readonly SourceTranslation[],
  length = 0,
): { readonly hops: readonly Hop[]; readonly end: TraceVerdict } {
  const { gatewayRouter } = node.names;
  const known = translations.find(({ to }) => to === destination);
  const address = known?.from ?? destination;
  if (placeInNetwork(node, address) === undefined) {
    const why = `${destination} is no address of the network, nor of a connection of it`;
    return { hops: [], end: { kind: 'dropped', where: gatewayRouter, why } };
  }
  const way = best(staticWays(node, gatewayRouter, { source: '', destination: address }));
  const hop: Hop = {
    where: gatewayRouter,
    change: [
      ...(known === undefined ? [] : [`destination becomes ${address}`]),
      way?.words ?? 'to the cluster router',
    ].join('; '),
    why: 'pods are behind the cluster router',
    ...(way && { decidedBy: way.words }),
  };
  const mtu = gatewayMtu(node);
  if (mtu !== undefined && length > mtu) {
    const why = `${String(length)} bytes are more than the MTU of pods, ${String(mtu)} bytes, which the sender is told`;
    return { hops: [hop], end: { kind: 'dropped', where: gatewayRouter, why } };
  }
  const { hops, end } = toPods(node, address);
  return { hops: [hop, ...hops], end };
}
