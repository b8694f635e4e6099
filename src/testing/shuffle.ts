/**
 * Another order of everything whose order does not matter: lists of objects, lists that are sets, keys of objects.
 */

/** Returns an integer from 0 up to, but not including, the bound. */
export type Choose = (bound: number) => number;

/** Pseudo-random numbers, the same for the same seed (linear congruential, Numerical Recipes). */
export function chooser(seed: number): Choose {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function shuffled<Item>(items: readonly Item[], choose: Choose): readonly Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(choose(rest.length), 1)).flat();
}

/** Shuffles the lists and keys of a value. */
export function shuffle<Value>(value: Value, choose: Choose): Value {
  // Only the order changes, so the type stays; the compiler cannot see that.
  return shuffleUnknown(value, choose) as Value;
}

function shuffleUnknown(value: unknown, choose: Choose): unknown {
  if (Array.isArray(value)) return shuffled<unknown>(value, choose).map((item) => shuffleUnknown(item, choose));
  if (typeof value !== 'object' || value === null) return value;
  const entries = shuffled(Object.entries(value), choose);
  return Object.fromEntries(entries.map(([key, item]: [string, unknown]) => [key, shuffleUnknown(item, choose)]));
}
