import type { PodIdentity } from '../../domain/cni/call.ts';
import { attachmentOf, type FoundAttachment, type PodAttachment } from '../../domain/pods/pod-attachment.ts';
import { podText } from '../../domain/pods/pod-key.ts';
import { attachmentSentence } from '../../domain/status/pod-attachment.ts';
import { type Attempt, notAttached, succeeded, tryAgainLater } from './failure.ts';
import type { PodContext } from './pod-ports.ts';

/** Resolves after the next change, the end of the time, or the abort of a signal. */
async function nextChange({ cluster }: PodContext, milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const go = (): void => resolve(undefined);
  const stop = cluster.onChange(go);
  const timer = setTimeout(go, milliseconds);
  signal.addEventListener('abort', go);
  await promise;
  stop();
  clearTimeout(timer);
  signal.removeEventListener('abort', go);
}

/** The attachment of a pod, once everything that it follows from is known; if that takes too long, what is missing. */
export async function awaitedAttachment(
  context: PodContext,
  pod: PodIdentity,
  signal: AbortSignal,
): Promise<Attempt<PodAttachment>> {
  const { cluster, settings, timing } = context;
  const end = performance.now() + timing.objects;
  for (;;) {
    const found: FoundAttachment = attachmentOf(cluster.facts(pod), pod.uid, settings);
    if (found.kind === 'found') return succeeded(found.attachment);
    const left = end - performance.now();
    if (!found.isAwaited || left <= 0 || signal.aborted) {
      const fail = found.isAwaited ? tryAgainLater : notAttached;
      return fail('the pod cannot be attached', attachmentSentence(found.problem, podText(pod), pod.namespace));
    }
    await nextChange(context, left, signal);
  }
}
