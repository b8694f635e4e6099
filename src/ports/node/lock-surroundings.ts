import type { PodSurroundings } from '../../domain/pods/default-services.ts';
import type { Reading } from '../input-problem.ts';

/** Destinations that pods of this node may reach by the default network, as far as known: also while the API server is away. */
export interface LockSurroundingsSource {
  /** Problems as long as it is not known. */
  read(): Reading<PodSurroundings>;
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
