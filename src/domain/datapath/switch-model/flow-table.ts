import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { type Constraints, constraintsOf } from '../openflow/constraints.ts';
import type { FlowEntry } from '../openflow/flow-entry.ts';
import { parseMatch } from '../openflow/parse-match.ts';
import { type Packet, valueOf } from './packet.ts';

/** A flow and its parsed match. */
interface IndexedFlow {
  readonly flow: FlowEntry;
  readonly constraints: Constraints;
}

/** The flows of a table by the port that they match, each list by priority, highest first. */
interface TableIndex {
  readonly ofPort: ReadonlyMap<bigint, readonly IndexedFlow[]>;
  readonly ofAnyPort: readonly IndexedFlow[];
}

const byPriority = (left: IndexedFlow, right: IndexedFlow) => right.flow.priority - left.flow.priority;

function indexed(candidates: readonly IndexedFlow[]): TableIndex {
  const ofPort = new Map<bigint, IndexedFlow[]>();
  const ofAnyPort: IndexedFlow[] = [];
  for (const candidate of candidates) {
    const port = candidate.constraints.get('in_port')?.value;
    if (port === undefined) ofAnyPort.push(candidate);
    else if (ofPort.get(port)?.push(candidate) === undefined) ofPort.set(port, [candidate]);
  }
  for (const list of [...ofPort.values(), ofAnyPort]) list.sort(byPriority);
  return { ofPort, ofAnyPort };
}

/** Tables by number. A flow whose match cannot be parsed matches nothing. */
const tablesOf = lazyByObject((flows: readonly FlowEntry[]): ReadonlyMap<number, TableIndex> => {
  const byTable = new Map<number, IndexedFlow[]>();
  for (const flow of flows) {
    const match = parseMatch(flow.match);
    const constraints = match && constraintsOf(match);
    if (constraints === undefined) continue;
    const candidate = { flow, constraints };
    if (byTable.get(flow.table)?.push(candidate) === undefined) byTable.set(flow.table, [candidate]);
  }
  return new Map([...byTable].map(([table, candidates]) => [table, indexed(candidates)]));
});

function matches(packet: Packet, constraints: Constraints): boolean {
  for (const [field, { value, mask }] of constraints) {
    if (((valueOf(packet, field) ^ value) & mask) !== 0n) return false;
  }
  return true;
}

/** The flow of a table that a packet matches; undefined if there is none. */
export function lookUp(flows: readonly FlowEntry[], table: number, packet: Packet): FlowEntry | undefined {
  const index = tablesOf(flows).get(table);
  if (index === undefined) return undefined;
  const isMatch = ({ constraints }: IndexedFlow) => matches(packet, constraints);
  const ofPort = index.ofPort.get(valueOf(packet, 'in_port'))?.find(isMatch);
  const ofAnyPort = index.ofAnyPort.find(isMatch);
  if (ofPort === undefined || ofAnyPort === undefined) return (ofPort ?? ofAnyPort)?.flow;
  return ofPort.flow.priority >= ofAnyPort.flow.priority ? ofPort.flow : ofAnyPort.flow;
}
