import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import type { NodeReport } from '../../ports/node-report.ts';

/** An UplinkState to write. */
export interface StateToWrite {
  readonly state: UplinkStateObject;
  /** What is stored now; absent where nothing is. */
  readonly stored?: UplinkState;
}

/** Something for the runner of the loop to do. Its result, where there is one, comes back as an event. */
export type Effect =
  /** Read everything; `observed` comes back with the same number. */
  | { readonly do: 'observe'; readonly observation: number }
  /** Write the ledger, if there is one, then apply the operation; `applied` comes back with the number of its plan. */
  | { readonly do: 'apply'; readonly plan: number; readonly operation: Operation; readonly ledger?: Ledger }
  | { readonly do: 'write-ledger'; readonly ledger: Ledger }
  /** Write states; `published` comes back. */
  | { readonly do: 'publish'; readonly states: readonly StateToWrite[] }
  /** Send `alarm` at a time, and at no other that was set before. */
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: NodeReport }
  /** The last effect. */
  | { readonly do: 'finish'; readonly isDone: boolean };
