import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a condition that still does not hold fails the test. */
const DEADLINE = 90_000;

/** Waits until a condition holds. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + DEADLINE;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`did not happen within ${DEADLINE / 1000} s: ${what}`);
    await pause(10);
  }
}

/** Whether a process runs; a zombie does not. */
export function runs(pid: number): boolean {
  try {
    // proc_pid_stat(5): the state follows the name, which is in parentheses and may contain any character.
    return !/^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
