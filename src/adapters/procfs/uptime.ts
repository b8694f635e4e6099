import { describeValue } from '../../domain/api/conformance.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { expectedFound } from '../json/conforming.ts';

/**
 * Reads /proc/uptime (proc(5)): the seconds since boot, including suspend, and the idle time of all processors.
 *
 * @param file named in problems
 * @returns the seconds since boot
 */
export function readUptime(text: string, file: string): Reading<number> {
  const seconds = /^(\d+\.\d+) \d+\.\d+$/.exec(text.trim())?.[1];
  if (seconds !== undefined) return { read: true, value: Number(seconds) };
  const expected = 'two numbers of seconds, as in "1234.56 789.01"';
  return {
    read: false,
    problems: [{ origin: inFile(file), message: expectedFound(expected, describeValue(text.trim())) }],
  };
}
