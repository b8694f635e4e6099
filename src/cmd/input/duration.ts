import { InvalidArgumentError } from 'commander';
import { formattedString } from '../../domain/api/schema.ts';

/** Whole seconds, minutes or hours, as kubectl takes them. */
const DURATION = /^([0-9]{1,6})(s|m|h)$/;

const FORM = 'a duration such as 120s, 2m or 0s';

/** The schema of a duration in a file. */
export const durationSchema = formattedString({ pattern: DURATION.source, expected: FORM });

/** Takes a duration of the command line as it is; throws InvalidArgumentError if it is none. */
export function duration(text: string): string {
  if (!DURATION.test(text)) throw new InvalidArgumentError(`Expected ${FORM}.`);
  return text;
}

/** Milliseconds of a duration. */
export function millisecondsOf(text: string): number {
  const [, count = '', unit = 's'] = DURATION.exec(text) ?? [];
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}
