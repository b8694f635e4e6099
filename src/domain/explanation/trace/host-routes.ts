/**
 * Which rule and route of the kernel decide about a packet of the host, or one that it receives (ip-rule(8), ip-route(8)).
 */
import type { LookupResult } from '../../node-model/route-lookup.ts';
import { lookUpPacket } from '../../node-model/rules/rule-lookup.ts';
import { isInverted, type RuledPacket, undecidedSelectors } from '../../node-model/rules/rule-match.ts';
import type { NextHop, NodeSnapshot, Route, Rule } from '../../snapshot/node-snapshot.ts';
import { routeText } from '../../entities/kernel/route-command.ts';
import { markWord, selectorWords, tableWord } from '../../entities/kernel/rule-command.ts';
import { isVrfRule } from '../../node-model/vrf.ts';

/** A rule that leads to a route. */
export interface Routed {
  readonly kind: 'route';
  readonly rule: Rule;
  readonly route: Route;
  readonly hop: NextHop;
}

/** A packet without a route: a rule or a route refuses it, or none matches it. */
export type Unrouted = { readonly kind: 'refused'; readonly rule: Rule } | { readonly kind: 'none' };

/** The decision about a packet. */
export interface HostRoute {
  readonly route: Routed | Unrouted;
  /** Rules that would come first, if they matched the packet, which is not known; for people. */
  readonly undecided: readonly string[];
}

function decidedRoute(rule: Rule | undefined, result: LookupResult): Routed | Unrouted {
  if (rule === undefined) return { kind: 'none' };
  return result.found ? { kind: 'route', rule, route: result.route, hop: result.hop } : { kind: 'refused', rule };
}

/** Looks up the route of a packet. */
export function hostRoute(node: NodeSnapshot, packet: RuledPacket): HostRoute {
  const { family, destination: address } = packet;
  const { rule, result, undecided } = lookUpPacket(node, packet, { family, address, ofPacket: true });
  return {
    route: decidedRoute(rule, result),
    undecided: undecided.map(
      (each) => `rule ${String(each.priority)} with ${undecidedSelectors(each, packet).join(', ')}`,
    ),
  };
}

/** A rule, for people. */
export function decidingRuleText(rule: Rule, vrf: string | undefined): string {
  const { priority, mark, table } = rule;
  if (isVrfRule(rule)) return `rule ${String(priority)}: VRF ${vrf ?? ''}`;
  const marked = mark === undefined ? [] : [`mark ${markWord(rule)}`];
  const words = [
    ...(isInverted(rule) ? [['not', ...marked, selectorWords(rule)].join(' ').trimEnd()] : marked),
    ...(table === undefined ? [] : [`table ${tableWord(table)}`]),
  ];
  return `rule ${String(priority)}: ${words.join(', ')}`;
}

/** A route, for people: without the word `route`, and without the table, which the rule names. */
export function decidingRouteText(route: Route): string {
  return routeText(route)
    .replace(/^route /, '')
    .replace(/ table \S+$/, '');
}
