import type { Reading } from '../../ports/input-problem.ts';

/** A value that is read again if it may have changed, or after its lifetime. */
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

  /** Marks it as outdated. */
  outdate(): void {
    this.#version += 1;
  }

  /** The value, read if outdated; problems are not cached. */
  async get(read: () => Promise<Reading<Value>>): Promise<Reading<Value>> {
    if (this.#read?.version === this.#version && this.#now() < this.#read.until) return this.#read.reading;
    // It may change while it is being read.
    const version = this.#version;
    const reading = await read();
    this.#read = reading.read ? { reading, version, until: this.#now() + this.#lifetime } : undefined;
    return reading;
  }
}
