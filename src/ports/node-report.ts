import type { Operation } from '../domain/operations/operation.ts';
import type { Discrepancy } from '../domain/entities/entity-kind.ts';
import type { InputProblem } from './input-problem.ts';

/** What a report about an operation tells of it. */
interface OfOperation {
  readonly operation: Operation;
  /** The uplinks of its networks, in order; a network that is taken off the node has none any more. */
  readonly uplinks: readonly string[];
}

/** What people want to know of the loop: each becomes at most one line of a log, and counts in metrics. */
export type NodeReport =
  /** Everything was read, or could not be: the loop goes round, though it may have nothing to say. */
  | { readonly kind: 'looked' }
  /** How long it took to decide everything anew. */
  | { readonly kind: 'thought'; readonly milliseconds: number }
  /** Nothing can be read, or not all of it. */
  | { readonly kind: 'unreadable'; readonly problems: readonly InputProblem[] }
  /** A plan that is not the one from before. */
  | { readonly kind: 'planned'; readonly plan: number; readonly networks: number; readonly operations: number }
  | { readonly kind: 'warning'; readonly text: string }
  | (OfOperation & { readonly kind: 'carried-out'; readonly milliseconds: number })
  /** It was refused, and is tried again soon, before anybody takes it for failed. */
  | (OfOperation & { readonly kind: 'refused'; readonly error: string })
  | (OfOperation & {
      readonly kind: 'failed';
      readonly error: string;
      /** Milliseconds until it is tried again, unless something changes before. */
      readonly retryIn: number;
    })
  /** Somebody changed what is ours; it will be put right. */
  | (OfOperation & { readonly kind: 'drift'; readonly discrepancy: Discrepancy })
  | (OfOperation & { readonly kind: 'drift-repaired'; readonly milliseconds: number })
  /** Everything that can be done is done. */
  | {
      readonly kind: 'settled';
      /** How many networks there are by their reason, `Ready` or what stands in their way. */
      readonly networks: ReadonlyMap<string, number>;
      /** Milliseconds since the first change that led to it; absent where nothing was to be done. */
      readonly milliseconds?: number;
    }
  /** A network's reason is not the one from before. */
  | {
      readonly kind: 'network';
      readonly network: string;
      readonly uplink: string;
      readonly reason: string;
      readonly message: string;
    }
  /** What the ledger could not be told; nothing is lost by that alone. */
  | { readonly kind: 'ledger-unwritten'; readonly error: string }
  | { readonly kind: 'unpublished'; readonly refused: ReadonlyMap<string, string> };
