import type { CarriedOut } from '../../ports/carried-out.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { Observation } from '../observation.ts';

/** Where a change was noticed. */
export type Source = 'cluster' | 'node';

/** Something that the loop is told. */
export type NodeEvent =
  | { readonly kind: 'changed'; readonly source: Source }
  /** The alarm that was asked for last. */
  | { readonly kind: 'alarm' }
  /** What came of a look. */
  | { readonly kind: 'observed'; readonly look: number; readonly observation: Reading<Observation> }
  /** What came of an operation. */
  | { readonly kind: 'carried-out'; readonly plan: number; readonly result: CarriedOut }
  /** States that could not be written, by name with the reason; empty where all are. */
  | { readonly kind: 'published'; readonly refused: ReadonlyMap<string, string> }
  /** Somebody wants the loop to end. */
  | { readonly kind: 'stop' };

/** An event, and when it was. */
export type TimedEvent = NodeEvent & {
  /** Milliseconds of a clock that only goes forward. */
  readonly at: number;
};
