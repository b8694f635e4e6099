/**
 * Writes the annotation with the addresses of a pod. It is one text with entries of several programs, which server-side apply would replace as a whole: each
 * write has the resourceVersion of what it was computed from (Kubernetes documentation, "Kubernetes API Concepts", Updates to existing resources).
 */
import { POD_NETWORKS_ANNOTATION } from '../../domain/basics/conventions.ts';
import { kinds } from '../../domain/api/kinds.ts';
import type { PodKey } from '../../domain/pods/pod-key.ts';
import { podText } from '../../domain/pods/pod-key.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { PodAnnotations } from '../../ports/cluster/pod-annotations.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiFailure, ApiServer } from './api-server.ts';
import { pathOf } from './paths.ts';

/** Attempts to write, as other programs may write at the same time. */
const ATTEMPTS = 5;

const NOT_FOUND = 404;

const CONFLICT = 409;

interface StoredPod {
  readonly uid: unknown;
  readonly resourceVersion: unknown;
  /** Of the annotation. */
  readonly text: string | undefined;
}

function storedPod({ metadata }: JsonObject): StoredPod {
  const { uid, resourceVersion, annotations } = isJsonObject(metadata) ? metadata : {};
  const text = isJsonObject(annotations) ? annotations[POD_NETWORKS_ANNOTATION] : undefined;
  return { uid, resourceVersion, text: typeof text === 'string' ? text : undefined };
}

function notDone(pod: PodKey, { status, message }: ApiFailure): ApplyResult {
  const isRefused = status !== undefined && status < 500;
  return { done: false, error: `${podText(pod)}: ${message}`, ...(isRefused && { isRefused: true as const }) };
}

/** Annotates pods on an API server. */
export class PodAnnotator implements PodAnnotations {
  readonly #server: ApiServer;
  readonly #fieldManager: string;

  constructor(server: ApiServer, fieldManager: string) {
    this.#server = server;
    this.#fieldManager = fieldManager;
  }

  async annotate(pod: PodKey, change: (text: string | undefined) => string): Promise<ApplyResult> {
    const path = `${pathOf(kinds.pods, pod.namespace)}/${encodeURIComponent(pod.name)}`;
    let failure: ApiFailure = { message: 'other programs keep changing it' };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await this.#server.send({ method: 'GET', path });
      if (!found.ok) return found.failure.status === NOT_FOUND ? { done: true } : notDone(pod, found.failure);
      const { uid, resourceVersion, text } = storedPod(found.value);
      const wanted = change(text);
      // Another pod of its name has none of its addresses.
      if (uid !== pod.uid || wanted === text) return { done: true };
      const metadata = { resourceVersion, annotations: { [POD_NETWORKS_ANNOTATION]: wanted } };
      const written = await this.#server.write({
        method: 'PATCH',
        path,
        query: { fieldManager: this.#fieldManager },
        contentType: 'application/merge-patch+json',
        body: { metadata },
      });
      if (written.ok || written.failure.status === NOT_FOUND) return { done: true };
      if (written.failure.status !== CONFLICT) return notDone(pod, written.failure);
      failure = written.failure;
    }
    return notDone(pod, failure);
  }
}
