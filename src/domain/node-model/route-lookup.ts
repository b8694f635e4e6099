/**
 * Finds the route of an address as the kernel does when it checks a new next hop: in one table, or in the tables that the rules lead to.
 */
import { prefixLengthOf, subnetContains } from '../ip-address.ts';
import type { NextHop, NodeSnapshot, Route, Rule, Table } from '../snapshot/node-snapshot.ts';
import { isVrf, linkOf, vrfTableOf } from './device.ts';
import { isRefusing } from './route-types.ts';
import { scopeNumber } from './scopes.ts';

/** A lookup. */
export interface RouteQuery {
  readonly family: 4 | 6;
  readonly address: string;
  /** The device that the route must lead out of; absent: any. */
  readonly device?: string | undefined;
  /** Least scope that an IPv4 route must have, as a number; absent: any. */
  readonly scope?: number;
}

/** The route that is used, with the next hop that matches; or that there is none, or one that refuses packets. */
export type LookupResult =
  | { readonly found: true; readonly route: Route; readonly hop: NextHop }
  | { readonly found: false; readonly refused: boolean };

const nothing: LookupResult = { found: false, refused: false };
const refusal: LookupResult = { found: false, refused: true };

/** Looks an address up in one table: the longest prefix with a next hop that matches (net/ipv4/fib_trie.c, fib_table_lookup; net/ipv6/route.c, fib6_table_lookup). */
export function lookUpIn(node: NodeSnapshot, table: Table, query: RouteQuery): LookupResult {
  const answers = node.routes
    .filter((route) => isEligible(route, table, query))
    .map((route) => ({ route, length: prefixLengthOf(route.destination), result: resultOf(node, route, query) }))
    .filter(({ result }) => result !== undefined)
    .sort((left, right) => right.length - left.length || left.route.metric - right.route.metric);
  return answers[0]?.result ?? nothing;
}

/** The comparison of addresses comes last, as it is the most expensive. */
function isEligible(route: Route, table: Table, { family, address, device, scope = 0 }: RouteQuery): boolean {
  if (route.family !== family || route.table !== table || scopeNumber(route.scope) < scope) return false;
  if (route.typeOfService !== undefined || route.expiresSeconds === 0) return false;
  const hasNextHopsOf = device === undefined || route.nextHops.some((hop) => hop.device === device);
  return (hasNextHopsOf || (family === 4 && isRefusing(route))) && subnetContains(route.destination, address);
}

function resultOf(node: NodeSnapshot, route: Route, { device }: RouteQuery): LookupResult | undefined {
  if (route.type === 'throw' && route.family === 4) return nothing;
  if (isRefusing(route)) return refusal;
  if (route.nextHopObject !== undefined && route.nextHops.length === 0) return refusal;
  const hop = route.nextHops.find(
    (candidate) =>
      (device === undefined || candidate.device === device) && linkOf(node, candidate.device ?? '')?.up === true,
  );
  return hop === undefined ? undefined : { found: true, route, hop };
}

/**
 * Looks an address up by the rules, as for a local packet without a source or a mark (net/core/fib_rules.c, fib_rules_lookup). The
 * l3mdev rule selects the table of the device's VRF; a VRF device stands for any of its members.
 */
export function lookUpByRules(node: NodeSnapshot, query: RouteQuery): LookupResult {
  const link = query.device === undefined ? undefined : linkOf(node, query.device);
  const vrfTable = link === undefined ? undefined : vrfTableOf(node, link);
  const asked = link !== undefined && isVrf(link) ? { ...query, device: undefined } : query;
  const rules = node.rules.filter((rule) => isFor(rule, query)).sort((left, right) => left.priority - right.priority);
  for (const { table, others } of rules) {
    // The l3mdev rule never matches a device outside of VRFs (net/l3mdev/l3mdev.c, l3mdev_fib_rule_match).
    if (Object.hasOwn(others, 'l3mdev') && vrfTable === undefined) continue;
    if (Object.hasOwn(others, 'action')) return refusal;
    const tableToSearch = Object.hasOwn(others, 'l3mdev') ? vrfTable : table;
    const result = tableToSearch === undefined ? nothing : lookUpIn(node, tableToSearch, asked);
    if (result.found || result.refused) return result;
  }
  return nothing;
}

/** Further attributes that a rule may have to match the lookup, which has no source, ports or incoming device. */
const ANSWERABLE: readonly string[] = ['action', 'dst', 'dstlen', 'l3mdev', 'oif'];

function isFor({ family, mark = 0, markMask, others }: Rule, query: RouteQuery): boolean {
  if (family !== query.family || (mark & (markMask ?? 0xffff_ffff)) !== 0) return false;
  if (Object.keys(others).some((name) => !ANSWERABLE.includes(name))) return false;
  const { dst, dstlen, oif } = others;
  if (oif !== undefined && oif !== JSON.stringify(query.device)) return false;
  if (dst === undefined) return true;
  const address = dst.replaceAll('"', '');
  return subnetContains(`${address}/${dstlen ?? (family === 4 ? '32' : '128')}`, query.address);
}
