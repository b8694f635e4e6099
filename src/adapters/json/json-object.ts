/** A JSON object or YAML mapping with unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object, not a list, scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
