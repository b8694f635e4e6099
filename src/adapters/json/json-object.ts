/** An object of JSON or a mapping of YAML, before anything is known about its fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object, and not a list, a scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
