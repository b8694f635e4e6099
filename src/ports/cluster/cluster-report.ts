import type { ObjectWarning } from '../../domain/api/object-warning.ts';
import type { InputProblem } from '../input-problem.ts';

/** A report of the cluster loop, for logs and metrics. */
export type ClusterReport =
  /** Another process leads; this one waits for it to end. */
  | { readonly kind: 'standing-by' }
  | { readonly kind: 'leading' }
  | { readonly kind: 'leadership-lost'; readonly reason: string }
  /** The duration of planning. */
  | { readonly kind: 'plan-duration'; readonly milliseconds: number }
  /** Not everything can be read. */
  | { readonly kind: 'unreadable'; readonly problems: readonly InputProblem[] }
  | { readonly kind: 'warning'; readonly text: string }
  /** Something is wrong with an object of a tenant. */
  | { readonly kind: 'object-warning'; readonly warning: ObjectWarning }
  /** The condition of an object has changed. */
  | {
      readonly kind: 'condition';
      /** As `Uplink/blue` or `UserDefinedNetwork/demo/blue`. */
      readonly object: string;
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }
  /** An object of a network that ovn-uplinks provides is written or deleted. */
  | { readonly kind: 'provision'; readonly object: string; readonly isDeletion: boolean }
  /** An obsolete UplinkState was deleted. */
  | { readonly kind: 'deleted'; readonly state: string }
  /** All writes are done. */
  | {
      readonly kind: 'settled';
      /** Objects that could not be written, with the reason. */
      readonly refused: ReadonlyMap<string, string>;
      /** The number of conditions by kind and reason. */
      readonly conditions: ReadonlyMap<string, number>;
    };
