import type { InputProblem } from './input-problem.ts';

/** What people want to know of the cluster's loop. */
export type ClusterReport =
  /** How long it took to decide everything anew. */
  | { readonly kind: 'thought'; readonly milliseconds: number }
  /** Nothing can be read, or not all of it. */
  | { readonly kind: 'unreadable'; readonly problems: readonly InputProblem[] }
  | { readonly kind: 'warning'; readonly text: string }
  /** What is said of an object is not what was said before. */
  | {
      readonly kind: 'condition';
      /** As `Uplink/blue`. */
      readonly object: string;
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }
  /** A state has had its day. */
  | { readonly kind: 'deleted'; readonly state: string }
  /** Objects that could not be written, with the reason; empty where all are. */
  | {
      readonly kind: 'settled';
      readonly refused: ReadonlyMap<string, string>;
      readonly conditions: ReadonlyMap<string, number>;
    };
