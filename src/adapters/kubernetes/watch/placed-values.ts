/**
 * Values by key, in a list where a value stays in its place while others come, go and change: the next list differs from the one before in few places, so
 * what has changed is found by comparing references.
 */
export class PlacedValues<Value> {
  readonly #values: Value[] = [];
  readonly #keys: string[] = [];
  readonly #places = new Map<string, number>();
  #list: readonly Value[] | undefined;

  /** The values, in no order; the same list as long as nothing changes. */
  get list(): readonly Value[] {
    return (this.#list ??= [...this.#values]);
  }

  /**
   * Puts the value of a key in the place of the former one, or at the end.
   *
   * @param value undefined to remove the former one, whose place the last one gets
   */
  set(key: string, value: Value | undefined): void {
    const place = this.#places.get(key);
    if (value === undefined) {
      if (place !== undefined) this.#remove(key, place);
      return;
    }
    if (place === undefined) {
      this.#places.set(key, this.#values.push(value) - 1);
      this.#keys.push(key);
    } else {
      if (this.#values[place] === value) return;
      this.#values[place] = value;
    }
    this.#list = undefined;
  }

  #remove(key: string, place: number): void {
    const [value, last] = [this.#values.pop(), this.#keys.pop()];
    this.#places.delete(key);
    if (value !== undefined && last !== undefined && last !== key) {
      this.#values[place] = value;
      this.#keys[place] = last;
      this.#places.set(last, place);
    }
    this.#list = undefined;
  }
}
