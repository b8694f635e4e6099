/**
 * Removes fields with the value null, recursively, as the API server does before validation (apiextensions-apiserver,
 * PruneNonNullableNullsWithoutDefaults). A null in a list stays: the API server rejects it.
 *
 * @param value a parsed value without other references, at most MAX_DEPTH deep. It is changed in place, as lines are stored by the identity
 * of its parts.
 */
export function dropNullFields(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropNullFields(item);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    if (field === null) Reflect.deleteProperty(value, name);
    else dropNullFields(field);
  }
}
