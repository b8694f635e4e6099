import type { DefaultServices } from '../../domain/pods/default-services.ts';
import type { InputProblem, Reading } from '../input-problem.ts';

/** The Services that pods reach by the default network: DNS, the Kubernetes API, and those that the administrator allows. They are watched, and reading them takes no request. */
export interface ClusterServices {
  /** Where they are reached; problems as long as that is not known. */
  read(): Reading<DefaultServices>;
  /** Problems of objects that cannot be read; the last valid version of each stays in use. */
  readonly warnings: readonly InputProblem[];
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
