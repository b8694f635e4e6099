/** A piece of work that waits for its turn. */
interface Waiting {
  readonly group: string;
  readonly begin: () => void;
}

/** Does several pieces of work at a time. Others come after them: first those of the group of which the fewest are done, in the order in which they came. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<Waiting>();
  /** How many pieces of a group are being done. */
  readonly #running = new Map<string, number>();

  /** @param atOnce how many at a time */
  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Does a piece of work in its turn.
   *
   * @param late aborted where it is not waited for any longer
   * @returns undefined where its turn has not come by then
   */
  async take<Result>(group: string, work: () => Promise<Result>, late: AbortSignal): Promise<Result | undefined> {
    if (!(await this.#turn(group, late))) return undefined;
    try {
      return await work();
    } finally {
      this.#end(group);
    }
  }

  #begin(group: string): void {
    this.#running.set(group, this.#runningOf(group) + 1);
  }

  #end(group: string): void {
    const others = this.#runningOf(group) - 1;
    if (others === 0) this.#running.delete(group);
    else this.#running.set(group, others);
    const next = this.#next();
    if (next === undefined) this.#free += 1;
    else next.begin();
  }

  #runningOf(group: string): number {
    return this.#running.get(group) ?? 0;
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const each of this.#waiting) {
      if (next === undefined || this.#runningOf(each.group) < this.#runningOf(next.group)) next = each;
    }
    return next;
  }

  /** Waits for a turn. @returns whether it has come */
  async #turn(group: string, late: AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      this.#begin(group);
      return true;
    }
    if (late.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => {
      this.#waiting.delete(waiting);
      late.removeEventListener('abort', giveUp);
      this.#begin(group);
      resolve(true);
    };
    const waiting = { group, begin };
    const giveUp = () => {
      this.#waiting.delete(waiting);
      resolve(false);
    };
    this.#waiting.add(waiting);
    late.addEventListener('abort', giveUp, { once: true });
    return await promise;
  }
}
