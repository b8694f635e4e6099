import type { Reading } from '../../ports/input-problem.ts';

/** A value that is read again only if it may have changed, or after a time. */
export class Cached<Value> {
  readonly #lifetime: number;
  readonly #now: () => number;
  #read: { readonly reading: Reading<Value>; readonly version: number; readonly until: number } | undefined;
  #version = 0;

  /**
   * @param lifetime milliseconds after which it is read again anyway
   * @param now milliseconds of a monotonic clock
   */
  constructor(lifetime: number, now: () => number) {
    this.#lifetime = lifetime;
    this.#now = now;
  }

  /** Has it read again: it may have changed. */
  outdate(): void {
    this.#version += 1;
  }

  /** The value, read if need be; problems are not remembered. */
  async get(read: () => Promise<Reading<Value>>): Promise<Reading<Value>> {
    if (this.#read?.version === this.#version && this.#now() < this.#read.until) return this.#read.reading;
    // It may change while it is read.
    const version = this.#version;
    const reading = await read();
    this.#read = reading.read ? { reading, version, until: this.#now() + this.#lifetime } : undefined;
    return reading;
  }
}
