/**
 * Finds the route of an address as the kernel does when it checks a new next hop: in one table, or in the tables that the rules lead to.
 */
import { prefixLengthOf, subnetContains } from '../ip-address.ts';
import type { NextHop, NodeSnapshot, Route, Rule, Table } from '../snapshot/node-snapshot.ts';
import { isVrf, linkOf, vrfTableOf } from './device.ts';
import { isRefusing } from './route-types.ts';
import { scopeNumber } from './scopes.ts';

/** What is looked for. */
export interface Question {
  readonly family: 4 | 6;
  readonly address: string;
  /** The device that the route must lead out of; absent: any. */
  readonly device?: string | undefined;
  /** Least scope that an IPv4 route must have, as a number; absent: any. */
  readonly scope?: number;
}

/** The route that is used, with the next hop that fits; or that there is none, or one that refuses. */
export type Answer =
  | { readonly found: true; readonly route: Route; readonly hop: NextHop }
  | { readonly found: false; readonly refused: boolean };

const nothing: Answer = { found: false, refused: false };
const refusal: Answer = { found: false, refused: true };

/** Looks an address up in one table: the longest prefix that has a way out that fits (net/ipv4/fib_trie.c, fib_table_lookup; net/ipv6/route.c, fib6_table_lookup). */
export function lookUpIn(node: NodeSnapshot, table: Table, question: Question): Answer {
  const answers = node.routes
    .filter((route) => isEligible(route, table, question))
    .map((route) => ({ route, length: prefixLengthOf(route.destination), answer: answerOf(node, route, question) }))
    .filter(({ answer }) => answer !== undefined)
    .sort((left, right) => right.length - left.length || left.route.metric - right.route.metric);
  return answers[0]?.answer ?? nothing;
}

/** The comparison of addresses comes last, as it is the dearest. */
function isEligible(route: Route, table: Table, { family, address, device, scope = 0 }: Question): boolean {
  if (route.family !== family || route.table !== table || scopeNumber(route.scope) < scope) return false;
  if (route.typeOfService !== undefined || route.expiresSeconds === 0) return false;
  const leadsThere = device === undefined || route.nextHops.some((hop) => hop.device === device);
  return (leadsThere || (family === 4 && isRefusing(route))) && subnetContains(route.destination, address);
}

function answerOf(node: NodeSnapshot, route: Route, { device }: Question): Answer | undefined {
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
 * Looks an address up by the rules, as for a packet of the node's own without a source or a mark (net/core/fib_rules.c, fib_rules_lookup). The
 * rule of the VRFs leads to the table of the device's VRF; out of a VRF device itself means out of any device of it.
 */
export function lookUpByRules(node: NodeSnapshot, question: Question): Answer {
  const link = question.device === undefined ? undefined : linkOf(node, question.device);
  const vrfTable = link === undefined ? undefined : vrfTableOf(node, link);
  const asked = link !== undefined && isVrf(link) ? { ...question, device: undefined } : question;
  const rules = node.rules
    .filter((rule) => isFor(rule, question))
    .sort((left, right) => left.priority - right.priority);
  for (const { table, others } of rules) {
    // The rule of the VRFs is none for a device that is in no VRF, whatever it says (net/l3mdev/l3mdev.c, l3mdev_fib_rule_match).
    if (Object.hasOwn(others, 'l3mdev') && vrfTable === undefined) continue;
    if (Object.hasOwn(others, 'action')) return refusal;
    const tableToSearch = Object.hasOwn(others, 'l3mdev') ? vrfTable : table;
    const answer = tableToSearch === undefined ? nothing : lookUpIn(node, tableToSearch, asked);
    if (answer.found || answer.refused) return answer;
  }
  return nothing;
}

/** What a rule may say besides and be for the look-up: it has no source, no ports, and comes in by no device. */
const ANSWERABLE: readonly string[] = ['action', 'dst', 'dstlen', 'l3mdev', 'oif'];

function isFor({ family, mark = 0, markMask, others }: Rule, question: Question): boolean {
  if (family !== question.family || (mark & (markMask ?? 0xffff_ffff)) !== 0) return false;
  if (Object.keys(others).some((name) => !ANSWERABLE.includes(name))) return false;
  const { dst, dstlen, oif } = others;
  if (oif !== undefined && oif !== JSON.stringify(question.device)) return false;
  if (dst === undefined) return true;
  const address = dst.replaceAll('"', '');
  return subnetContains(`${address}/${dstlen ?? (family === 4 ? '32' : '128')}`, question.address);
}
