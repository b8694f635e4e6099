import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { Reading } from './input-problem.ts';

/** The source of a node's snapshot. */
export interface NodeSource {
  /** Reads the node: either all of it is usable, or every problem is returned. Never throws for bad input. */
  read(): Promise<Reading<NodeSnapshot>>;
}
