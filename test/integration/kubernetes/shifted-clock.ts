/**
 * Loaded into a process before its program (node --import): its parent sets how many milliseconds the wall clock is ahead, by messages.
 */
import process from 'node:process';
import { shiftClock } from './wall-clock.ts';

process.on('message', (milliseconds: number) => {
  shiftClock(milliseconds);
  process.send?.(milliseconds);
});
// It ends as it does without a parent.
process.channel?.unref();
