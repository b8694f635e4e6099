/** Flows as ovs-ofctl(8) prints them with `-O OpenFlow14 --no-names --no-stats`, so that programmed flows and flows that are read are the same text. */
import { fieldNames, fieldOf } from './fields.ts';
import type { Action, LearnedPart, Match, Nat, Subfield } from './flow.ts';

/** Fields that are printed before the protocol. */
const BEFORE_PROTOCOL = new Set<string>(['pkt_mark', 'ct_state', 'ct_zone', 'ct_mark']);

/** A match, without the priority that ovs-ofctl prints before it; empty if it matches every packet. */
export function matchText(match: Match): string {
  const early: string[] = [];
  const late: string[] = [];
  for (const name of fieldNames) {
    // ovs-ofctl prints the VLAN id in the place of `vlan_tci`.
    if (name === 'vlan_tci' && match.dl_vlan !== undefined) late.push(`dl_vlan=${match.dl_vlan}`);
    const value = match[name];
    if (value === undefined) continue;
    (BEFORE_PROTOCOL.has(name) ? early : late).push(`${name}=${value}`);
  }
  return [...early, ...(match.protocol === undefined ? [] : [match.protocol]), ...late].join(',');
}

function subfieldText({ field, bits }: Subfield): string {
  return `${fieldOf(field).nxm ?? field}[${bits?.map(String).join('..') ?? ''}]`;
}

function natText(nat: Nat): string {
  if (nat === 'as-committed') return 'nat';
  return 'source' in nat ? `nat(src=${nat.source})` : `nat(dst=${nat.destination})`;
}

function learnedPartText(part: LearnedPart): string {
  if ('output' in part) return `output:${subfieldText(part.output)}`;
  if ('load' in part) {
    return `load:${typeof part.load === 'string' ? part.load : subfieldText(part.load)}->${subfieldText(part.to)}`;
  }
  if ('field' in part) return `${part.field}=${part.equals}`;
  const match = subfieldText(part.match);
  if (typeof part.equals !== 'string') {
    const equals = subfieldText(part.equals);
    return match === equals ? match : `${match}=${equals}`;
  }
  return part.match.bits === undefined ? `${part.match.field}=${part.equals}` : `${match}=${part.equals}`;
}

const optional = (name: string, value: number | undefined) => (value === undefined ? [] : [`${name}=${String(value)}`]);

/** Ports that ovs-ofctl prints without `output:`. */
const RESERVED_PORTS = new Set(['LOCAL', 'IN_PORT', 'NORMAL', 'FLOOD', 'ALL']);

function actionText(action: Action): string {
  switch (action.kind) {
    case 'output':
      return RESERVED_PORTS.has(action.port) ? action.port : `output:${action.port}`;
    case 'resubmit':
      return `resubmit(,${String(action.table)})`;
    case 'ct': {
      const { commit, table, zone, nat, exec } = action;
      const words = [
        ...(commit === undefined ? [] : ['commit']),
        ...optional('table', table),
        `zone=${String(zone)}`,
        ...(nat === undefined ? [] : [natText(nat)]),
        ...(exec === undefined ? [] : [`exec(${exec.map(actionText).join(',')})`]),
      ];
      return `ct(${words.join(',')})`;
    }
    case 'set':
      return `set_field:${action.value}->${fieldOf(action.field).oxm ?? action.field}`;
    case 'load':
      return `load:${action.value}->${subfieldText(action.to)}`;
    case 'move':
      return `move:${subfieldText(action.from)}->${subfieldText(action.to)}`;
    case 'learn': {
      const { table, idleTimeout, hardTimeout, priority, cookie, limit, parts } = action;
      const words = [
        `table=${String(table)}`,
        ...optional('idle_timeout', idleTimeout),
        ...optional('hard_timeout', hardTimeout),
        `priority=${String(priority)}`,
        `cookie=${cookie}`,
        ...optional('limit', limit),
        ...parts.map(learnedPartText),
      ];
      return `learn(${words.join(',')})`;
    }
    case 'push-vlan':
      return 'push_vlan:0x8100';
    case 'pop-vlan':
      return 'pop_vlan';
    case 'other':
      return action.text;
  }
}

/** The actions of a flow; `drop` if it has none. */
export function actionsText(actions: readonly Action[]): string {
  return actions.length === 0 ? 'drop' : actions.map(actionText).join(',');
}
