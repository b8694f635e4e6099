/**
 * Looks up by the rules, as the kernel does (net/core/fib_rules.c, fib_rules_lookup; ip-rule(8)).
 */
import { prefixLengthOf } from '../../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Route, Rule } from '../../snapshot/node-snapshot.ts';
import { isVrf, linkOf, LOOPBACK, vrfOf } from '../device.ts';
import { type LookupResult, lookUpIn, type RouteQuery } from '../route-lookup.ts';
import { matchesRule, type RuledPacket } from './rule-match.ts';

/** The result of a lookup. */
export interface RuledLookup {
  readonly result: LookupResult;
  /** The rule that led to it; absent if none did. */
  readonly rule?: Rule;
  /** Rules before it of which it is not known whether they match: they are taken not to. */
  readonly undecided: readonly Rule[];
}

/** The group that devices are in unless another one is set (ip-link(8), group). */
const DEFAULT_GROUP = 'default';

/** The device of a route that rules look at: in IPv4 that of the first next hop (net/ipv4/fib_rules.c, fib4_rule_suppress; fib6_rule_suppress). */
function deviceOf({ family, nextHops }: Route, hop: NextHop): string | undefined {
  return family === 4 ? nextHops[0]?.device : hop.device;
}

/** Whether a rule does not accept a route, so that the next rule is tried: its prefix is too short, or its device of a group. */
function isSuppressed(
  node: NodeSnapshot,
  { others }: Rule,
  { route, hop }: Pick<LookupResult & { found: true }, 'route' | 'hop'>,
): boolean {
  const { suppress_prefixlen: length, suppress_ifgroup: group } = others;
  if (length !== undefined && prefixLengthOf(route.destination) <= Number(length)) return true;
  const link = linkOf(node, deviceOf(route, hop) ?? '');
  return group !== undefined && link !== undefined && JSON.stringify(link.group ?? DEFAULT_GROUP) === group;
}

/** The result of a rule that matches: nothing if the next one is tried. */
function resultOf(node: NodeSnapshot, rule: Rule, { vrf }: RuledPacket, query: RouteQuery): LookupResult | undefined {
  const { others, table } = rule;
  if (Object.hasOwn(others, 'action')) return { found: false, refused: true };
  const searched = Object.hasOwn(others, 'l3mdev') ? vrf?.table : table;
  if (searched === undefined) return undefined;
  const result = lookUpIn(node, searched, query);
  if (!result.found) return result.refused ? result : undefined;
  return isSuppressed(node, rule, result) ? undefined : result;
}

/**
 * The route of a packet.
 *
 * @param query what the route has to be like
 */
export function lookUpPacket(node: NodeSnapshot, packet: RuledPacket, query: RouteQuery): RuledLookup {
  const rules = node.rules
    .filter(({ family }) => family === packet.family)
    .sort((left, right) => left.priority - right.priority);
  const undecided: Rule[] = [];
  let first = 0;
  for (const rule of rules) {
    if (rule.priority < first) continue;
    const matches = matchesRule(rule, packet);
    if (matches === undefined) undecided.push(rule);
    if (matches !== true) continue;
    const { goto } = rule.others;
    // Targets come later; without its target, a rule does nothing.
    if (rules.some(({ priority }) => priority === Number(goto))) first = Number(goto);
    const result = goto === undefined ? resultOf(node, rule, packet, query) : undefined;
    if (result !== undefined) return { result, rule, undecided };
  }
  return { result: { found: false, refused: false }, undecided };
}

/**
 * Looks an address up by the rules, as for a new next hop: without a source, a mark or a transport protocol (net/ipv4/fib_semantics.c,
 * fib_check_nh_v4_gw; net/ipv6/route.c, ip6_route_check_nh). A VRF device stands for any of its members.
 */
export function lookUpByRules(node: NodeSnapshot, query: RouteQuery): LookupResult {
  const { family, address: destination, device: outputDevice } = query;
  const link = outputDevice === undefined ? undefined : linkOf(node, outputDevice);
  const vrf = link && vrfOf(node, link);
  const packet: RuledPacket = {
    ...{ family, destination, outputDevice, mark: 0, userId: 0 },
    ...(family === 4 && { inputDevice: LOOPBACK }),
    ...(vrf?.vrfTable !== undefined && { vrf: { name: vrf.name, table: vrf.vrfTable } }),
  };
  const asked = link !== undefined && isVrf(link) ? { ...query, device: undefined } : query;
  return lookUpPacket(node, packet, asked).result;
}
