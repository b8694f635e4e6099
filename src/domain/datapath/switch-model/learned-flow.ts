import { type Bits, ones, valueText } from '../openflow/bits.ts';
import type { FieldName } from '../openflow/fields.ts';
import { fieldOf } from '../openflow/fields.ts';
import type { Action, Subfield } from '../openflow/flow.ts';
import { type FlowEntry, flowKey } from '../openflow/flow-entry.ts';
import { actionsText, matchText } from '../openflow/flow-text.ts';
import { type Packet, valueOfBits } from './packet.ts';

type Learn = Extract<Action, { kind: 'learn' }>;

/** Fields of packets by their names in `learn`, where these differ. */
const learnedFields = { eth_type: 'dl_type', nw_proto: 'nw_proto', icmpv6_type: 'icmp_type' } as const;

/** Adds bits of a field to those that a flow matches. */
function addBits(demanded: Map<FieldName, Bits>, { field, bits }: Subfield, value: bigint): void {
  const [low, high] = bits ?? [0, fieldOf(field).bits - 1];
  const known = demanded.get(field) ?? { value: 0n, mask: 0n };
  demanded.set(field, {
    value: known.value | (value << BigInt(low)),
    mask: known.mask | (ones(high - low + 1) << BigInt(low)),
  });
}

/** The flow that a switch learns from a packet (ovs-actions(7), learn). */
export function learnedFlow(learn: Learn, packet: Packet): FlowEntry {
  const read = (from: Subfield | string) => (typeof from === 'string' ? BigInt(from) : valueOfBits(packet, from));
  const demanded = new Map<FieldName, Bits>();
  const actions: Action[] = [];
  for (const part of learn.parts) {
    if ('output' in part) actions.push({ kind: 'output', port: valueText('in_port', read(part.output)) });
    else if ('load' in part) actions.push({ kind: 'load', value: `0x${read(part.load).toString(16)}`, to: part.to });
    else if ('field' in part) addBits(demanded, { field: learnedFields[part.field] }, BigInt(part.equals));
    else addBits(demanded, part.match, read(part.equals));
  }
  const match = Object.fromEntries(
    [...demanded].map(([field, { value, mask }]) => [field, valueText(field, value, mask)]),
  );
  return {
    cookie: learn.cookie,
    table: learn.table,
    priority: learn.priority,
    match: matchText(match),
    actions: actionsText(actions),
    hasTimeout: true,
  };
}

/** Adds a learned flow; it replaces one with the same match and priority. */
export function withLearned(
  flows: readonly FlowEntry[],
  flow: FlowEntry,
  limit: number | undefined,
): readonly FlowEntry[] {
  const key = flowKey(flow);
  const rest = flows.filter((each) => flowKey(each) !== key);
  const isFull =
    limit !== undefined &&
    rest.filter(({ table, cookie }) => table === flow.table && cookie === flow.cookie).length >= limit;
  return isFull ? flows : [...rest, flow];
}
