import { least } from './ordering.ts';

/**
 * The known name that was probably meant.
 *
 * @returns the name with the fewest letters to insert, delete or replace, ignoring case; absent if that is more than a third of its letters
 */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  const candidates = [...known]
    .map((name) => ({ name, distance: distanceWithin(maxDistance(name), written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= maxDistance(name));
  return least(candidates, (left, right) => left.distance - right.distance)?.name;
}

function maxDistance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** Levenshtein distance; infinity if the lengths alone exceed the limit. */
function distanceWithin(limit: number, left: string, right: string): number {
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of Array.from(left).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(right).entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
