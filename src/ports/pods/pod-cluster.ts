import type { PodIdentity } from '../../domain/pods/cni/environment.ts';
import type { AnnotatedPod } from '../../domain/pods/address-records.ts';
import type { PodFacts } from '../../domain/pods/pod-attachment.ts';
import type { PodKey } from '../../domain/pods/pod-key.ts';
import type { PodAnnotations } from '../cluster/pod-annotations.ts';

/** The objects of the cluster that attachments of pods follow from, as this node knows them: also while the API server is away. */
export interface PodCluster extends PodAnnotations {
  facts(pod: PodIdentity): PodFacts;
  /** The id that is claimed for a network; undefined if there is none, or no such network. */
  networkId(networkName: string): number | undefined;
  /** The pods of this node that have not ended; undefined as long as they are not known. */
  pods(): readonly PodKey[] | undefined;
  /** The pods of this node whose annotation has an entry of a network, which is in the namespaces that it selects. */
  annotated(networkName: string): readonly AnnotatedPod[];
  /** Calls a listener after each change, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
