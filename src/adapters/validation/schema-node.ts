import type { CelRule } from '../../domain/api/schema.ts';
import { isJsonObject } from '../json/json-object.ts';

/** A node of a schema, with the Kubernetes extensions of OpenAPI that the checks need. */
export interface SchemaNode {
  /** JSON type, such as `object`; absent if any is allowed. */
  readonly type?: string;
  /** Schemas of fields by name; empty if the schema names none. */
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Schema of the values of a map. */
  readonly additionalProperties?: SchemaNode;
  /** Schema of a list's items. */
  readonly items?: SchemaNode;
  /** Whether unknown fields are kept (x-kubernetes-preserve-unknown-fields). */
  readonly preservesUnknownFields: boolean;
  /** Fields that identify the items of a list (x-kubernetes-list-map-keys); empty for other lists. */
  readonly listMapKeys: readonly string[];
  /** CEL rules on the value (x-kubernetes-validations). */
  readonly rules: readonly CelRule[];
}

/** Reads a TypeBox schema, once for all values. */
export function schemaNodeOf(schema: unknown): SchemaNode {
  const keywords = isJsonObject(schema) ? schema : {};
  const { type, properties, additionalProperties, items } = keywords;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    ...(typeof type === 'string' && { type }),
    properties: new Map(fields.map(([name, field]) => [name, schemaNodeOf(field)])),
    ...(isJsonObject(additionalProperties) && { additionalProperties: schemaNodeOf(additionalProperties) }),
    ...(isJsonObject(items) && { items: schemaNodeOf(items) }),
    preservesUnknownFields: keywords['x-kubernetes-preserve-unknown-fields'] === true,
    listMapKeys: listOf(keywords['x-kubernetes-list-map-keys'], isString),
    rules: listOf(keywords['x-kubernetes-validations'], isRule),
  };
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isRule(value: unknown): value is CelRule {
  return isJsonObject(value) && isString(value['rule']) && isString(value['message']);
}
