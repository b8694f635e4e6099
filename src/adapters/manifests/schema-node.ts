import type { CelRule } from '../../domain/api/schema.ts';
import { isJsonObject } from '../json/json-object.ts';

/** One place of a schema, with what the checks beyond its shape need (Kubernetes, OpenAPI schema extensions). */
export interface SchemaNode {
  /** JSON type, such as `object`; absent where any is allowed. */
  readonly type?: string;
  /** Schemas of the fields that are known by name; empty where the schema names none. */
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Schema of all fields of a map. */
  readonly additionalProperties?: SchemaNode;
  /** Schema of a list's items. */
  readonly items?: SchemaNode;
  /** Whether fields that the schema does not name are kept (x-kubernetes-preserve-unknown-fields). */
  readonly preservesUnknownFields: boolean;
  /** Fields that tell the items of a list apart (x-kubernetes-list-map-keys); empty for other lists. */
  readonly listMapKeys: readonly string[];
  /** CEL rules on the value (x-kubernetes-validations). */
  readonly rules: readonly CelRule[];
}

/** Reads a schema, as TypeBox makes it, once and for all values. */
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
