import type { PodIdentity } from '../../domain/pods/cni/environment.ts';
import type { AttachStep } from '../../ports/pods/pod-report.ts';
import type { PodContext } from './pod-ports.ts';

/** Does a step of attaching a pod, and reports how long it took, also where it fails. */
export async function timed<Result>(
  { report }: Pick<PodContext, 'report'>,
  pod: PodIdentity,
  step: AttachStep,
  work: () => Promise<Result>,
): Promise<Result> {
  const begin = performance.now();
  try {
    return await work();
  } finally {
    report({ kind: 'attach-step', step, pod, milliseconds: performance.now() - begin });
  }
}
