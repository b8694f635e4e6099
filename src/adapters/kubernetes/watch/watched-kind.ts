import type { JsonObject } from '../../json/json-object.ts';
import type { WatchedList } from './watched-list.ts';

/** Of which objects of a kind there is a list: of all, or of those in some namespaces; of none where there are no names. */
export type WatchScope = 'everywhere' | readonly string[];

/** The part of a list that is needed here. */
type List = Pick<WatchedList, 'objects' | 'close'>;

/** The lists of a kind: one of all objects, or one for each of some namespaces. Which, may change at any time. */
export class WatchedKind<Some extends List = WatchedList> {
  readonly #open: (namespace: string | undefined) => Some;
  /** By namespace; that of all objects has none. */
  readonly #lists = new Map<string | undefined, Some>();
  /** Lists whose last request has not ended yet. */
  readonly #closing = new Set<Promise<void>>();
  #parts: readonly (readonly JsonObject[])[] = [];
  #objects: readonly JsonObject[] = [];

  /** @param open begins a list, of the objects in a namespace or of all */
  constructor(open: (namespace: string | undefined) => Some, scope: WatchScope) {
    this.#open = open;
    this.watch(scope);
  }

  get lists(): readonly Some[] {
    return [...this.#lists.values()];
  }

  /** The objects of all lists, in no order; the same list as before if none has changed. */
  get objects(): readonly JsonObject[] {
    const parts = this.lists.map(({ objects }) => objects);
    const isSame = parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index]);
    if (isSame) return this.#objects;
    const [only = []] = parts;
    this.#parts = parts;
    this.#objects = parts.length < 2 ? only : parts.flat();
    return this.#objects;
  }

  /** Begins the lists of a scope that there are not yet, and ends those that are not in it: their objects are not among the others any more. */
  watch(scope: WatchScope): void {
    const wanted = new Set<string | undefined>(scope === 'everywhere' ? [undefined] : scope);
    for (const [namespace, list] of this.#lists) {
      if (wanted.has(namespace)) continue;
      this.#lists.delete(namespace);
      const closing = list.close().finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
    for (const namespace of wanted) if (!this.#lists.has(namespace)) this.#lists.set(namespace, this.#open(namespace));
  }

  /** Ends all lists. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#closing, ...this.lists.map((list) => list.close())]);
  }
}
