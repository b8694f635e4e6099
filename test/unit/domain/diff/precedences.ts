/**
 * The precedences of operations, said in another way than by the code that puts operations in order: pair by pair.
 */
import type { Dependencies, DependencyKey } from '../../../../src/domain/entities/dependencies.ts';
import { semanticsOf, type Operation } from '../../../../src/domain/index.ts';
import { linesOf } from './plans.ts';

function shared(some: readonly DependencyKey[] = [], others: readonly DependencyKey[] = []): readonly DependencyKey[] {
  return some.filter((key) => others.includes(key));
}

/** The keys for which one operation comes before another. */
export function precedences(first: Dependencies, second: Dependencies): readonly DependencyKey[] {
  return [
    ...shared(first.makes, second.needs),
    ...shared(first.uses, second.ends),
    ...shared(first.ends, second.makes),
  ];
}

/** The precedences that an order violates, a line each: which operation comes too late, for which one, and for which key. */
export function violatedPrecedences(operations: readonly Operation[]): readonly string[] {
  const dependencies = operations.map((operation) => semanticsOf(operation).dependencies(operation));
  const lines = linesOf(operations);
  return dependencies.flatMap((early, position) =>
    dependencies.flatMap((late, other) =>
      other <= position
        ? []
        : precedences(late, early).map((key) => `${lines[other]} comes after ${lines[position]}: ${key}`),
    ),
  );
}
