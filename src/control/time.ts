/** Milliseconds after which a loop observes again without a reported change. */
export const RESYNC_INTERVAL = 60_000;

/** An event and its time. */
export type Timed<Event> = Event & {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
};

/** The current time in the format of objects: RFC 3339, UTC, whole seconds. */
export function wallClock(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** A timer that fires once, at the last time that was set. */
export class Alarm {
  readonly #onTime: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onTime: () => void) {
    this.#onTime = onTime;
  }

  /** @param at milliseconds of `performance.now`; infinity for never */
  set(at: number): void {
    this.clear();
    // setTimeout takes infinity for 1 ms (Node.js, timers).
    if (at !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(this.#onTime, Math.max(0, at - performance.now()));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Unix time in seconds. */
export function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}
