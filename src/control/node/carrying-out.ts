import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import { operationKey } from '../../domain/operations/operation-key.ts';
import { emptyLedger, isSameButForTime, type Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import type { Effect } from './effect.ts';
import { look } from './looking.ts';
import type { Activity, LoopState, Round } from './state.ts';
import { uplinksOf } from './uplinks-of.ts';

type Done = Extract<CarriedOut, { done: true }>;
type CarryingOut = Extract<Activity, { kind: 'carrying-out' }>;

/** Writes the ledger where it says something new; what it does not say yet a look at the node would tell as well. */
function ledgerEffects({ node, isLedgerWritten }: Round): readonly Effect[] {
  return isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: node.ledger }];
}

function withWrittenLedger(state: LoopState, round: Round): LoopState {
  return { ...state, round: { ...round, isLedgerWritten: true } };
}

/** Ends what is under way between two operations, as somebody wants it. Of what was to be done once, not all is done then. */
export function end(state: LoopState): readonly [LoopState, readonly Effect[]] {
  const ended: LoopState = { ...state, activity: { kind: 'ended' } };
  const finish: Effect = { do: 'finish', isDone: !state.options.once };
  if (state.round === undefined) return [ended, [finish]];
  return [withWrittenLedger(ended, state.round), [...ledgerEffects(state.round), finish]];
}

/** Looks, once everything is written down that the look is to find. */
function lookFor(state: LoopState, round: Round, purpose: 'plan' | 'look'): readonly [LoopState, readonly Effect[]] {
  const [looking, effects] = look(withWrittenLedger(state, round), purpose);
  return [looking, [...ledgerEffects(round), ...effects]];
}

/** Has everything decided anew. */
function lookAgain(state: LoopState): readonly [LoopState, readonly Effect[]] {
  return state.round === undefined ? look(state, 'plan') : lookFor(state, state.round, 'plan');
}

/** What an operation would make the ledger say of a node of which nothing is known yet. */
function announcedAnew(operation: Operation, node: NodeSnapshot): Ledger {
  return meaningOf(operation).announced(operation, { ...node, ledger: emptyLedger });
}

/**
 * Takes the node as it was seen right before the next operation, and goes on. Nothing where the kernel would drop something else with it than
 * was planned for.
 */
export function carryOnSeeing(
  state: LoopState,
  round: Round,
  node: NodeSnapshot,
  now: number,
): readonly [LoopState, readonly Effect[]] | undefined {
  const [operation] = round.queue;
  if (operation === undefined) return undefined;
  if (!isSameButForTime(announcedAnew(operation, round.node), announcedAnew(operation, node))) return undefined;
  return carryOn({ ...state, round: { ...round, node, isFresh: true, isLedgerWritten: false } }, now);
}

/** Ends, or has everything decided anew. */
function endOrLookAgain(state: LoopState): readonly [LoopState, readonly Effect[]] {
  return state.isStopping ? end(state) : lookAgain(state);
}

/** Goes on with what is to be done; where nothing is left, looks whether all of it came about. */
export function carryOn(state: LoopState, now: number): readonly [LoopState, readonly Effect[]] {
  const { round } = state;
  if (state.isStopping) return end(state);
  const operation = round?.queue[0];
  if (round === undefined || operation === undefined) return lookAgain(state);
  const meaning = meaningOf(operation);
  // One operation at least is done of each plan, or a cluster in which something always changes would keep the loop from all work.
  if (state.changes?.ofCluster === true && !round.isFresh) return lookAgain(state);
  if (meaning.displaces && !round.isFresh) {
    // What is written down of an interface that moves would be all that is known of it if this program ended right after. What goes with a VRF never
    // comes back: whether it may go is decided anew.
    return lookFor(state, round, meaning.disruption(operation) === 'link-cycle' ? 'look' : 'plan');
  }
  const error = meaning.refusal(operation, round.node);
  if (error !== undefined) return lookAgain({ ...state, refused: { operation, error } });
  return begin(state, round, operation, now);
}

/** Has an operation carried out, after it is written down what it is going to do. */
function begin(
  state: LoopState,
  round: Round,
  operation: Operation,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { ledger: unannounced } = round.node;
  const ledger = meaningOf(operation).announced(operation, round.node);
  const isNew = ledger !== unannounced;
  const node = { ...round.node, ledger };
  return [
    {
      ...state,
      round: { ...round, node, isFresh: false, isLedgerWritten: round.isLedgerWritten || isNew },
      activity: { kind: 'carrying-out', operation, since: now, unannounced },
    },
    [{ do: 'carry-out', plan: round.plan, operation, ...(isNew && { ledger }) }],
  ];
}

/**
 * Takes back what was written down of an operation that has certainly changed nothing. It would make ours what somebody else makes instead: that
 * may be why nothing was changed.
 */
function withoutAnnouncement(state: LoopState, round: Round, unannounced: Ledger): LoopState {
  if (round.node.ledger === unannounced) return state;
  return { ...state, round: { ...round, node: { ...round.node, ledger: unannounced }, isLedgerWritten: false } };
}

/** How things were right before an operation, as far as is known by now. */
interface RightBefore {
  /** With what is written down of the operation. */
  readonly node: NodeSnapshot;
  /** Whether something else is written down than was announced. */
  readonly isAmended: boolean;
  /** What stood against it by then, as nobody can tell the kernel. */
  readonly obstacle?: string | undefined;
}

function rightBefore(round: Round, { operation, unannounced }: CarryingOut, { before }: Done): RightBefore {
  if (before === undefined) return { node: round.node, isAmended: false };
  const { ledger: written } = round.node;
  // What may be missing from a list stays written down as it was announced.
  const node = { ...round.node, ...before.things, ledger: before.isWhole ? unannounced : written };
  const ledger = meaningOf(operation).announced(operation, node);
  return {
    node: { ...node, ledger },
    isAmended: !isSameButForTime(ledger, written),
    obstacle: meaningOf(operation).refusal(operation, { ...node, ledger: written }),
  };
}

/** What there is to say of an operation that was carried out. */
function reportsOf(
  { drifts }: LoopState,
  { nodePlan }: Round,
  { operation, since }: CarryingOut,
  obstacle: string | undefined,
  now: number,
): readonly Effect[] {
  const driftedAt = drifts.get(operationKey(operation));
  const what = meaningOf(operation).summary(operation);
  const uplinks = uplinksOf(nodePlan, operation);
  const reports: readonly NodeReport[] = [
    { kind: 'carried-out', operation, uplinks, milliseconds: now - since },
    ...(obstacle === undefined
      ? []
      : [{ kind: 'warning', text: `${what}: right before, somebody else had seen to it that ${obstacle}` } as const]),
    ...(driftedAt === undefined
      ? []
      : [{ kind: 'drift-repaired', operation, uplinks, milliseconds: now - driftedAt } as const]),
  ];
  return reports.map((report) => ({ do: 'report', report }));
}

/** Takes note that an operation is done, and goes on with the next one. */
function done(
  state: LoopState,
  round: Round,
  activity: CarryingOut,
  result: Done,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { operation, unannounced } = activity;
  const { node, isAmended, obstacle } = rightBefore(round, activity, result);
  const meaning = meaningOf(operation);
  const change = meaning.effect(operation, node);
  if (result.before !== undefined && change.done && change.node === node) {
    // Somebody else was quicker, and what the kernel dropped with that it dropped for him.
    return endOrLookAgain(withoutAnnouncement(state, round, unannounced));
  }
  const { ledger } = node;
  const after = change.done ? change.node : { ...round.node, ledger };
  const confirmedLedger = change.done ? meaning.confirmed(operation, after) : ledger;
  const isKnown = !meaning.displaces || result.before?.isWhole === true;
  const [next, effects] = carryOn(
    {
      ...state,
      done: new Set([...state.done, operationKey(operation)]),
      round: {
        ...round,
        node: { ...after, ledger: confirmedLedger },
        isLedgerWritten: (round.isLedgerWritten || isAmended) && confirmedLedger === ledger,
        // What nobody expected, or does not know, is a reason to look before anything else is done.
        queue: change.done && !isAmended && isKnown ? round.queue.slice(1) : [],
      },
    },
    now,
  );
  return [
    next,
    [
      ...reportsOf(state, round, activity, obstacle, now),
      // What came between the look and the operation would be known to nobody if this program ended here.
      ...(isAmended ? [{ do: 'write-ledger', ledger } as const] : []),
      ...effects,
    ],
  ];
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
  const resting: LoopState = { ...state, activity: { kind: 'resting' } };
  if (result.done) return done(resting, round, activity, result, now);
  const { operation, unannounced } = activity;
  const { error, isRefused } = result;
  // What may have been done all the same has to stay written down.
  const known = isRefused === true ? withoutAnnouncement(resting, round, unannounced) : resting;
  // What a refusal means the next look tells.
  const [next, effects] = endOrLookAgain(state.isStopping ? known : { ...known, refused: { operation, error } });
  const uplinks = uplinksOf(round.nodePlan, operation);
  return [next, [{ do: 'report', report: { kind: 'refused', operation, uplinks, error } }, ...effects]];
}
