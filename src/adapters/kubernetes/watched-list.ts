/**
 * All objects of a kind, kept up to date by a watch (Kubernetes documentation, "Kubernetes API Concepts", Efficient detection of changes).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Backoff, backoffDelay } from '../../ports/backoff.ts';
import type { InputProblem } from '../../ports/input-problem.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { Accept } from './accepted-object.ts';
import type { ApiFailure, ApiServer } from './api-server.ts';

/** What is listed. */
export interface ListOptions {
  /** The path of the list, such as `/api/v1/pods`. */
  readonly path: string;
  /** Selectors, as `labelSelector` and `fieldSelector`. */
  readonly selectors?: Readonly<Record<string, string>>;
  /** Whether the API server may not have the kind: then there is nothing of it, until it has. */
  readonly isOptional?: boolean;
  readonly accept: Accept;
  /** Called after changes of objects, and where it becomes known or unknown whether they are up to date. */
  readonly onChange: () => void;
}

/** A stored object. */
interface Stored {
  /** What is used of it; absent where it is invalid. */
  readonly object?: JsonObject;
  readonly warnings: readonly InputProblem[];
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Objects in a page of a list. */
const PAGE_SIZE = '500';

/** Seconds after which the API server ends a watch: between this and twice as much, so that not all clients come back at once. */
const WATCH_SECONDS = 300;

/** Milliseconds without an event after which the connection of a watch counts as lost: the API server sends a bookmark about once a minute. */
const WATCH_TIMEOUT = 180_000;

/** Milliseconds that a watch lasts at least, or it counts as failed. */
const SHORTEST_WATCH = 1000;

/** After a lost connection; an API server restarts within seconds, and a thousand agents wait for it. */
const BACKOFF: Backoff = { first: 200, longest: 30_000 };

/** Milliseconds after which an API server is asked again for a kind that it does not have. */
const ABSENT_KIND_INTERVAL = 30_000;

/** Annotation of the bookmark after the initial objects of a streaming list (Kubernetes, KEP-3157). */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** How an API server refuses a streaming list that it does not support: by its parameters, or by its storage. */
const UNSUPPORTED: ReadonlySet<number> = new Set([400, 422, 500]);

/** The list's version is too old, or it has expired while it was read in pages. */
const GONE = 410;

/** The objects of a kind, or of some of its objects. */
export class WatchedList {
  readonly #server: ApiServer;
  readonly #options: ListOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #firstAttempt = Promise.withResolvers<void>();
  #items = new Map<string, Stored>();
  /** Uids of objects that were deleted by us, whose deletion has not been observed. */
  readonly #deleted = new Set<string>();
  #objects: readonly JsonObject[] | undefined;
  #resourceVersion: string | undefined;
  #isKnown = false;
  #failure: ApiFailure | undefined;
  #attempts = 0;
  #canStream = true;

  constructor(server: ApiServer, options: ListOptions) {
    this.#server = server;
    this.#options = options;
    this.#running = this.#run();
  }

  /** Resolves once the list has been read, or could not be read. */
  get firstAttempt(): Promise<void> {
    return this.#firstAttempt.promise;
  }

  /** Whether the list has been read at least once. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Why it is not up to date; absent where it is. */
  get failure(): ApiFailure | undefined {
    return this.#failure;
  }

  /** The objects, in no order; the same list as before if none has changed. */
  get objects(): readonly JsonObject[] {
    return (this.#objects ??= [...this.#items.values()].flatMap(({ object }) =>
      object === undefined ? [] : [object],
    ));
  }

  /** Problems of objects. */
  get warnings(): readonly InputProblem[] {
    return [...this.#items.values()].flatMap(({ warnings }) => warnings);
  }

  /** What is used of an object; absent where there is none, or it is invalid. */
  get(key: string): JsonObject | undefined {
    return this.#items.get(key)?.object;
  }

  /** The uid of an object; absent where there is none of the name. */
  uidOf(key: string): string | undefined {
    return this.#items.get(key)?.uid;
  }

  /** Takes an object as the API server has answered to a write: its event comes later. */
  take(object: JsonObject): void {
    this.#put(object);
  }

  /** Leaves an object out that the API server has deleted. */
  drop(key: string): void {
    const stored = this.#items.get(key);
    if (stored === undefined) return;
    this.#deleted.add(stored.uid);
    this.#items.delete(key);
    this.#objects = undefined;
  }

  /** Ends the watch. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const failure = await this.#follow();
      if (this.#closing.signal.aborted) break;
      this.#settle(failure);
      await this.#wait(failure);
    }
    this.#firstAttempt.resolve();
  }

  /** Reads the list, and follows its changes until the watch ends; returns why it ended, or nothing where that was to be expected. */
  async #follow(): Promise<ApiFailure | undefined> {
    if (this.#resourceVersion === undefined && !this.#canStream) {
      const failure = await this.#readPages();
      if (failure !== undefined) return failure;
    }
    return await this.#watch();
  }

  #settle(failure: ApiFailure | undefined): void {
    this.#attempts = failure === undefined ? 0 : this.#attempts + 1;
    const isAbsentKind = failure?.status === 404 && this.#options.isOptional === true;
    if (isAbsentKind) this.#replace(new Map(), undefined);
    const reported = isAbsentKind ? undefined : failure;
    // One that has only ended is resumed.
    const hasChanged = reported?.message !== this.#failure?.message && (reported !== undefined || !this.#isKnown);
    if (reported !== undefined) this.#failure = reported;
    this.#firstAttempt.resolve();
    if (hasChanged) this.#options.onChange();
  }

  async #wait(failure: ApiFailure | undefined): Promise<void> {
    if (failure === undefined) return;
    const isAbsentKind = failure.status === 404 && this.#options.isOptional === true;
    const backoff = backoffDelay(BACKOFF, this.#attempts) * (0.5 + Math.random() / 2);
    const delay = isAbsentKind ? ABSENT_KIND_INTERVAL : Math.max(failure.retryAfter ?? 0, backoff);
    await pause(delay, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  async #readPages(): Promise<ApiFailure | undefined> {
    const items = new Map<string, Stored>();
    let limit: string | undefined = PAGE_SIZE;
    let next = '';
    for (;;) {
      const query: Record<string, string> = { ...this.#options.selectors };
      if (limit !== undefined) query['limit'] = limit;
      if (next !== '') query['continue'] = next;
      const result = await this.#server.send({ method: 'GET', path: this.#options.path, query });
      if (!result.ok && result.failure.status === GONE && limit !== undefined) {
        // The list has changed too much while it was read in pages: it is read at once.
        items.clear();
        [limit, next] = [undefined, ''];
        continue;
      }
      if (!result.ok) return result.failure;
      const { metadata, items: page } = result.value;
      for (const object of Array.isArray(page) ? page : []) {
        if (isJsonObject(object)) this.#add(items, object);
      }
      const { continue: token, resourceVersion } = isJsonObject(metadata) ? metadata : {};
      next = typeof token === 'string' ? token : '';
      if (next === '') {
        this.#replace(items, typeof resourceVersion === 'string' ? resourceVersion : undefined);
        return undefined;
      }
    }
  }

  async #watch(): Promise<ApiFailure | undefined> {
    const seconds = Math.round(WATCH_SECONDS * (1 + Math.random()));
    const isInitial = this.#resourceVersion === undefined;
    const query = {
      ...this.#options.selectors,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(seconds),
      ...(isInitial
        ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion: this.#resourceVersion ?? '' }),
    };
    const { path } = this.#options;
    const stream = await this.#server.stream({ method: 'GET', path, query }, this.#closing.signal, WATCH_TIMEOUT);
    if (!stream.ok) return this.#afterError(stream.failure, isInitial);
    if (!isInitial) this.#upToDate();
    const start = performance.now();
    try {
      const failure = await this.#events(stream.lines, isInitial);
      if (failure !== undefined || performance.now() - start > SHORTEST_WATCH) return failure;
      return { message: `${this.#server.url}: the watch ended at once` };
    } catch (error) {
      return {
        message: `${this.#server.url}: the connection was lost: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }

  /** What to do about a watch that the API server does not begin, or ends: the failure, or nothing where the list is to be read again. */
  #afterError(failure: ApiFailure, isInitial: boolean): ApiFailure | undefined {
    if (failure.status === GONE) {
      this.#resourceVersion = undefined;
      return undefined;
    }
    // Streaming lists need Kubernetes 1.27 and etcd 3.4.25, and may be disabled.
    if (isInitial && failure.status !== undefined && UNSUPPORTED.has(failure.status)) {
      this.#canStream = false;
      return undefined;
    }
    return failure;
  }

  /** Applies events until they end. */
  async #events(lines: AsyncIterable<string>, isInitial: boolean): Promise<ApiFailure | undefined> {
    let initial: Map<string, Stored> | undefined = isInitial ? new Map() : undefined;
    for await (const line of lines) {
      const { type, object } = JSON.parse(line) as { readonly type?: unknown; readonly object?: unknown };
      if (!isJsonObject(object)) throw new Error('it has an event without an object');
      const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
      if (type === 'ERROR') return this.#afterError(this.#failureIn(object), initial !== undefined);
      const version = metadata['resourceVersion'];
      if (type === 'BOOKMARK') {
        const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
        if (initial !== undefined && annotations[INITIAL_EVENTS_END] === 'true') {
          this.#replace(initial, typeof version === 'string' ? version : undefined);
          initial = undefined;
        }
      } else if (initial !== undefined) this.#add(initial, object);
      else if (type === 'DELETED') this.#remove(object);
      else this.#put(object);
      if (initial === undefined && typeof version === 'string') this.#resourceVersion = version;
    }
    return initial === undefined
      ? undefined
      : { message: `${this.#server.url}: the connection was lost: the list is incomplete` };
  }

  #failureIn({ code, message }: JsonObject): ApiFailure {
    return {
      ...(typeof code === 'number' && { status: code }),
      message: `${this.#server.url}: ${typeof message === 'string' ? message : 'the watch failed'}`,
    };
  }

  #replace(items: Map<string, Stored>, resourceVersion: string | undefined): void {
    const former = this.#items;
    this.#items = items;
    this.#resourceVersion = resourceVersion;
    this.#deleted.clear();
    const isUnchanged =
      former.size === items.size && [...items].every(([key, stored]) => isSame(stored, former.get(key)));
    if (!isUnchanged) this.#objects = undefined;
    const wasKnown = this.#isKnown;
    this.#isKnown = true;
    this.#upToDate();
    this.#firstAttempt.resolve();
    if (!isUnchanged || !wasKnown) this.#options.onChange();
  }

  #upToDate(): void {
    this.#attempts = 0;
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.onChange();
  }

  /** Adds an object to a list, sharing what is known of it already. */
  #add(items: Map<string, Stored>, object: JsonObject): void {
    const stored = this.#storedOf(object);
    if (stored !== undefined) items.set(keyOf(object), stored);
  }

  #put(object: JsonObject): void {
    const key = keyOf(object);
    const former = this.#items.get(key);
    const stored = this.#storedOf(object);
    if (stored === undefined || this.#deleted.has(stored.uid)) return;
    if (former !== undefined && former.uid === stored.uid && isOlder(stored, former)) return;
    this.#items.set(key, stored);
    if (isSame(stored, former)) return;
    this.#objects = undefined;
    this.#options.onChange();
  }

  #remove(object: JsonObject): void {
    const key = keyOf(object);
    const uid = uidIn(object);
    this.#deleted.delete(uid);
    if (this.#items.get(key)?.uid !== uid) return;
    this.#items.delete(key);
    this.#objects = undefined;
    this.#options.onChange();
  }

  #storedOf(object: JsonObject): Stored | undefined {
    const { resourceVersion } = isJsonObject(object['metadata']) ? object['metadata'] : {};
    if (typeof resourceVersion !== 'string') return undefined;
    const known = this.#items.get(keyOf(object))?.object;
    const { object: used, warnings } = this.#options.accept(object, known);
    const shared = known !== undefined && isDeepStrictEqual(known, used) ? known : used;
    return { ...(shared && { object: shared }), warnings, uid: uidIn(object), resourceVersion };
  }
}

/** `name`, or `namespace/name`. */
function keyOf({ metadata }: JsonObject): string {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return typeof namespace === 'string' ? `${namespace}/${String(name)}` : String(name);
}

function uidIn({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata['uid']) : '';
}

/** Resource versions of one object are compared as numbers (Kubernetes, KEP-5504); others are taken as they come. */
function isOlder({ resourceVersion: left }: Stored, { resourceVersion: right }: Stored): boolean {
  return /^\d+$/.test(left) && /^\d+$/.test(right) && BigInt(left) < BigInt(right);
}

/** Whether what is used of two versions of an object is the same. */
function isSame(stored: Stored, former: Stored | undefined): boolean {
  return former?.object === stored.object && isDeepStrictEqual(former?.warnings, stored.warnings);
}
