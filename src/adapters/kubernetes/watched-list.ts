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
import { type Observation, watchEvent } from './watch-event.ts';

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

/** Milliseconds that a list has been up to date at least, or the attempt counts as failed. */
const SHORTEST_WATCH = 1000;

/** After a lost connection; an API server restarts within seconds, and a thousand agents wait for it. */
const BACKOFF: Backoff = { first: 200, longest: 30_000 };

/** Milliseconds to wait at most as an API server asks for: timers take 24 days at most (Node.js, setTimeout), and nobody means that long. */
const LONGEST_WAIT = 600_000;

/** Milliseconds after which an API server is asked again for a kind that it does not have. */
const ABSENT_KIND_INTERVAL = 30_000;

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
  readonly #firstAttempt = Promise.withResolvers<undefined>();
  #items = new Map<string, Stored>();
  /** Uids of objects that were deleted by us, whose deletion has not been observed. */
  readonly #deleted = new Set<string>();
  /** Keys of objects that were written by us, whose change has not been observed. */
  readonly #written = new Set<string>();
  #objects: readonly JsonObject[] | undefined;
  #resourceVersion: string | undefined;
  #isKnown = false;
  #failure: ApiFailure | undefined;
  /** Consecutive attempts after which the list was not up to date for long. */
  #attempts = 0;
  /** Since when the list is up to date, in milliseconds; absent before that in an attempt. */
  #upToDateSince: number | undefined;
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
    // What has been observed by now may be later: even that the object is deleted.
    if (this.#isPast(versionOf(object))) return;
    if (isDeleted(object)) {
      this.drop(keyOf(object));
      return;
    }
    this.#written.add(keyOf(object));
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
    while (!this.#isClosed()) {
      this.#upToDateSince = undefined;
      const failure = await this.#follow();
      if (this.#isClosed()) break;
      this.#attempts = this.#hasLasted() ? 0 : this.#attempts + 1;
      this.#settle(failure);
      await this.#wait(failure);
    }
    this.#firstAttempt.resolve(undefined);
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
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
    const isAbsentKind = failure?.status === 404 && this.#options.isOptional === true;
    if (isAbsentKind) this.#replace(new Map(), undefined);
    const reported = isAbsentKind ? undefined : failure;
    // One that has only ended is resumed.
    const hasChanged = reported?.message !== this.#failure?.message && (reported !== undefined || !this.#isKnown);
    if (reported !== undefined) this.#failure = reported;
    this.#firstAttempt.resolve(undefined);
    if (hasChanged) this.#options.onChange();
  }

  async #wait(failure: ApiFailure | undefined): Promise<void> {
    // The first that has only ended, or whose version has expired, is resumed at once.
    const attempts = failure === undefined ? this.#attempts - 1 : Math.max(this.#attempts, 1);
    if (attempts < 1) return;
    const isAbsentKind = failure?.status === 404 && this.#options.isOptional === true;
    const backoff = backoffDelay(BACKOFF, attempts) * (0.5 + Math.random() / 2);
    const asked = Math.min(failure?.retryAfter ?? 0, LONGEST_WAIT);
    const delay = isAbsentKind ? ABSENT_KIND_INTERVAL : Math.max(asked, backoff);
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
    try {
      return await this.#events(stream.lines, isInitial);
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
      const event = watchEvent(line);
      if (event.kind === 'failed') return this.#afterError(event, initial !== undefined);
      if (initial === undefined) this.#observe(event);
      else if (event.kind !== 'bookmark') this.#add(initial, event.object);
      else if (event.isEndOfList) {
        this.#replace(initial, event.version);
        initial = undefined;
      }
    }
    if (initial !== undefined)
      return { message: `${this.#server.url}: the connection was lost: the list is incomplete` };
    return this.#hasLasted() ? undefined : { message: `${this.#server.url}: the watch ended at once` };
  }

  #hasLasted(): boolean {
    return this.#upToDateSince !== undefined && performance.now() - this.#upToDateSince > SHORTEST_WATCH;
  }

  /** Whether the list is of this version, or of a later one. */
  #isPast(version: string | undefined): boolean {
    const current = this.#resourceVersion;
    return version !== undefined && current !== undefined && (version === current || isOlder(version, current));
  }

  #replace(items: Map<string, Stored>, resourceVersion: string | undefined): void {
    const former = this.#items;
    this.#keepOwnWrites(items, resourceVersion);
    this.#items = items;
    this.#resourceVersion = resourceVersion;
    const isUnchanged =
      former.size === items.size && [...items].every(([key, stored]) => isSame(stored, former.get(key)));
    if (!isUnchanged) this.#objects = undefined;
    const wasKnown = this.#isKnown;
    this.#isKnown = true;
    this.#upToDate();
    this.#firstAttempt.resolve(undefined);
    if (!isUnchanged || !wasKnown) this.#options.onChange();
  }

  /** Puts into a list what was written and deleted by us after it had been read. */
  #keepOwnWrites(items: Map<string, Stored>, resourceVersion: string | undefined): void {
    for (const key of this.#written) {
      const stored = this.#items.get(key);
      if (stored !== undefined && resourceVersion !== undefined && isOlder(resourceVersion, stored.resourceVersion))
        items.set(key, stored);
      else this.#written.delete(key);
    }
    const keys = new Map([...items].map(([key, { uid }]) => [uid, key]));
    for (const uid of this.#deleted) {
      const key = keys.get(uid);
      if (key === undefined) this.#deleted.delete(uid);
      else items.delete(key);
    }
  }

  #upToDate(): void {
    this.#upToDateSince = performance.now();
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.onChange();
  }

  /** Adds an object to a list, sharing what is known of it already. */
  #add(items: Map<string, Stored>, object: JsonObject): void {
    const stored = this.#storedOf(object);
    if (stored !== undefined) items.set(keyOf(object), stored);
  }

  #observe(event: Observation): void {
    // A proxy may send an event again.
    if (this.#isPast(event.version)) return;
    if (event.kind !== 'bookmark') {
      this.#written.delete(keyOf(event.object));
      if (event.kind === 'deleted') this.#remove(event.object);
      else this.#put(event.object);
    }
    if (event.version !== undefined) this.#resourceVersion = event.version;
  }

  #put(object: JsonObject): void {
    const key = keyOf(object);
    const former = this.#items.get(key);
    const stored = this.#storedOf(object);
    if (stored === undefined || this.#deleted.has(stored.uid)) return;
    if (former !== undefined && former.uid === stored.uid && isOlder(stored.resourceVersion, former.resourceVersion))
      return;
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
    const resourceVersion = versionOf(object);
    if (resourceVersion === undefined) return undefined;
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

function versionOf({ metadata }: JsonObject): string | undefined {
  const { resourceVersion } = isJsonObject(metadata) ? metadata : {};
  return typeof resourceVersion === 'string' ? resourceVersion : undefined;
}

/** Whether an object is deleted with the write that has taken its last finalizer (Kubernetes documentation, "Finalizers"). */
function isDeleted({ metadata }: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = isJsonObject(metadata) ? metadata : {};
  return deletionTimestamp !== undefined && (!Array.isArray(finalizers) || finalizers.length === 0);
}

function uidIn({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata['uid']) : '';
}

/** Resource versions of objects of a kind are compared as numbers (Kubernetes, KEP-5504); others are taken as they come. */
function isOlder(left: string, right: string): boolean {
  return /^\d+$/.test(left) && /^\d+$/.test(right) && BigInt(left) < BigInt(right);
}

/** Whether what is used of two versions of an object is the same. */
function isSame(stored: Stored, former: Stored | undefined): boolean {
  return former?.object === stored.object && isDeepStrictEqual(former?.warnings, stored.warnings);
}
