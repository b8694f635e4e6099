import type { ReachableService } from '../domain/pods/interface-lock.ts';
import type { Reading } from './input-problem.ts';

/** The services of the cluster that every pod needs: DNS and the Kubernetes API. They are watched, and reading them takes no request. */
export interface ClusterServices {
  /** Where they are reached; problems as long as that is not known. */
  read(): Reading<readonly ReachableService[]>;
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
