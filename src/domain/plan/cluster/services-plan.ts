/** Writes in the cluster for Services of networks that ovn-uplinks provides. */
import type { ObjectWarning } from '../../api/object-warning.ts';
import type { DesiredMirror } from '../../services/mirror.ts';
import type { DesiredSlice } from '../../services/slices.ts';

/** An object in a namespace that is meant. */
export interface MeantObject {
  readonly namespace: string;
  readonly name: string;
  /** Absent where objects have none, as in files. */
  readonly uid?: string;
}

/** Everything that was decided for Services. */
export interface ServicesPlan {
  /** The Services to label, by namespace and name. */
  readonly unlabelled: readonly MeantObject[];
  /** The mirrors of EndpointSlices to create or to change, by namespace and name. */
  readonly mirrors: readonly DesiredMirror[];
  /** Those to delete, by namespace and name. */
  readonly obsoleteMirrors: readonly MeantObject[];
  /** The EndpointSlices to which names of headless Services lead, to create or to change, by namespace and name. */
  readonly names: readonly DesiredSlice[];
  /** Those to delete, by namespace and name. */
  readonly obsoleteNames: readonly MeantObject[];
  /** About Services, by namespace and name. */
  readonly warnings: readonly ObjectWarning[];
}
