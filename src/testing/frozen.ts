/**
 * Makes a value and everything in it unchangeable: a write to it throws a TypeError. Parts that are frozen already are
 * taken to be so as a whole, so it costs little where most is shared with what was frozen before.
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
