import { by } from '../domain/ordering.ts';

/** The value with sorted keys, independent of the input order. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(by(([key]) => key)).map(([key, item]) => [key, sortedKeys(item)]));
}
