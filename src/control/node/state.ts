import type { Operation, SingleOperation } from '../../domain/entities/operations/operation.ts';
import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import type { UplinkWay } from '../../domain/dataplane/uplink-ways.ts';
import type { PendingChanges } from '../coalescing.ts';
import type { Observation } from '../observation.ts';
import { noRetries, type Retries } from '../retries.ts';
import type { Awaited } from './awaited.ts';
import { type FailedOperation, type FailureKey } from './failed-operation.ts';
import type { Ignored } from './ignored-operations.ts';
import { everyPart, type NodePart } from './observation/node-part.ts';

/** How the loop runs. */
export interface LoopOptions {
  readonly settings: NodeSettings;
  /** Whether it stops as soon as it has settled and the node is registered: everything possible is done. */
  readonly once: boolean;
}

/** `plan`: plan again. `continue`: continue the current plan, unless the observation may change it. */
export type ObservationPurpose = 'plan' | 'continue';

/** Entities that a plan expects to stay on the node as they are. */
export interface ExpectedEntities {
  readonly desired: NodePlan['dataplane']['desired'];
  /** Keys of the entities that were to be changed: their changes are not drift. */
  readonly pending: ReadonlySet<string>;
}

/** The ways of networks from the wire, and the names in OVN of networks whose uplinks are held. */
export interface Ways {
  readonly ways: readonly UplinkWay[];
  readonly held: readonly string[];
}

/** The activity of the loop. */
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

/** Reported changes that are not observed yet, and whether any of them was in the cluster. */
export type PendingNodeChanges = PendingChanges & { readonly ofCluster: boolean };

/** The application of a plan. */
export interface Execution {
  /** The number of the plan, to recognize late results. */
  readonly plan: number;
  readonly nodePlan: NodePlan;
  readonly observation: Observation;
  /** The UplinkStates of the plan. */
  readonly states: readonly UplinkStateObject[];
  /** The node that it was planned for, and the interfaces whose membership the plan changes. */
  readonly planned: { readonly node: NodeSnapshot; readonly moving: ReadonlySet<string> };
  /** The current node, as far as known. */
  readonly node: NodeSnapshot;
  /** Whether the node was observed after the last operation. */
  readonly isFresh: boolean;
  /** Whether the ledger of `node` is stored. */
  readonly isLedgerWritten: boolean;
  /** Pending operations, in order. */
  readonly queue: readonly Operation[];
}

/** An operation that was refused, or that would have been. */
export interface OperationRefusal {
  readonly operation: Operation;
  /** The uplinks of its networks, in order. */
  readonly uplinks: readonly string[];
  readonly error: string;
  /** Whether it was attempted. */
  readonly isAttempt: boolean;
  /** Whether what carries it out was not available. */
  readonly isUnavailable?: true;
}

/** When an operation, or a change of a set, was first and last refused. */
export interface Refusal {
  readonly first: number;
  readonly last: number;
}

/** The state of the loop. It starts empty: what has to survive a restart is on the node and in the ledger. */
export interface LoopState {
  readonly options: LoopOptions;
  readonly activity: Activity;
  readonly isStopping: boolean;
  readonly changes?: PendingNodeChanges | undefined;
  /** When the first change was reported that is not settled yet; absent while settled. */
  readonly busySince?: number | undefined;
  /** The parts of the node that may have changed since they were last read. */
  readonly outdated: ReadonlySet<NodePart>;
  /** Numbers of the last observation and of the last plan. */
  readonly observations: number;
  readonly plans: number;
  /** Absent while the node or the cluster cannot be read. */
  readonly execution?: Execution | undefined;
  /** The last refused operation, until the next plan classifies it. */
  readonly refused?: OperationRefusal | undefined;
  /** Operations whose refusal may be transient, by key. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** Dependencies that operations wait for, and since when. */
  readonly awaited: ReadonlyMap<Awaited, number>;
  /** Failed operations, by network, or by a key that is no network name. */
  readonly failures: ReadonlyMap<FailureKey, FailedOperation>;
  /** Operations that were applied since everything was last settled, in order. */
  readonly done: readonly SingleOperation[];
  /** Operations that the kernel ignores, by key, and why. */
  readonly ignored: Ignored;
  /** Entities that the last plan expects to stay as they are; absent before the first one. */
  readonly expected: ExpectedEntities | undefined;
  /** As they were reported last; absent before. */
  readonly ways?: Ways;
  /** Keys of operations that repair drift, and when it was detected. */
  readonly drifts: ReadonlyMap<string, number>;
  /** The last report on each network, warning and unreadable input, as text. */
  readonly reported: ReadonlyMap<string, string>;
  /** Consecutive failed observations. */
  readonly failedObservations: number;
  /** Number of the observation after which states were last published. */
  readonly publishedAfter: number;
  /** Whether the last plan had a part of the registration of the node to store: operations may follow once it is observed as stored. */
  readonly isRegistering: boolean;
  /** States that could not be published. */
  readonly publicationRetries: Retries;
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
    outdated: everyPart,
    observations: 0,
    plans: 0,
    refusals: new Map(),
    awaited: new Map(),
    failures: new Map(),
    done: [],
    ignored: new Map(),
    expected: undefined,
    drifts: new Map(),
    reported: new Map(),
    failedObservations: 0,
    publishedAfter: 0,
    isRegistering: false,
    publicationRetries: noRetries,
    plannedAt: 0,
    observeAgainAt: Number.POSITIVE_INFINITY,
  };
}
