import { announced, applyOperation, meaningOf } from '../../domain/operations/operation-kinds.ts';
import type { Operation } from '../../domain/operations/operation-kinds.ts';
import type { Ledger } from '../../domain/ownership/ledger.ts';
import { operationKey } from '../../domain/operations/operation-key.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { Effect } from './effect.ts';
import { look } from './looking.ts';
import type { LoopState, Round } from './state.ts';

/** How often in a row the node is looked at again before an operation that makes an interface lose things. */
const MOST_GLANCES = 5;

/** Writes the ledger where it says something new; what it does not say yet a look at the node would tell as well. */
function ledgerEffects({ node, isLedgerWritten }: Round): readonly Effect[] {
  return isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: node.ledger }];
}

function withWrittenLedger(state: LoopState, round: Round): LoopState {
  return { ...state, round: { ...round, isLedgerWritten: true } };
}

/**
 * Takes back what was written down of an operation that is not carried out, or was refused. It would make ours what somebody else makes instead:
 * that may be what the kernel refuses it for.
 */
function withoutAnnouncement(state: LoopState): LoopState {
  const { round } = state;
  if (round?.unannounced === undefined) return state;
  const node = { ...round.node, ledger: round.unannounced };
  return { ...state, round: { ...round, node, unannounced: undefined, isLedgerWritten: false } };
}

/** A plan in which it is written down what the next operation is going to do. */
function withAnnouncement(round: Round, ledger: Ledger): Round {
  if (ledger === round.node.ledger) return { ...round, isFresh: false };
  const unannounced = round.unannounced ?? round.node.ledger;
  return { ...round, isFresh: false, node: { ...round.node, ledger }, unannounced, isLedgerWritten: true };
}

/** Ends what is under way between two operations. */
export function end(before: LoopState, isDone: boolean): readonly [LoopState, readonly Effect[]] {
  const state = withoutAnnouncement(before);
  const ended: LoopState = { ...state, activity: { kind: 'ended' } };
  const finish: Effect = { do: 'finish', isDone };
  if (state.round === undefined) return [ended, [finish]];
  return [withWrittenLedger(ended, state.round), [...ledgerEffects(state.round), finish]];
}

/** Goes on with what is to be done; where nothing is left, looks whether all of it came about. */
export function carryOn(state: LoopState, now: number): readonly [LoopState, readonly Effect[]] {
  const { round } = state;
  if (state.isStopping) return end(state, true);
  const operation = round?.queue[0];
  if (round === undefined || operation === undefined) return lookAgain(state);
  // One operation at least is done of each plan, or a cluster in which something always changes would keep the loop from all work.
  if (state.changes?.ofCluster === true && !round.isFresh) return lookAgain(state);
  const meaning = meaningOf(operation);
  const losesThings = meaning.disruption(operation) === 'link-cycle';
  if (losesThings && !round.isFresh) return look(state, 'look');
  const error = meaning.obstacle?.(operation, round.node);
  if (error !== undefined) return lookAgain({ ...state, refused: { operation, error } });
  const ledger = announced(operation, round.node);
  const isAnnounced = ledger !== round.node.ledger;
  const begun = withAnnouncement(round, ledger);
  if (losesThings) {
    const announcing: LoopState = { ...state, round: begun, activity: { kind: 'announcing', operation } };
    return isAnnounced
      ? [announcing, [{ do: 'announce', plan: round.plan, ledger }]]
      : announcementWritten(announcing, round.plan, { done: true }, now);
  }
  return begin({ ...state, round: begun }, operation, begun, now, isAnnounced ? ledger : undefined);
}

/** Has an operation carried out. */
function begin(
  state: LoopState,
  operation: Operation,
  { plan }: Round,
  now: number,
  ledger?: Ledger,
): readonly [LoopState, readonly Effect[]] {
  return [
    { ...state, activity: { kind: 'carrying-out', operation, since: now } },
    [{ do: 'carry-out', plan, operation, ...(ledger !== undefined && { ledger }) }],
  ];
}

/**
 * Goes on once it is written down what an operation is going to make an interface lose. That has to be all of it: what somebody has changed since
 * the node was looked at would be gone for ever, so it is looked at again; not without end, or who never rests would keep a network from being
 * programmed.
 */
export function announcementWritten(
  state: LoopState,
  plan: number,
  result: CarriedOut,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { activity, round, changes, isStopping } = state;
  if (activity.kind !== 'announcing' || round?.plan !== plan) return [state, []];
  const { operation } = activity;
  if (!result.done) {
    // What could not be written down need not be taken back.
    const unwritten: LoopState = {
      ...state,
      activity: { kind: 'resting' },
      round: { ...round, unannounced: undefined },
    };
    return refused(unwritten, operation, result.error);
  }
  if (changes !== undefined && !isStopping && round.glances < MOST_GLANCES) {
    return look({ ...state, round: { ...round, glances: round.glances + 1 } }, 'look');
  }
  return begin({ ...state, round: { ...round, glances: 0 } }, operation, round, now);
}

/** Takes note that something could not be done; what that means the next look tells. */
function refused(state: LoopState, operation: Operation, error: string): readonly [LoopState, readonly Effect[]] {
  const [next, effects] = state.isStopping ? end(state, true) : lookAgain({ ...state, refused: { operation, error } });
  return [next, [{ do: 'report', report: { kind: 'refused', operation, error } }, ...effects]];
}

/** Has everything decided anew. */
export function lookAgain(before: LoopState): readonly [LoopState, readonly Effect[]] {
  const state = withoutAnnouncement(before);
  if (state.round === undefined) return look(state, 'plan');
  const [looking, effects] = look(withWrittenLedger(state, state.round), 'plan');
  return [looking, [...ledgerEffects(state.round), ...effects]];
}

/** Takes what became of the operation that is under way. */
export function carriedOut(
  state: LoopState,
  plan: number,
  result: CarriedOut,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { activity, round } = state;
  // A late result says nothing about a newer plan.
  if (activity.kind !== 'carrying-out' || round?.plan !== plan) return [state, []];
  const { operation, since } = activity;
  const resting: LoopState = { ...state, activity: { kind: 'resting' } };
  if (!result.done) {
    // What may have been done all the same has to stay written down.
    const known = result.isRefused === true ? resting : { ...resting, round: { ...round, unannounced: undefined } };
    return refused(known, operation, result.error);
  }
  const key = operationKey(operation);
  const driftedAt = state.drifts.get(key);
  const change = applyOperation(operation, round.node);
  const reports: readonly Effect[] = [
    { do: 'report', report: { kind: 'carried-out', operation, milliseconds: now - since } },
    ...(driftedAt === undefined
      ? []
      : [{ do: 'report', report: { kind: 'drift-repaired', operation, milliseconds: now - driftedAt } } as const]),
  ];
  const after: LoopState = {
    ...resting,
    done: new Set([...state.done, key]),
    round: {
      ...round,
      ...(change.done && { node: change.node, isLedgerWritten: change.node.ledger === round.node.ledger }),
      unannounced: undefined,
      // What the model does not expect is a reason to look before anything else is done.
      queue: change.done ? round.queue.slice(1) : [],
    },
  };
  const [next, effects] = carryOn(after, now);
  return [next, [...reports, ...effects]];
}
