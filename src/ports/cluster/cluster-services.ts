import type { ReachableService } from '../../domain/pods/interface-lock.ts';
import type { InputProblem, Reading } from '../input-problem.ts';

/** The services of the cluster that every pod needs: DNS and the Kubernetes API. They are watched, and reading them takes no request. */
export interface ClusterServices {
  /** Where they are reached; problems as long as that is not known. */
  read(): Reading<readonly ReachableService[]>;
  /** Problems of objects that cannot be read; the last valid version of each stays in use. */
  readonly warnings: readonly InputProblem[];
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
