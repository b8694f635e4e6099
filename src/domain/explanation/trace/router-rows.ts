/** Decisions of the rows of a router in OVN about a packet: which routes match it, and which addresses are its own. */
import { familyOf, networkOf, prefixLengthOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import { isPartOf, type NorthboundRow } from '../../datapath/northbound/row.ts';
import type { TracedNode } from './traced-node.ts';

/** The addresses of a packet, which are all that OVN matches here. */
export interface Addresses {
  readonly source: string;
  readonly destination: string;
}

/** A column of one text; empty where it is absent. */
export function text(row: NorthboundRow, column: string): string {
  const value = row.columns[column];
  return typeof value === 'string' ? value : '';
}

/** A column of a set of texts. */
export function texts(row: NorthboundRow, column: string): readonly string[] {
  const value = row.columns[column];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A subnet as CIDR: in the Northbound database single addresses have no length. */
export function asCidr(prefix: string): string {
  return prefix.includes('/') ? prefix : `${prefix}/${familyOf(prefix) === 4 ? '32' : '128'}`;
}

const withoutLength = (cidr: string) => cidr.split('/')[0] ?? '';

/** Planned rows. */
type RouterRows = Pick<TracedNode, 'rows'>;

/** The planned rows of a table that are part of a router. */
export function rowsOf({ rows }: RouterRows, table: NorthboundRow['table'], router: string): readonly NorthboundRow[] {
  return rows.filter((row) => row.table === table && isPartOf(row, router));
}

/** A route of a router that matches a packet. */
interface RouterRoute {
  readonly prefixLength: number;
  /** Whether it is chosen by the source of packets. */
  readonly isBySource: boolean;
  /** Empty where the destination is on the link itself. */
  readonly nextHops: readonly string[];
  /** For people. */
  readonly description: string;
}

/** The static routes of a router that match a packet; those of one prefix are one route with several next hops. */
export function staticRoutes(
  node: RouterRows,
  router: string,
  { source, destination }: Addresses,
): readonly RouterRoute[] {
  const matching = rowsOf(node, 'Logical_Router_Static_Route', router).filter((row) =>
    subnetContains(asCidr(text(row, 'ip_prefix')), text(row, 'policy') === 'src-ip' ? source : destination),
  );
  const prefixes = [...new Set(matching.map((row) => `${text(row, 'policy')} ${text(row, 'ip_prefix')}`))];
  return prefixes.map((key) => {
    const same = matching.filter((row) => `${text(row, 'policy')} ${text(row, 'ip_prefix')}` === key);
    const [prefix, nextHops] = [text(same[0] as NorthboundRow, 'ip_prefix'), same.map((row) => text(row, 'nexthop'))];
    const prefixLength = prefixLengthOf(asCidr(prefix));
    const name = prefixLength === 0 ? 'default' : prefix;
    const isBySource = key.startsWith('src-ip');
    return {
      prefixLength,
      isBySource,
      nextHops,
      description: `${isBySource ? `from ${name}` : name} via ${nextHops.join(', ')}`,
    };
  });
}

/** Routes of a router to the subnets of its ports. */
export function connectedRoutes(node: RouterRows, router: string, { destination }: Addresses): readonly RouterRoute[] {
  return rowsOf(node, 'Logical_Router_Port', router)
    .flatMap((row) => texts(row, 'networks'))
    .filter((cidr) => subnetContains(cidr, destination))
    .map((cidr) => ({
      prefixLength: prefixLengthOf(cidr),
      isBySource: false,
      nextHops: [],
      description: `${networkOf(cidr) ?? cidr} is connected`,
    }));
}

/** Whether a route is used rather than another: of equal prefixes, that by the destination (ovn-nb(5), Logical_Router_Static_Route, policy). */
function isPreferred(route: RouterRoute, other: RouterRoute): boolean {
  if (route.prefixLength !== other.prefixLength) return route.prefixLength > other.prefixLength;
  return other.isBySource && !route.isBySource;
}

/** The route that is used: that with the longest prefix. */
export function longestPrefix(routes: readonly RouterRoute[]): RouterRoute | undefined {
  return routes.reduce<RouterRoute | undefined>(
    (found, route) => (found === undefined || isPreferred(route, found) ? route : found),
    undefined,
  );
}

/** The addresses of a router. */
export function ownAddresses(node: RouterRows, router: string): readonly string[] {
  return rowsOf(node, 'Logical_Router_Port', router).flatMap((row) => texts(row, 'networks').map(withoutLength));
}
