/** Writes that are pending, decided object by object. */
import { sameIfEqual, sameIfSameItems } from '../../../basics/incremental/same-if-equal.ts';
import { byName } from '../../../basics/names/ordering.ts';

/** Objects to write, by key, of which equal ones are the same objects as before. */
export class Pending<Item extends object> {
  readonly #items: Map<string, Item> = new Map<string, Item>();
  #earlier: ReadonlyMap<string, Item> | undefined;
  #list: readonly Item[] = [];
  #isChanged = false;

  /** @param former items before all are decided anew, with which equal ones are shared */
  constructor(former?: Pending<Item>) {
    if (former === undefined) return;
    this.#earlier = former.#items;
    this.#list = former.list;
    this.#isChanged = true;
  }

  set(key: string, item: Item | undefined): void {
    const before = this.#items.get(key);
    const later = item && sameIfEqual(before ?? this.#earlier?.get(key), item);
    if (before === later) return;
    this.#isChanged = true;
    if (later === undefined) this.#items.delete(key);
    else this.#items.set(key, later);
  }

  /** By key; the same list as long as it has the same items. */
  get list(): readonly Item[] {
    if (!this.#isChanged) return this.#list;
    this.#isChanged = false;
    this.#earlier = undefined;
    const sorted = [...this.#items.keys()].sort(byName).flatMap((key) => this.#items.get(key) ?? []);
    return (this.#list = sameIfSameItems(this.#list, sorted));
  }
}
