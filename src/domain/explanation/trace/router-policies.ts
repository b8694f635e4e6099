/** Decisions of the policies of a router in OVN about a packet (ovn-nb(5), Logical_Router_Policy). */
import { familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { TracedNode } from './traced-node.ts';
import { asCidr, rowsOf, text, texts } from './router-rows.ts';

/** A packet in a router, after its route has been found. */
interface RoutedPacket {
  readonly destination: string;
  /** Names of the ports of the router. */
  readonly inport: string;
  readonly outport: string;
}

/** The policy that decides, if there is one, and those before it of which it is not known whether they match. */
interface PolicyDecision {
  readonly policy: NorthboundRow | undefined;
  readonly undecided: readonly NorthboundRow[];
}

/** A condition on a port or the destination. */
const CONDITION = /^(inport|outport|ip[46]\.dst) (==|!=) "?([^"]+)"?$/;

/** Whether a condition holds; undefined for one of another form. */
function holds(condition: string, { destination, ...ports }: RoutedPacket): boolean | undefined {
  const [, field, operator, value = ''] = CONDITION.exec(condition) ?? [];
  if (field === undefined) return undefined;
  // Fields of one family are of its packets only (ovn-sb(5), Logical_Flow, match).
  if (field.startsWith('ip') && field[2] !== String(familyOf(destination))) return false;
  const isEqual =
    field === 'inport' || field === 'outport' ? ports[field] === value : subnetContains(asCidr(value), destination);
  return isEqual === (operator === '==');
}

/** Whether all conditions of a policy hold; undefined if that is not known. */
function matches(policy: NorthboundRow, packet: RoutedPacket): boolean | undefined {
  const held = text(policy, 'match')
    .split(' && ')
    .map((condition) => holds(condition, packet));
  if (held.includes(false)) return false;
  return held.includes(undefined) ? undefined : true;
}

const priorityOf = ({ columns: { priority } }: NorthboundRow) => Number(priority);

/** The policy of a router that decides about a packet: the first one that matches. */
export function policyFor(node: Pick<TracedNode, 'rows'>, router: string, packet: RoutedPacket): PolicyDecision {
  const policies = rowsOf(node, 'Logical_Router_Policy', router).toSorted(
    (left, right) => priorityOf(right) - priorityOf(left),
  );
  const at = policies.findIndex((policy) => matches(policy, packet) === true);
  const before = at === -1 ? policies : policies.slice(0, at);
  return { policy: policies[at], undecided: before.filter((policy) => matches(policy, packet) === undefined) };
}

/** Whether packets end at a policy. */
export function isDropping(policy: NorthboundRow): boolean {
  return text(policy, 'action') === 'drop';
}

/** A policy, for people. */
export function policyText(policy: NorthboundRow): string {
  return `policy ${String(priorityOf(policy))}, ${text(policy, 'match')},`;
}

/** The port of a router to a neighbour; empty where it has none. */
export function routerPortTo(node: Pick<TracedNode, 'rows'>, router: string, neighbour: string): string {
  const ports = rowsOf(node, 'Logical_Router_Port', router);
  return ports.find((row) => texts(row, 'networks').some((cidr) => subnetContains(cidr, neighbour)))?.name ?? '';
}
