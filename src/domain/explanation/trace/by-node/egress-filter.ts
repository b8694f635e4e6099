/** Decisions of the filter about a packet of a network, by its sets (../../../datapath/nftables/egress-filter.ts). */
import { type AddressFamily, subnetContains } from '../../../basics/addresses/ip-address.ts';
import { egressFilter } from '../../../datapath/nftables/egress-filter.ts';
import { LOCAL_TABLE } from '../../../node-model/device.ts';
import { lookUpIn } from '../../../node-model/route-lookup.ts';
import type { FilterTable } from '../../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../../snapshot/node-snapshot.ts';
import type { TraceVerdict } from '../hop.ts';
import { asCidr } from '../router-rows.ts';

/** The filter, for people. */
export const FILTER_NAME = `nftables, ${egressFilter.table.family} ${egressFilter.table.name}`;

/** A packet that the host has from a network. */
export interface FilteredPacket {
  readonly family: AddressFamily;
  readonly source: string;
  readonly destination: string;
  /** The management port. */
  readonly device: string;
}

/** The filter of a node; undefined where it has none. */
export function filterOf({ filterTables }: Pick<NodeSnapshot, 'filterTables'>): FilterTable | undefined {
  return filterTables.find(({ name }) => name === egressFilter.table.name);
}

/** The elements of a set. */
const elements = ({ sets }: FilterTable, name: string): readonly string[] => sets[name] ?? [];

/** The element of a set of subnets that an address is in. */
function subnetIn(filter: FilterTable, name: string, address: string): string | undefined {
  return elements(filter, name).find((subnet) => subnetContains(asCidr(subnet), address));
}

const drop = (chain: string, rule: string, why: string): TraceVerdict => ({
  kind: 'dropped',
  where: `${FILTER_NAME}, ${chain}`,
  why: `${rule}: ${why}`,
});

/**
 * The end of a packet that arrives from a network at the filter; undefined where it goes on.
 *
 * @param kindOf of a denied destination, for people
 */
export function arriving(
  filter: FilterTable,
  { family, source, destination, device }: FilteredPacket,
  node: NodeSnapshot,
  kindOf: (destination: string) => string | undefined,
): TraceVerdict | undefined {
  const isOfNetwork = elements(filter, `sources${family}`).includes(source);
  if (isOfNetwork && !elements(filter, `owners${family}`).includes(`${device} . ${source}`)) {
    return drop('prerouting', 'source of another network', `owners${family} does not have ${device} . ${source}`);
  }
  if (!isOfNetwork || !elements(filter, 'ports').includes(device)) return undefined;
  const denied = subnetIn(filter, `denied${family}`, destination);
  if (denied !== undefined && subnetIn(filter, `allowed${family}`, destination) === undefined) {
    const kind = kindOf(destination);
    return drop('prerouting', 'denied destination', `${denied}${kind === undefined ? '' : ` (${kind})`}`);
  }
  const local = lookUpIn(node, LOCAL_TABLE, { family, address: destination, ofPacket: true });
  if (!local.found) return undefined;
  return drop('prerouting', 'destination on the node', `${destination} is ${local.route.type} there`);
}

/** Whether packets from a source leave by a device. */
export function isWayOf(filter: FilterTable, { family, source }: FilteredPacket, out: string): boolean {
  return elements(filter, `sources${family}`).includes(source) && elements(filter, `ways${family}`).includes(out);
}

/** The end of a packet that is forwarded from a network; undefined where it goes on. @param out the device that it is to leave by */
export function forwarded(filter: FilterTable, packet: FilteredPacket, out: string): TraceVerdict | undefined {
  const { family, source, device } = packet;
  if (!elements(filter, 'ports').includes(device) || isWayOf(filter, packet, out)) return undefined;
  const ways = elements(filter, `ways${family}`).join(', ') || 'none';
  const why = elements(filter, `sources${family}`).includes(source)
    ? `${out} is not among the devices that networks leave by (ways${family}: ${ways}); --egress-devices names others`
    : `sources${family} does not have ${source}`;
  return drop('forward', 'leaves otherwise', why);
}
