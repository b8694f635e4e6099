/** Does pieces of work that have a name in common one after the other, in the order in which they came, and others at the same time. */
export class Queues {
  /** The last piece of work of each name, which never rejects. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** The last one that had all names. */
  #lastOfAll: Promise<unknown> = Promise.resolve();

  /** @param names those that the work is done for; `all` also for those that no other work has had */
  do<Value>(names: readonly string[] | 'all', work: () => Promise<Value>): Promise<Value> {
    const former = names === 'all' ? [...this.#last.values()] : names.flatMap((name) => this.#last.get(name) ?? []);
    const result = Promise.all([this.#lastOfAll, ...former]).then(work);
    const end = result.catch(() => undefined);
    if (names === 'all') {
      this.#lastOfAll = end;
      this.#last.clear();
    } else {
      for (const name of names) this.#last.set(name, end);
      void end.then(() => this.#forget(names, end));
    }
    return result;
  }

  #forget(names: readonly string[], end: Promise<unknown>): void {
    for (const name of names) if (this.#last.get(name) === end) this.#last.delete(name);
  }
}
