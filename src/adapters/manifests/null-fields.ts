/**
 * Removes fields whose value is null, all the way down, as the API server does before it validates (apiextensions-apiserver,
 * PruneNonNullableNullsWithoutDefaults). A null in a list stays: the API server refuses it.
 *
 * @param value a freshly parsed value without other references, at most MAX_DEPTH deep; it is changed in place, so that what is known
 *   about its parts by their identity, such as their lines, stays true.
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
