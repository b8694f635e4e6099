/** The moment as objects have it: RFC 3339, UTC, whole seconds. */
export function wallClock(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** An alarm that rings once, at the moment that was named last. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** @param at milliseconds of `performance.now`; never, where it is infinity */
  set(at: number): void {
    this.clear();
    // A timer takes infinity for no time at all (Node.js, setTimeout).
    if (at !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(this.#ring, Math.max(0, at - performance.now()));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
