import type { InputProblem, Reading } from '../../ports/input-problem.ts';

/** Every problem of every reading, in their order. */
export function problemsOf(readings: readonly Reading<unknown>[]): readonly InputProblem[] {
  return readings.flatMap((reading) => (reading.read ? [] : reading.problems));
}

/** Every value, or every problem of every reading, in their order. */
export function allOf<Value>(readings: readonly Reading<Value>[]): Reading<readonly Value[]> {
  const problems = problemsOf(readings);
  if (problems.length > 0) return { read: false, problems };
  return { read: true, value: readings.flatMap((reading) => (reading.read ? [reading.value] : [])) };
}

/** The values of readings, each under the name of its reading. */
export type ValuesOf<Readings> = {
  readonly [Name in keyof Readings]: Readings[Name] extends Reading<infer Value> ? Value : never;
};

/** As `allOf`, of readings that have names and values of different types. */
export function allFields<Readings extends Readonly<Record<string, Reading<unknown>>>>(
  readings: Readings,
): Reading<ValuesOf<Readings>> {
  const fields = Object.entries(readings).map(([name, reading]) =>
    mapReading(reading, (value) => [name, value] as const),
  );
  // That each name keeps the type of its own reading is more than the compiler can follow.
  return mapReading(allOf(fields), (entries) => Object.fromEntries(entries) as ValuesOf<Readings>);
}

/** What a reading's value means, where there is one. */
export function mapReading<From, To>(reading: Reading<From>, meaning: (value: From) => To): Reading<To> {
  return reading.read ? { read: true, value: meaning(reading.value) } : reading;
}

/** A second reading of what the first one gave; the problems of the first where it gave nothing. */
export function thenRead<From, To>(reading: Reading<From>, next: (value: From) => Reading<To>): Reading<To> {
  return reading.read ? next(reading.value) : reading;
}
