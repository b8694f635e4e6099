import type { InputProblem, Reading } from './input-problem.ts';

/** The problems of all readings, in order. */
export function problemsOf(readings: readonly Reading<unknown>[]): readonly InputProblem[] {
  return readings.flatMap((reading) => (reading.read ? [] : reading.problems));
}

/** All values, or the problems of all readings, in order. */
export function allOf<Value>(readings: readonly Reading<Value>[]): Reading<readonly Value[]> {
  const problems = problemsOf(readings);
  if (problems.length > 0) return { read: false, problems };
  return { read: true, value: readings.flatMap((reading) => (reading.read ? [reading.value] : [])) };
}

/** The values of readings, by name. */
export type ValuesOf<Readings> = {
  readonly [Name in keyof Readings]: Readings[Name] extends Reading<infer Value> ? Value : never;
};

/** Like `allOf`, for named readings of different types. */
export function allFields<Readings extends Readonly<Record<string, Reading<unknown>>>>(
  readings: Readings,
): Reading<ValuesOf<Readings>> {
  const fields = Object.entries(readings).map(([name, reading]) =>
    mapReading(reading, (value) => [name, value] as const),
  );
  // The compiler cannot infer that each name keeps the type of its reading.
  return mapReading(allOf(fields), (entries) => Object.fromEntries(entries) as ValuesOf<Readings>);
}

/** Maps the value of a reading, if any. */
export function mapReading<From, To>(reading: Reading<From>, meaning: (value: From) => To): Reading<To> {
  return reading.read ? { read: true, value: meaning(reading.value) } : reading;
}

/** Reads the value of a reading further, or returns its problems. */
export function thenRead<From, To>(reading: Reading<From>, next: (value: From) => Reading<To>): Reading<To> {
  return reading.read ? next(reading.value) : reading;
}
