/** A mapping as it stands in a manifest, before anything is known about its fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is a mapping, and not a list, a scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
