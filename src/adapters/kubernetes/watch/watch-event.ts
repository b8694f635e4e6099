/**
 * Lines of a watch (Kubernetes documentation, "Kubernetes API Concepts", Watch bookmarks).
 */
import { isJsonObject, type JsonObject } from '../../json/json-object.ts';

/** Annotation of the bookmark after the initial objects of a streaming list (Kubernetes, KEP-3157). */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** A change that a watch reports. */
export type WatchedChange =
  | { readonly kind: 'put' | 'deleted'; readonly object: JsonObject; readonly version?: string }
  /** Nothing has changed up to the version. */
  | { readonly kind: 'bookmark'; readonly isEndOfList: boolean; readonly version?: string };

/** An event of a watch. */
export type WatchEvent =
  | WatchedChange
  /** The API server ends the watch. */
  | { readonly kind: 'failed'; readonly status?: number; readonly message: string };

/** The event in a line. Throws where it has none: it is not from an API server, or it has been cut. */
export function watchEvent(line: string): WatchEvent {
  const { type, object } = JSON.parse(line) as { readonly type?: unknown; readonly object?: unknown };
  if (!isJsonObject(object)) throw new Error('it has an event without an object');
  if (type === 'ERROR') {
    const { code, message } = object;
    return {
      kind: 'failed',
      ...(typeof code === 'number' && { status: code }),
      message: typeof message === 'string' ? message : 'the watch failed',
    };
  }
  const { resourceVersion, annotations } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const version = typeof resourceVersion === 'string' ? { version: resourceVersion } : {};
  if (type === 'BOOKMARK') {
    const isEndOfList = isJsonObject(annotations) && annotations[INITIAL_EVENTS_END] === 'true';
    return { kind: 'bookmark', isEndOfList, ...version };
  }
  return { kind: type === 'DELETED' ? 'deleted' : 'put', object, ...version };
}
