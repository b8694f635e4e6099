import type { ApplyResult } from '../../ports/apply-result.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { Observation } from '../observation.ts';
import type { NodePart } from './observation/node-part.ts';

/** The subject of a possible change: objects of the cluster, or a part of the node. */
export type ChangeSource = 'cluster' | NodePart;

/** An event of the loop. */
export type NodeEvent =
  | { readonly kind: 'changed'; readonly source: ChangeSource }
  /** The last alarm that was set. */
  | { readonly kind: 'alarm' }
  /** The result of an observation. */
  | { readonly kind: 'observed'; readonly observation: number; readonly reading: Reading<Observation> }
  /** The result of an operation. */
  | { readonly kind: 'applied'; readonly plan: number; readonly result: ApplyResult }
  /** Failed writes, as `Kind/name` with the reason, empty if there are none; and a number from 0 to 1 for the jitter of the next attempt. */
  | { readonly kind: 'published'; readonly refused: ReadonlyMap<string, string>; readonly random?: number }
  | { readonly kind: 'stop' };
