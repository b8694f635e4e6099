import type { Operation } from '../../domain/operations/operation.ts';
import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { UnseenChanges } from '../coalescing.ts';
import type { Observation } from '../observation.ts';
import type { Failure } from './failure.ts';

/** What the loop is to do. */
export interface LoopOptions {
  readonly settings: NodeSettings;
  /** Whether it ends as soon as everything that can be done is done. */
  readonly once: boolean;
}

/** What the loop waits for. */
export type Activity =
  | { readonly kind: 'resting' }
  /** `plan`: everything is decided anew. `look`: what is planned goes on, unless the look shows that it should not. */
  | { readonly kind: 'observing'; readonly purpose: 'plan' | 'look' }
  | {
      readonly kind: 'carrying-out';
      readonly operation: Operation;
      readonly since: number;
      /** The ledger before it was written down what the operation is going to do. */
      readonly unannounced: Ledger;
    }
  | { readonly kind: 'ended' };

/** Changes that were noticed and not looked at, and whether any was in the cluster. */
export type UnseenNodeChanges = UnseenChanges & { readonly ofCluster: boolean };

/** A plan that is being carried out. */
export interface Round {
  /** Its number, by which late results are told. */
  readonly plan: number;
  readonly nodePlan: NodePlan;
  readonly observation: Observation;
  /** The node as it is by now, as far as is known. */
  readonly node: NodeSnapshot;
  /** Whether the node was looked at after the last operation. */
  readonly isFresh: boolean;
  /** Whether the ledger of `node` is the one that is written. */
  readonly isLedgerWritten: boolean;
  /** What is still to be done, in order. */
  readonly queue: readonly Operation[];
}

/** When a refused operation was refused first and last. */
export interface Refusal {
  readonly first: number;
  readonly last: number;
}

/** Everything that the loop knows. It starts anew from nothing: what has to outlive it is on the node and in the ledger. */
export interface LoopState {
  readonly options: LoopOptions;
  readonly activity: Activity;
  readonly isStopping: boolean;
  readonly changes?: UnseenNodeChanges | undefined;
  /** When the first of the changes was noticed that are being seen to; absent where everything is. */
  readonly busySince?: number | undefined;
  /** Number of the last look, and of the last plan. */
  readonly looks: number;
  readonly plans: number;
  readonly round?: Round | undefined;
  /** The operation that was refused last, until the next look tells what that means. */
  readonly refused?: { readonly operation: Operation; readonly error: string } | undefined;
  /** Operations that may be refused for a while, by their key. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** What failed, by network; what is done for nobody by a name that no network has. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** Keys of the operations that were carried out since everything was as it should be. */
  readonly done: ReadonlySet<string>;
  /** What each network had, when all of it was as it should be. */
  readonly settled: ReadonlyMap<string, string>;
  /** Keys of operations that repair what somebody changed, and when that was seen. */
  readonly drifts: ReadonlyMap<string, number>;
  /** What was said last of each network, and of what keeps everything from being read. */
  readonly said: ReadonlyMap<string, string>;
  /** How often reading has failed in a row. */
  readonly failedLooks: number;
  /** Number of the look after which states were published last. */
  readonly publishedAfter: number;
  /** How often publishing has failed in a row. */
  readonly failedPublications: number;
  /** What was said last of states that were not written, and when; absent where there are none. */
  readonly unpublished?: { readonly text: string; readonly saidAt: number } | undefined;
  /** When it was planned last. */
  readonly plannedAt: number;
  /** When it is looked again though nothing happens. */
  readonly lookAgainAt: number;
}

/** The loop before its first event, which is that everything may have changed. */
export function initialState(options: LoopOptions): LoopState {
  return {
    options,
    activity: { kind: 'resting' },
    isStopping: false,
    looks: 0,
    plans: 0,
    refusals: new Map(),
    failures: new Map(),
    done: new Set(),
    settled: new Map(),
    drifts: new Map(),
    said: new Map(),
    failedLooks: 0,
    publishedAfter: 0,
    failedPublications: 0,
    plannedAt: 0,
    lookAgainAt: Number.POSITIVE_INFINITY,
  };
}
