import { announced, applyOperation, meaningOf } from '../../domain/operations/operation-kinds.ts';
import { operationKey } from '../../domain/operations/operation-key.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { Effect } from './effect.ts';
import { look } from './looking.ts';
import type { LoopState, Round } from './state.ts';

/** Writes the ledger where it says something new; what it does not say yet a look at the node would tell as well. */
function ledgerEffects({ node, isLedgerWritten }: Round): readonly Effect[] {
  return isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: node.ledger }];
}

function withWrittenLedger(state: LoopState, round: Round): LoopState {
  return { ...state, round: { ...round, isLedgerWritten: true } };
}

/** Ends what is under way between two operations. */
export function end(state: LoopState, isDone: boolean): readonly [LoopState, readonly Effect[]] {
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
  if (round === undefined || operation === undefined || state.changes?.ofCluster === true) return lookAgain(state);
  const meaning = meaningOf(operation);
  // What an interface loses on the way into a VRF or out of one is written down before, and has to be all of it.
  if (meaning.disruption(operation) === 'link-cycle' && !round.isFresh) return look(state, 'look');
  const error = meaning.obstacle?.(operation, round.node);
  if (error !== undefined) return lookAgain({ ...state, refused: { operation, error } });
  const ledger = announced(operation, round.node);
  const isAnnounced = ledger !== round.node.ledger;
  const begun: Round = {
    ...round,
    isFresh: false,
    node: { ...round.node, ledger },
    isLedgerWritten: isAnnounced || round.isLedgerWritten,
  };
  return [
    { ...state, round: begun, activity: { kind: 'carrying-out', operation, since: now } },
    [{ do: 'carry-out', plan: round.plan, operation, ...(isAnnounced && { ledger }) }],
  ];
}

function lookAgain(state: LoopState): readonly [LoopState, readonly Effect[]] {
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
    const { error } = result;
    const [next, effects] = lookAgain({ ...resting, refused: { operation, error } });
    return [next, [{ do: 'report', report: { kind: 'refused', operation, error } }, ...effects]];
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
      // What the model does not expect is a reason to look before anything else is done.
      queue: change.done ? round.queue.slice(1) : [],
    },
  };
  const [next, effects] = carryOn(after, now);
  return [next, [...reports, ...effects]];
}
