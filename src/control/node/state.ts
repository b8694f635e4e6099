import type { Operation } from '../../domain/operations/operation.ts';
import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import type { PendingChanges } from '../coalescing.ts';
import type { Observation } from '../observation.ts';
import type { FailedOperation } from './failed-operation.ts';

/** How the loop runs. */
export interface LoopOptions {
  readonly settings: NodeSettings;
  /** Whether it ends as soon as everything that can be done is done. */
  readonly once: boolean;
}

/** `plan`: plan anew. `continue`: go on with the current plan, unless something was observed that may change it. */
export type ObservationPurpose = 'plan' | 'continue';

/** What the loop waits for. */
export type Activity =
  | { readonly kind: 'resting' }
  | { readonly kind: 'observing'; readonly purpose: ObservationPurpose }
  | {
      readonly kind: 'applying';
      readonly operation: Operation;
      readonly since: number;
      /** The ledger before the operation was announced in it. */
      readonly unannounced: Ledger;
    }
  | { readonly kind: 'ended' };

/** Changes that were noticed and not observed yet, and whether any of them was in the cluster. */
export type PendingNodeChanges = PendingChanges & { readonly ofCluster: boolean };

/** A plan that is being applied. */
export interface Execution {
  /** The plan's number, which tells late results from others. */
  readonly plan: number;
  readonly nodePlan: NodePlan;
  readonly observation: Observation;
  /** The UplinkStates of the plan, as they were written or stored already when it was made. */
  readonly states: readonly UplinkStateObject[];
  /** The node as it is now, as far as is known. */
  readonly node: NodeSnapshot;
  /** Whether the node was observed after the last operation. */
  readonly isFresh: boolean;
  /** Whether the ledger of `node` is the one that is stored. */
  readonly isLedgerWritten: boolean;
  /** What is still to be done, in order. */
  readonly queue: readonly Operation[];
}

/** When a refused operation was refused first and last. */
export interface Refusal {
  readonly first: number;
  readonly last: number;
}

/** Everything that the loop knows. It starts with nothing: what has to survive a restart is on the node and in the ledger. */
export interface LoopState {
  readonly options: LoopOptions;
  readonly activity: Activity;
  readonly isStopping: boolean;
  readonly changes?: PendingNodeChanges | undefined;
  /** When the first of the changes was noticed that are being dealt with; absent where all are. */
  readonly busySince?: number | undefined;
  /** Numbers of the last observation and of the last plan. */
  readonly observations: number;
  readonly plans: number;
  /** Absent while nothing can be read. */
  readonly execution?: Execution | undefined;
  /** The operation that was refused last, until the next plan decides what that means. */
  readonly refused?: { readonly operation: Operation; readonly error: string } | undefined;
  /** Operations whose refusal may be transient, by key. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** What failed, by network; operations of no network under names that no network has. */
  readonly failures: ReadonlyMap<string, FailedOperation>;
  /** Keys of the operations that were applied since everything was last settled. */
  readonly done: ReadonlySet<string>;
  /** What each network had when all of it was settled, as text. */
  readonly settled: ReadonlyMap<string, string>;
  /** Keys of operations that repair drift, and when it was detected. */
  readonly drifts: ReadonlyMap<string, number>;
  /** The last report on each network and warning, and on what cannot be read, as text. */
  readonly reported: ReadonlyMap<string, string>;
  /** Observations that failed in a row. */
  readonly failedObservations: number;
  /** Number of the observation after which states were published last. */
  readonly publishedAfter: number;
  /** Publications that failed in a row. */
  readonly failedPublications: number;
  /** The last report on states that were not written, and its time; absent where all were. */
  readonly unpublished?: { readonly text: string; readonly reportedAt: number } | undefined;
  readonly plannedAt: number;
  /** When the loop observes again though nothing happens. */
  readonly observeAgainAt: number;
}

/** The loop before its first event, which is that everything may have changed. */
export function initialState(options: LoopOptions): LoopState {
  return {
    options,
    activity: { kind: 'resting' },
    isStopping: false,
    observations: 0,
    plans: 0,
    refusals: new Map(),
    failures: new Map(),
    done: new Set(),
    settled: new Map(),
    drifts: new Map(),
    reported: new Map(),
    failedObservations: 0,
    publishedAfter: 0,
    failedPublications: 0,
    plannedAt: 0,
    observeAgainAt: Number.POSITIVE_INFINITY,
  };
}
