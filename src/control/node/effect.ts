import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Operation } from '../../domain/entities/operations/operation.ts';
import type { NodeRegistration } from '../../domain/plan/registration/registration-to-store.ts';
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import type { NodePart } from './node-part.ts';

/** An UplinkState to write. */
export interface StateToWrite {
  readonly state: UplinkStateObject;
  /** The stored object, if any. */
  readonly stored?: UplinkState;
}

/** Writes to the cluster. */
export interface Publication {
  readonly states: readonly StateToWrite[];
  readonly registration?: NodeRegistration;
}

/** An effect, run by `NodeLoop`. Its result, if any, comes back as an event. */
export type Effect =
  /** Reads the cluster and parts of the node, the others being as they were read last; results in `observed` with the same number. */
  | { readonly do: 'observe'; readonly observation: number; readonly parts: ReadonlySet<NodePart> }
  /** Writes the ledger, if given, then applies the operation; results in `applied` with the number of its plan. */
  | {
      readonly do: 'apply';
      readonly plan: number;
      readonly operation: Operation;
      readonly ledger?: Ledger;
      /** As last observed, for the numbers of ports. */
      readonly bridges: readonly Bridge[];
    }
  | { readonly do: 'write-ledger'; readonly ledger: Ledger }
  /** Writes states and the registration of the node; results in `published`. */
  | { readonly do: 'publish'; readonly publication: Publication }
  /** Sends `alarm` at a time; replaces the previous alarm. */
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: NodeReport }
  /** The last effect. */
  | { readonly do: 'finish'; readonly isDone: boolean };
