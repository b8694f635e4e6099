import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../input-problem.ts';

/** The source of a node's snapshot. */
export interface NodeSource {
  /** Reads the node, or returns every problem. Never throws for bad input. */
  read(): Promise<Reading<NodeSnapshot>>;
}
