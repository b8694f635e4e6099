/** Does several pieces of work at a time, and others in the order in which they came. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

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
  async take<Result>(work: () => Promise<Result>, late: AbortSignal): Promise<Result | undefined> {
    if (!(await this.#turn(late))) return undefined;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** Waits for a turn. @returns whether it has come */
  async #turn(late: AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    if (late.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const begin = () => {
      this.#waiting.delete(begin);
      late.removeEventListener('abort', giveUp);
      resolve(true);
    };
    const giveUp = () => {
      this.#waiting.delete(begin);
      resolve(false);
    };
    this.#waiting.add(begin);
    late.addEventListener('abort', giveUp, { once: true });
    return await promise;
  }
}
