/**
 * The objects of a kind as events of a watch describe them, with what this process has written itself: that is seen at once, though its event comes later.
 */
import { isDeepStrictEqual } from 'node:util';
import type { InputProblem } from '../../../ports/input-problem.ts';
import { isJsonObject, type JsonObject } from '../../json/json-object.ts';
import type { Accept } from './accepted-object.ts';
import { PlacedValues } from './placed-values.ts';
import type { WatchedChange } from './watch-event.ts';

/** A stored object. */
interface Stored {
  /** The part of it that is used; absent where it is invalid. */
  readonly object?: JsonObject;
  readonly warnings: readonly InputProblem[];
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A list while it is read. */
export interface ObjectList {
  readonly items: Map<string, Stored>;
  add(object: JsonObject): void;
}

export class ObservedObjects {
  readonly #accept: Accept;
  readonly #items = new Map<string, Stored>();
  readonly #objects = new PlacedValues<JsonObject>();
  /** Keys of the objects that cannot be read. */
  readonly #unreadableKeys = new Set<string>();
  /** Problems of the objects that have some, by key. */
  readonly #warnings = new Map<string, readonly InputProblem[]>();
  /** Uids of objects that were deleted by us, whose deletion has not been observed. */
  readonly #deleted = new Set<string>();
  /** Keys of objects that were written by us, whose change has not been observed. */
  readonly #written = new Set<string>();
  #unreadable: readonly string[] | undefined;
  #resourceVersion: string | undefined;

  constructor(accept: Accept) {
    this.#accept = accept;
  }

  /** The version up to which everything is observed; absent where a list has to be read first. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  /** The objects, in no order; the same list as before if none has changed. */
  get objects(): readonly JsonObject[] {
    return this.#objects.list;
  }

  /** The objects that cannot be read, as `name` or `namespace/name`, in order; they are not among the others. */
  get unreadable(): readonly string[] {
    return (this.#unreadable ??= [...this.#unreadableKeys].sort());
  }

  /** Problems of objects. */
  get warnings(): readonly InputProblem[] {
    return [...this.#warnings.values()].flat();
  }

  /** The part of an object that is used; absent where there is none, or it is invalid. */
  get(key: string): JsonObject | undefined {
    return this.#items.get(key)?.object;
  }

  /** The uid of an object; absent where there is none of the name. */
  uidOf(key: string): string | undefined {
    return this.#items.get(key)?.uid;
  }

  /** Has a list read again: the API server does not have the changes since the version any more. */
  expire(): void {
    this.#resourceVersion = undefined;
  }

  /** An empty list, to be filled before it replaces all objects. What is known of an object already is shared. */
  newList(): ObjectList {
    const items = new Map<string, Stored>();
    return {
      items,
      add: (object) => {
        const stored = this.#storedOf(object);
        if (stored !== undefined) items.set(keyOf(object), stored);
      },
    };
  }

  /** Takes a list as it was read; returns whether that changes anything. */
  replace({ items }: ObjectList, resourceVersion: string | undefined): boolean {
    this.#keepOwnWrites(items, resourceVersion);
    this.#resourceVersion = resourceVersion;
    const gone = [...this.#items.keys()].filter((key) => !items.has(key));
    const changed = [...items].filter(([key, stored]) => !isSame(stored, this.#items.get(key)));
    for (const key of gone) this.#store(key, undefined);
    for (const [key, stored] of items) this.#store(key, stored);
    return gone.length + changed.length > 0;
  }

  /** Takes an event; returns whether that changes anything. */
  observe(event: WatchedChange): boolean {
    // A proxy may send an event again.
    if (this.#isPast(event.version)) return false;
    if (event.version !== undefined) this.#resourceVersion = event.version;
    if (event.kind === 'bookmark') return false;
    this.#written.delete(keyOf(event.object));
    return event.kind === 'deleted' ? this.#remove(event.object) : this.#put(event.object);
  }

  /** Takes an object as the API server has answered to a write; returns whether that changes anything. */
  take(object: JsonObject): boolean {
    // What has been observed by now may be later: even that the object is deleted.
    if (this.#isPast(versionOf(object))) return false;
    if (isDeleted(object)) {
      this.drop(keyOf(object));
      return false;
    }
    this.#written.add(keyOf(object));
    return this.#put(object);
  }

  /** Leaves an object out that the API server has deleted. */
  drop(key: string): void {
    const stored = this.#items.get(key);
    if (stored === undefined) return;
    this.#deleted.add(stored.uid);
    this.#store(key, undefined);
  }

  /** Whether everything up to this version is observed. */
  #isPast(version: string | undefined): boolean {
    const current = this.#resourceVersion;
    return version !== undefined && current !== undefined && (version === current || isOlder(version, current));
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

  #put(object: JsonObject): boolean {
    const key = keyOf(object);
    const former = this.#items.get(key);
    const stored = this.#storedOf(object);
    if (stored === undefined || this.#deleted.has(stored.uid)) return false;
    if (former !== undefined && former.uid === stored.uid && isOlder(stored.resourceVersion, former.resourceVersion))
      return false;
    this.#store(key, stored);
    return !isSame(stored, former);
  }

  /** Stores an object, or removes it. */
  #store(key: string, stored: Stored | undefined): void {
    if (stored === undefined) this.#items.delete(key);
    else this.#items.set(key, stored);
    this.#objects.set(key, stored?.object);
    const isUnreadable = stored !== undefined && stored.object === undefined;
    if (isUnreadable !== this.#unreadableKeys.has(key)) {
      this.#unreadable = undefined;
      if (isUnreadable) this.#unreadableKeys.add(key);
      else this.#unreadableKeys.delete(key);
    }
    if (stored !== undefined && stored.warnings.length > 0) this.#warnings.set(key, stored.warnings);
    else this.#warnings.delete(key);
  }

  #remove(object: JsonObject): boolean {
    const key = keyOf(object);
    const uid = uidIn(object);
    this.#deleted.delete(uid);
    if (this.#items.get(key)?.uid !== uid) return false;
    this.#store(key, undefined);
    return true;
  }

  #storedOf(object: JsonObject): Stored | undefined {
    const resourceVersion = versionOf(object);
    if (resourceVersion === undefined) return undefined;
    const known = this.#items.get(keyOf(object))?.object;
    const { object: used, warnings } = this.#accept(object, known);
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

/** The uid that an object has been given. */
export function uidIn({ metadata }: JsonObject): string {
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
