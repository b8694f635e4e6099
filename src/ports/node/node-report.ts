import type { Operation } from '../../domain/entities/operations/operation.ts';
import type { Discrepancy } from '../../domain/entities/entity-kind.ts';
import type { UplinkWay } from '../../domain/dataplane/uplink-ways.ts';
import type { InputProblem } from '../input-problem.ts';

/** The common fields of reports on operations. */
interface OfOperation {
  readonly operation: Operation;
  /** The uplinks of its networks, in order; a network that is removed from the node has none. */
  readonly uplinks: readonly string[];
}

/** A report of the node loop: at most one log line, and counted in metrics. */
export type NodeReport =
  /** An observation has ended, successfully or not: the loop is alive. */
  | { readonly kind: 'observed' }
  /** The duration of planning. */
  | { readonly kind: 'plan-duration'; readonly milliseconds: number }
  /** The ways of networks from the wire, as planned, when one has changed, and the names in OVN of networks on uplinks that are held. */
  | { readonly kind: 'ways'; readonly ways: readonly UplinkWay[]; readonly held: readonly string[] }
  /** Not everything can be read. */
  | { readonly kind: 'unreadable'; readonly problems: readonly InputProblem[] }
  /** A plan that changes something, or the first one. */
  | { readonly kind: 'planned'; readonly plan: number; readonly networks: number; readonly operations: number }
  | { readonly kind: 'warning'; readonly text: string }
  | (OfOperation & { readonly kind: 'applied'; readonly milliseconds: number })
  /** An attempt was refused, and is still planned. */
  | (OfOperation & { readonly kind: 'refused'; readonly error: string })
  /** An attempt was refused, and is no longer planned: another program has made the same change, or the cause is gone. */
  | (OfOperation & { readonly kind: 'superseded'; readonly error: string })
  | (OfOperation & {
      readonly kind: 'failed';
      readonly error: string;
      /** Milliseconds until the next attempt, unless something related changes before. */
      readonly retryIn: number;
    })
  /** Another program changed a managed entity, which will be repaired. */
  | (OfOperation & { readonly kind: 'drift'; readonly discrepancy: Discrepancy })
  | (OfOperation & { readonly kind: 'drift-repaired'; readonly milliseconds: number })
  /** Everything possible is done. */
  | {
      readonly kind: 'settled';
      /** The number of networks by reason: `Ready`, or why they are not. */
      readonly networks: ReadonlyMap<string, number>;
      /** Milliseconds since the first change that led to it; absent if nothing had to be done. */
      readonly milliseconds?: number;
    }
  /** The result of a network has changed. */
  | {
      readonly kind: 'network';
      readonly network: string;
      readonly uplink: string;
      readonly reason: string;
      readonly message: string;
    }
  /** The ledger could not be written; it is kept in memory and written later. */
  | { readonly kind: 'ledger-unwritten'; readonly error: string }
  /** Objects that could not be written, as `Kind/name` with the reason. */
  | { readonly kind: 'unpublished'; readonly refused: ReadonlyMap<string, string> };
