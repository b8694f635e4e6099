/**
 * All objects of a kind, kept up to date by a watch (Kubernetes documentation, "Kubernetes API Concepts", Efficient detection of changes).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { InputProblem } from '../../../ports/input-problem.ts';
import type { JsonObject } from '../../json/json-object.ts';
import type { Accept } from './accepted-object.ts';
import type { ApiFailure, ApiServer } from '../api-server.ts';
import { ListAttempts } from './list-attempts.ts';
import { GONE, metadataAs, readPages } from './list-pages.ts';
import { type ObjectList, ObservedObjects } from './observed-objects.ts';
import type { WaitEnd } from '../reachability.ts';
import { watchEvent } from './watch-event.ts';

/** The objects to list. */
export interface ListOptions {
  /** The path of the list, such as `/api/v1/pods`. */
  readonly path: string;
  /** Selectors, as `labelSelector` and `fieldSelector`. */
  readonly selectors?: Readonly<Record<string, string>>;
  /** For a kind that the API server may not have: whether it has it, or why that is not known. Where it has not, there is nothing of it, until it has. */
  readonly isServed?: () => Promise<boolean | ApiFailure>;
  readonly accept: Accept;
  /** Whether only the metadata of the objects is requested. */
  readonly isMetadataOnly?: boolean;
  /** Called after changes of objects, and where it becomes known or unknown whether they are up to date. */
  readonly onChange: () => void;
}

/** Seconds after which the API server ends a watch: between this and twice as much, so that not all clients come back at once. */
const WATCH_SECONDS = 300;

/** Milliseconds without an event after which the connection of a watch counts as lost: the API server sends a bookmark about once a minute. */
const WATCH_TIMEOUT = 180_000;

/** Milliseconds after which an API server is asked again for a kind that it does not have. */
const ABSENT_KIND_INTERVAL = 30_000;

/** How an API server refuses the parameters of a streaming list that it does not know, or that is disabled. */
const UNSUPPORTED: ReadonlySet<number> = new Set([400, 422]);

/** How it says that its etcd lacks what a streaming list needs; an internal error otherwise passes (apiserver, storage/cacher, Cacher.Watch). */
const UNSUPPORTED_BY_STORAGE = /required storage feature/;

/** How an attempt to follow a list has ended: as expected, with a failure, or because the API server does not have the kind. */
type Outcome = ApiFailure | 'absent' | undefined;

/** The objects of a kind, or of some of its objects. */
export class WatchedList {
  readonly #server: ApiServer;
  readonly #options: ListOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #firstAttempt = Promise.withResolvers<undefined>();
  readonly #items: ObservedObjects;
  #isKnown = false;
  #failure: ApiFailure | undefined;
  readonly #attempts = new ListAttempts();
  #canStream = true;
  /** Whether the API server did not have the kind when it was asked last. */
  #isAbsent = false;

  constructor(server: ApiServer, options: ListOptions) {
    this.#server = server;
    this.#options = options;
    this.#items = new ObservedObjects(options.accept);
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
    return this.#items.objects;
  }

  /** The objects that cannot be read, as `name` or `namespace/name`, in order. */
  get unreadable(): readonly string[] {
    return this.#items.unreadable;
  }

  /** Problems of objects. */
  get warnings(): readonly InputProblem[] {
    return this.#items.warnings;
  }

  /** The part of an object that is used; absent where there is none, or it is invalid. */
  get(key: string): JsonObject | undefined {
    return this.#items.get(key);
  }

  /** The uid of an object; absent where there is none of the name. */
  uidOf(key: string): string | undefined {
    return this.#items.uidOf(key);
  }

  /** Takes an object as the API server has answered to a write: its event comes later. */
  take(object: JsonObject): void {
    if (this.#items.take(object)) this.#options.onChange();
  }

  /** Leaves an object out that the API server has deleted. */
  drop(key: string): void {
    this.#items.drop(key);
  }

  /** Ends the watch. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let waitEnd: WaitEnd | undefined;
    while (!this.#isClosed()) {
      this.#attempts.begin();
      const outcome = await this.#outcomeOf(await this.#follow());
      if (this.#isClosed()) break;
      // Where the API server answers other requests, only this list fails.
      if (outcome !== 'absent' && outcome?.isUnanswered === true && waitEnd !== 'answered') {
        this.#settle(outcome);
        waitEnd = await this.#server.reachability.wait(this.#closing.signal);
        continue;
      }
      waitEnd = undefined;
      this.#attempts.end(performance.now());
      this.#settle(outcome);
      await this.#wait(outcome);
    }
    this.#firstAttempt.resolve(undefined);
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Reads the list, and follows its changes until the watch ends; returns why it ended, or nothing where that was expected. */
  async #follow(): Promise<ApiFailure | undefined> {
    if (this.#items.resourceVersion === undefined && !this.#canStream) {
      const failure = await this.#readPages();
      if (failure !== undefined) return failure;
    }
    return await this.#watch();
  }

  /** Whether a 404 means that the kind is gone: one answer may be wrong, and its objects must not count as deleted because of it. */
  async #outcomeOf(failure: ApiFailure | undefined): Promise<Outcome> {
    const { isServed } = this.#options;
    if (failure?.status !== 404 || isServed === undefined) return failure;
    if (this.#isAbsent) return 'absent';
    const served = await isServed();
    if (served === false) return 'absent';
    return served === true ? failure : served;
  }

  #settle(outcome: Outcome): void {
    if (outcome === 'absent') {
      this.#replace(this.#items.newList(), undefined);
      this.#isAbsent = true;
    }
    const reported = outcome === 'absent' ? undefined : outcome;
    // One that has only ended is resumed.
    const hasChanged = reported?.message !== this.#failure?.message && (reported !== undefined || !this.#isKnown);
    if (reported !== undefined) this.#failure = reported;
    // Where the list is only requested in another way, the attempt continues.
    if (reported !== undefined || this.#attempts.areRepeated) this.#firstAttempt.resolve(undefined);
    if (hasChanged) this.#options.onChange();
  }

  async #wait(outcome: Outcome): Promise<void> {
    const delay = outcome === 'absent' ? ABSENT_KIND_INTERVAL : this.#attempts.delayAfter(outcome, Math.random());
    if (delay > 0) await pause(delay, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #accept(metadataKind: string): { readonly accept?: string } {
    return this.#options.isMetadataOnly === true ? { accept: metadataAs(metadataKind) } : {};
  }

  async #readPages(): Promise<ApiFailure | undefined> {
    const { path, selectors = {} } = this.#options;
    const request = { path, selectors, ...this.#accept('PartialObjectMetadataList') };
    const pages = await readPages(this.#server, request, () => this.#items.newList());
    if (!pages.ok) return pages.failure;
    this.#replace(pages.list, pages.resourceVersion);
    return undefined;
  }

  async #watch(): Promise<ApiFailure | undefined> {
    const seconds = Math.round(WATCH_SECONDS * (1 + Math.random()));
    const { resourceVersion } = this.#items;
    const isInitial = resourceVersion === undefined;
    const query = {
      ...this.#options.selectors,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(seconds),
      ...(isInitial ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : { resourceVersion }),
    };
    const { path } = this.#options;
    const stream = await this.#server.stream(
      { method: 'GET', path, query, ...this.#accept('PartialObjectMetadata') },
      this.#closing.signal,
      WATCH_TIMEOUT,
    );
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

  /** Handles a watch that the API server refuses or ends; returns the failure, or nothing where the list has to be read again. */
  #afterError(failure: ApiFailure, isInitial: boolean): ApiFailure | undefined {
    if (failure.status === GONE) {
      this.#items.expire();
      return undefined;
    }
    // Streaming lists need Kubernetes 1.27 and etcd 3.4.25, and may be disabled.
    if (isInitial && isUnsupported(failure)) {
      this.#canStream = false;
      return undefined;
    }
    return failure;
  }

  /** Applies events until they end. */
  async #events(lines: AsyncIterable<string>, isInitial: boolean): Promise<ApiFailure | undefined> {
    let initial = isInitial ? this.#items.newList() : undefined;
    for await (const line of lines) {
      const event = watchEvent(line);
      if (event.kind === 'failed') return this.#afterError(event, initial !== undefined);
      if (initial === undefined) {
        if (this.#items.observe(event)) this.#options.onChange();
      } else if (event.kind !== 'bookmark') initial.add(event.object);
      else if (event.isEndOfList) {
        this.#replace(initial, event.version);
        initial = undefined;
      }
    }
    if (initial !== undefined)
      return { message: `${this.#server.url}: the connection was lost: the list is incomplete` };
    return this.#attempts.hasLasted(performance.now())
      ? undefined
      : { message: `${this.#server.url}: the watch ended at once` };
  }

  #replace(list: ObjectList, resourceVersion: string | undefined): void {
    const isChanged = this.#items.replace(list, resourceVersion);
    const wasKnown = this.#isKnown;
    this.#isKnown = true;
    this.#upToDate();
    this.#firstAttempt.resolve(undefined);
    if (isChanged || !wasKnown) this.#options.onChange();
  }

  #upToDate(): void {
    this.#isAbsent = false;
    this.#attempts.upToDate(performance.now());
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.onChange();
  }
}

function isUnsupported({ status, message }: ApiFailure): boolean {
  return status !== undefined && (UNSUPPORTED.has(status) || UNSUPPORTED_BY_STORAGE.test(message));
}
