import { describeProblem, type Reading } from '../../../src/ports/input-problem.ts';

/** The value of a successful reading; throws otherwise. */
export function valueOf<Value>(reading: Reading<Value>): Value {
  if (reading.read) return reading.value;
  throw new Error(`not read: ${reading.problems.map(describeProblem).join('; ')}`);
}

/** The problems of a reading as lines; none if it has a value. */
export function problemLines(reading: Reading<unknown>): readonly string[] {
  return reading.read ? [] : reading.problems.map(describeProblem);
}
