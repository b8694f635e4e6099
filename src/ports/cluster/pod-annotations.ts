import type { PodKey } from '../../domain/pods/pod-key.ts';
import type { ApplyResult } from '../apply-result.ts';

/** The annotation of pods with their addresses, which several programs write. */
export interface PodAnnotations {
  /**
   * Changes the annotation of a pod. If another program writes at the same time, the text is computed again. Succeeds without a write if the text is the
   * same, and if the pod is gone. Never rejects.
   */
  annotate(pod: PodKey, change: (text: string | undefined) => string): Promise<ApplyResult>;
}
