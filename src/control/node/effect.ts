import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import type { NodeReport } from '../../ports/node-report.ts';

/** A state that is to be written. */
export interface StateToWrite {
  readonly state: UplinkStateObject;
  /** What stands there; absent where nothing does. */
  readonly before?: UplinkState;
}

/** Something that the loop wants done. What comes of it, where that is said, comes back as an event. */
export type Effect =
  /** Read everything; `observed` comes back with the same number. */
  | { readonly do: 'observe'; readonly look: number }
  /** Write the ledger, where there is one, and then carry the operation out; `carried-out` comes back with the number of its plan. */
  | { readonly do: 'carry-out'; readonly plan: number; readonly operation: Operation; readonly ledger?: Ledger }
  | { readonly do: 'write-ledger'; readonly ledger: Ledger }
  /** Write states; `published` comes back. */
  | { readonly do: 'publish'; readonly states: readonly StateToWrite[] }
  /** `alarm` at a moment, and at no other that was asked for before. */
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: NodeReport }
  /** The last effect. */
  | { readonly do: 'finish'; readonly isDone: boolean };
