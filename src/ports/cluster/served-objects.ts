import type { ServedObjects } from '../../domain/services/services-on-node.ts';
import type { InputProblem, Reading } from '../input-problem.ts';

/** The Services that ovn-uplinks serves, and their EndpointSlices. They are watched, and reading them takes no request. */
export interface ServedObjectsSource {
  /** Reads all; problems as long as one of the lists is not known. A list is the same as before if nothing in it has changed. */
  read(): Reading<ServedObjects>;
  /** Problems of objects that cannot be read; the last valid version of each stays in use. */
  readonly warnings: readonly InputProblem[];
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
