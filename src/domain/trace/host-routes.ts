/**
 * Which rule and route of the kernel decide about a packet of the host, or one that it receives (ip-rule(8), ip-route(8)).
 */
import { subnetContains } from '../ip-address.ts';
import { lookUpIn } from '../node-model/route-lookup.ts';
import type { NextHop, NodeSnapshot, Route, Rule, Table } from '../snapshot/node-snapshot.ts';
import { routeText } from '../entities/route-words.ts';
import { isVrfRule } from '../node-model/vrf.ts';

/** A lookup by the rules. */
export interface HostQuery {
  readonly family: 4 | 6;
  readonly source: string;
  readonly destination: string;
  /** Packet mark; 0 for none. */
  readonly mark: number;
  /** The device that it came in by; absent for packets that the host sends. */
  readonly inputDevice?: string;
  /** The VRF that its socket is bound to, or that the device is in which it came in by. */
  readonly vrf?: { readonly name: string; readonly table: number };
}

/** A rule that leads to a route. */
export interface Routed {
  readonly kind: 'route';
  readonly rule: Rule;
  readonly route: Route;
  readonly hop: NextHop;
}

/** A packet without a route: a rule or a route refuses it, or none matches it. */
export type Unrouted = { readonly kind: 'refused'; readonly rule: Rule } | { readonly kind: 'none' };

/** Selectors of rules that are evaluated, besides the mark (ip-rule(8)). A rule with any other is taken not to match. */
const SUPPORTED: ReadonlySet<string> = new Set([
  ...['action', 'l3mdev', 'src', 'srclen', 'dst', 'dstlen', 'iif', 'oif'],
]);

function unquoted(text: string | undefined): string | undefined {
  return text?.replaceAll('"', '');
}

function isWithin(address: string, family: 4 | 6, base: string | undefined, length: string | undefined): boolean {
  const plain = unquoted(base);
  if (plain === undefined) return true;
  return subnetContains(`${plain}/${length ?? (family === 4 ? '32' : '128')}`, address);
}

const LOOPBACK = 'lo';

function isMatching({ family, mark, markMask = 0xffff_ffff, others }: Rule, query: HostQuery): boolean {
  if (family !== query.family) return false;
  if (mark !== undefined && ((mark ^ query.mark) & markMask) !== 0) return false;
  if (Object.keys(others).some((name) => !SUPPORTED.has(name))) return false;
  const { src, srclen, dst, dstlen, iif, oif } = others;
  if (iif !== undefined && unquoted(iif) !== (query.inputDevice ?? LOOPBACK)) return false;
  if (oif !== undefined && unquoted(oif) !== query.vrf?.name) return false;
  return isWithin(query.source, family, src, srclen) && isWithin(query.destination, family, dst, dstlen);
}

/** Rules of a family with selectors that are not evaluated, for people. */
export function unfollowedRules(node: NodeSnapshot, family: 4 | 6): readonly string[] {
  return node.rules
    .filter((rule) => rule.family === family)
    .flatMap(({ priority, others }) => {
      const names = Object.keys(others).filter((name) => !SUPPORTED.has(name));
      return names.length === 0 ? [] : [`rule ${String(priority)} with ${names.join(', ')}`];
    });
}

/** Looks up the route of a packet (net/core/fib_rules.c, fib_rules_lookup). */
export function hostRoute(node: NodeSnapshot, query: HostQuery): Routed | Unrouted {
  const rules = node.rules.filter((rule) => isMatching(rule, query)).sort((a, b) => a.priority - b.priority);
  for (const rule of rules) {
    const isOfVrfs = isVrfRule(rule);
    if (isOfVrfs && query.vrf === undefined) continue;
    if (Object.hasOwn(rule.others, 'action')) return { kind: 'refused', rule };
    const table = isOfVrfs ? query.vrf?.table : rule.table;
    if (table === undefined) continue;
    const result = lookUpIn(node, table, { family: query.family, address: query.destination });
    if (result.found) return { kind: 'route', rule, route: result.route, hop: result.hop };
    if (result.refused) return { kind: 'refused', rule };
  }
  return { kind: 'none' };
}

/** A rule, for people. */
export function decidingRuleText(rule: Rule, vrf: string | undefined): string {
  const { priority, mark, table } = rule;
  if (isVrfRule(rule)) return `rule ${String(priority)}: VRF ${vrf ?? ''}`;
  const words = [
    ...(mark === undefined ? [] : [`mark 0x${mark.toString(16)}`]),
    ...(table === undefined ? [] : [`table ${TABLE_NAMES.get(table) ?? String(table)}`]),
  ];
  return `rule ${String(priority)}: ${words.join(', ')}`;
}

/** Names of the kernel's own tables (rtnetlink.h). */
const TABLE_NAMES: ReadonlyMap<Table, string> = new Map([
  [255, 'local'],
  [254, 'main'],
  [253, 'default'],
]);

/** A route, for people: without the word `route`, and without the table, which the rule names. */
export function decidingRouteText(route: Route): string {
  return routeText(route)
    .replace(/^route /, '')
    .replace(/ table \S+$/, '');
}
