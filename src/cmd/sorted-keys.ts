import { by } from '../domain/ordering.ts';

/** The same value with the keys of every object in name order: input order must not show. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(by(([key]) => key)).map(([key, item]) => [key, sortedKeys(item)]));
}
