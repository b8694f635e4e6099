/**
 * Loaded into a process before its program (node --import): its parent sets how many milliseconds the wall clock is ahead, by messages. The monotonic clock
 * goes on as it does where somebody sets the time (clock_settime(2)).
 */
import process from 'node:process';

let ahead = 0;
const Actual = Date;

globalThis.Date = new Proxy(Actual, {
  construct: (target, words: unknown[], newTarget) =>
    Reflect.construct(target, words.length === 0 ? [Actual.now() + ahead] : words, newTarget) as Date,
  apply: () => new Actual(Actual.now() + ahead).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => Actual.now() + ahead : (Reflect.get(target, name, receiver) as unknown),
});

process.on('message', (milliseconds: number) => {
  ahead = milliseconds;
  process.send?.(milliseconds);
});
// It ends as it does without a parent.
process.channel?.unref();
