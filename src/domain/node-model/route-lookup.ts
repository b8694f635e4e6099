/**
 * Finds the route of an address in one table, as the kernel does.
 */
import { prefixLengthOf, subnetContains } from '../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Route, Table } from '../snapshot/node-snapshot.ts';
import { linkOf } from './device.ts';
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
  /** Whether it is the lookup of a packet, and not of a new next hop. */
  readonly ofPacket?: true;
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

/** A route of type `throw` ends the lookup in its table; an IPv6 next hop is refused by it (net/ipv6/fib6_rules.c, fib6_rule_action). */
function resultOf(node: NodeSnapshot, route: Route, { device, ofPacket }: RouteQuery): LookupResult | undefined {
  if (route.type === 'throw' && (route.family === 4 || ofPacket === true)) return nothing;
  if (isRefusing(route)) return refusal;
  if (route.nextHopObject !== undefined && route.nextHops.length === 0) return refusal;
  const hop = route.nextHops.find(
    (candidate) =>
      (device === undefined || candidate.device === device) && linkOf(node, candidate.device ?? '')?.up === true,
  );
  return hop === undefined ? undefined : { found: true, route, hop };
}
