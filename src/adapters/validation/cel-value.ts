import { isJsonObject } from '../json/json-object.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * A value as a CEL rule of Kubernetes sees it (Kubernetes, "Validation rules"): a number is an integer by its schema, not by its notation,
 * and an object has only the fields that the schema names.
 *
 * @param value a value that conforms to the schema
 */
export function celValueOf(node: SchemaNode, value: unknown): unknown {
  if (node.type === 'integer' && Number.isInteger(value)) return BigInt(Number(value));
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? value : value.map((item) => celValueOf(items, item));
  }
  if (!isJsonObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const known = node.properties.get(name) ?? node.additionalProperties;
    if (known !== undefined) fields.push([name, celValueOf(known, value[name])]);
  }
  return Object.fromEntries(fields);
}
