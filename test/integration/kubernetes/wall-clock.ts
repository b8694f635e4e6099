const Actual = Date;

let ahead = 0;

/**
 * Sets the wall clock of this process so many milliseconds ahead. The monotonic clock goes on as it does where a program sets the time (clock_settime(2)).
 */
export function shiftClock(milliseconds: number): void {
  ahead = milliseconds;
  globalThis.Date = new Proxy(Actual, {
    construct: (target, words: unknown[], newTarget) =>
      Reflect.construct(target, words.length === 0 ? [Actual.now() + ahead] : words, newTarget) as Date,
    apply: () => new Actual(Actual.now() + ahead).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? () => Actual.now() + ahead : (Reflect.get(target, name, receiver) as unknown),
  });
}
