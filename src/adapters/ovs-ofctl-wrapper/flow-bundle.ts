import { bundleLine } from '../../domain/entities/switch/flow-command.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';
import type { ProgramFailure, ProgramResult } from '../../ports/node/programs.ts';
import { portNumbers, withNumbers } from './port-numbers.ts';
import { errorOf } from './switch-programs.ts';

/** A change of a flow. */
type FlowOperationChange = EntityOperation<'flow'>;

/** A change with its line of the bundle. */
interface BundleLine {
  readonly change: FlowOperationChange;
  readonly line: string;
}

/** Runs a bundle of lines. */
export type RunBundle = (lines: readonly string[]) => Promise<ProgramResult>;

/** Flows of other programs, by `flowKey`. */
export type ForeignFlows = ReadonlyMap<string, BridgeFlow>;

/**
 * Changes flows of a bridge in one atomic bundle, without those whose port has no number yet, which would replace a foreign flow, or which the switch
 * refuses. A foreign flow that does the same serves as well. Never rejects.
 *
 * @param foreign flows of other programs as they are now: an added flow would replace one of the same table, priority and match
 */
export async function changeFlows(
  changes: readonly FlowOperationChange[],
  bridge: Bridge,
  foreign: ForeignFlows,
  run: RunBundle,
): Promise<ApplyResult> {
  const leftOut: LeftOut[] = [];
  const lines: BundleLine[] = [];
  for (const change of changes) {
    const found = change.verb === 'remove' ? undefined : foreign.get(flowKey(change.entity.flow));
    const isServed = found?.actions === change.entity.flow.actions;
    if (isServed) continue;
    const line = lineOf(change, bridge, found);
    if ('error' in line) leftOut.push(line);
    else lines.push(line);
  }
  const failure = await runWithoutRefused(lines, run, leftOut);
  if (failure !== undefined) return { done: false, error: errorOf('ovs-ofctl', failure) };
  const index = new Map<unknown, number>(changes.map((change, at) => [change, at]));
  leftOut.sort((left, right) => (index.get(left.change) ?? 0) - (index.get(right.change) ?? 0));
  return { done: true, ...(leftOut.length > 0 && { leftOut }) };
}

function lineOf(change: FlowOperationChange, bridge: Bridge, replaced: BridgeFlow | undefined): BundleLine | LeftOut {
  const { verb, entity } = change;
  if (replaced !== undefined && replaced.cookie !== entity.flow.cookie) {
    return {
      change,
      error: `would replace a flow that another program has added meanwhile, with cookie ${replaced.cookie}`,
    };
  }
  const ports = portNumbers(bridge);
  const match = withNumbers(entity.flow.match, ports);
  if ('missing' in match) return awaiting(change, match.missing, bridge);
  // A flow is deleted by its match alone.
  const actions = withNumbers(verb === 'remove' ? '' : entity.flow.actions, ports);
  if ('missing' in actions) return awaiting(change, actions.missing, bridge);
  const flow = { ...entity.flow, match: match.text, actions: actions.text };
  return { change, line: `${bundleLine({ verb, entity: { flow } })}\n` };
}

function awaiting(change: FlowOperationChange, port: string, { name }: Bridge): LeftOut {
  return { change, error: `port ${port} of ${name} has no OpenFlow number yet`, isAwaited: true };
}

/**
 * Runs a bundle until the switch accepts it, each time without the changes that it has refused. If it does not name them, halves are tried, each as a
 * bundle of its own.
 *
 * @param leftOut the refused changes are added to it
 * @returns a failure that is not about single changes
 */
async function runWithoutRefused(
  lines: readonly BundleLine[],
  run: RunBundle,
  leftOut: LeftOut[],
): Promise<ProgramFailure | undefined> {
  let remaining = lines;
  while (remaining.length > 0) {
    const result = await run(remaining.map(({ line }) => line));
    if (result.outcome === 'finished') return undefined;
    const refusals = refusalsOf(result);
    if (refusals === undefined) return result;
    const refused = remaining.filter((_, index) => refusals.errors.has(index));
    if (refused.length === 0) return await runHalves(remaining, refusals.first, run, leftOut);
    leftOut.push(
      ...remaining.flatMap(({ change }, index) => {
        const error = refusals.errors.get(index);
        return error === undefined ? [] : [{ change, error }];
      }),
    );
    remaining = remaining.filter((_, index) => !refusals.errors.has(index));
  }
  return undefined;
}

async function runHalves(
  lines: readonly BundleLine[],
  error: string,
  run: RunBundle,
  leftOut: LeftOut[],
): Promise<ProgramFailure | undefined> {
  const [first] = lines;
  if (first !== undefined && lines.length === 1) {
    leftOut.push({ change: first.change, error });
    return undefined;
  }
  const middle = Math.ceil(lines.length / 2);
  return (
    (await runWithoutRefused(lines.slice(0, middle), run, leftOut)) ??
    (await runWithoutRefused(lines.slice(middle), run, leftOut))
  );
}

/** Errors by index of the line; and the first error, which may be about another message. */
interface Refusals {
  readonly errors: ReadonlyMap<number, string>;
  readonly first: string;
}

/** Transaction of the first change of a bundle, after the HELLO message (tried on Open vSwitch 3.1 and 3.5). */
const FIRST_TRANSACTION = 2;

/** A line that ovs-ofctl cannot parse: its number and the reason. */
const NOT_UNDERSTOOD = /^ovs-ofctl: -:(\d+): (.*)$/gm;

/** A change that the switch refuses: the error, its details, and the transaction. */
const REFUSED = /^Error (\S+) for: (OFPT_\w+) .*?\(xid=0x([0-9a-f]+)\)/gm;

/** The refused changes of a bundle; undefined if the bundle failed for another reason. */
function refusalsOf(result: ProgramFailure): Refusals | undefined {
  if (result.outcome !== 'failed') return undefined;
  const errors = new Map<number, string>();
  for (const [, line, why = ''] of result.stderr.matchAll(NOT_UNDERSTOOD))
    errors.set(Number(line) - 1, `ovs-ofctl refuses it: ${why}`);
  let [first] = errors.values();
  for (const [, name = '', type, transaction = ''] of result.stderr.matchAll(REFUSED)) {
    const error = `the switch refuses it: ${name}`;
    if (type === 'OFPT_FLOW_MOD') errors.set(Number.parseInt(transaction, 16) - FIRST_TRANSACTION, error);
    first ??= error;
  }
  return first === undefined ? undefined : { errors, first };
}
