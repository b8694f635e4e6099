import type { TSchema } from 'typebox';
import { isJsonObject } from '../../json/json-object.ts';

/** Reduces a value to the parts that are read. */
type Trim = (value: unknown) => unknown;

const keep: Trim = (value) => value;

/** Trims values to what a schema describes: fields that it does not name are left out. What does not conform to it is kept as it is. */
export function trimmedTo(schema: TSchema): Trim {
  const { properties, items } = schema as { readonly properties?: Record<string, TSchema>; readonly items?: TSchema };
  if (properties !== undefined) {
    const trims = Object.entries(properties).map(([name, field]) => [name, trimmedTo(field)] as const);
    return (value) => {
      if (!isJsonObject(value)) return value;
      const trimmed: Record<string, unknown> = {};
      for (const [name, trim] of trims) {
        const field = value[name];
        if (field !== undefined) trimmed[name] = trim(field);
      }
      return trimmed;
    };
  }
  if (items !== undefined) {
    const trim = trimmedTo(items);
    return (value) => (Array.isArray(value) ? value.map(trim) : value);
  }
  return keep;
}
