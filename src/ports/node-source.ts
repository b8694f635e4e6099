import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { Reading } from './input-problem.ts';

/** Where a node's snapshot comes from. */
export interface NodeSource {
  /** Reads the node; either all of it is usable or every problem comes back. Never throws for bad input. */
  read(): Promise<Reading<NodeSnapshot>>;
}
