import { parseFlowLine } from '../../domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { mapReading } from '../../ports/readings.ts';
import { readLines } from './lines.ts';
import { portNumbers, withNames } from './port-numbers.ts';

/** Flows by the lines that they were read from, with names of ports. */
export type FlowsByLine = ReadonlyMap<string, BridgeFlow>;

/** A line without a flow: empty, or the heading, which some versions print. */
const HEADING = /^\s*$|^(?:NXST|OFPST)_FLOW reply\b/;

function readFlow(line: string, bridge: string): BridgeFlow | undefined {
  const entry = parseFlowLine(line);
  if (entry === undefined) return undefined;
  const { cookie, table, priority, match, actions } = entry;
  const isFlow = /^0x[0-9a-f]+$/.test(cookie) && Number.isInteger(table) && Number.isInteger(priority);
  return isFlow ? { bridge, cookie, table, priority, match, actions } : undefined;
}

/**
 * Reads the output of `ovs-ofctl -O OpenFlow14 --no-names --no-stats dump-flows` of a bridge, in its order.
 *
 * @param file named in problems
 * @param known flows of the same bridge that were read before: an equal flow is the same object
 */
export function readFlows(
  text: string,
  file: string,
  bridge: Bridge,
  known: FlowsByLine = new Map(),
): Reading<FlowsByLine> {
  const named = withNames(text, portNumbers(bridge));
  const entries = readLines(named, file, 'a flow as ovs-ofctl dump-flows prints it', (line) => {
    const flow = known.get(line) ?? readFlow(line, bridge.name);
    if (flow !== undefined) return [[line, flow] as const];
    return HEADING.test(line) ? [] : undefined;
  });
  return mapReading(entries, (value) => new Map(value));
}
