import { isJsonObject, type JsonObject } from '../../../src/adapters/json/json-object.ts';

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: JsonObject;
}

/** The innermost fields of a set, as `metadata.labels.tenant` (Kubernetes documentation, "Server-Side Apply", Field management). */
function leavesOf(fields: JsonObject, path = ''): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (key === '.') return [];
    const name = key.replace(/^f:/, path === '' ? '' : '.').replace(/^[kv]:(.*)$/, '[$1]');
    const isLeaf = !isJsonObject(value) || Object.keys(value).every((each) => each === '.');
    return isLeaf ? [`${path}${name}`] : leavesOf(value, `${path}${name}`);
  });
}

/** The fields of an object that a manager owns, by how they were written: `Apply` for server-side apply, and the subresource if any. */
export function ownedFields(object: object | undefined, manager: string): Readonly<Record<string, readonly string[]>> {
  const { metadata } = object as { readonly metadata: { readonly managedFields: readonly ManagedFields[] } };
  return Object.fromEntries(
    metadata.managedFields
      .filter((each) => each.manager === manager)
      .map(({ operation, subresource, fieldsV1 }) => [
        [operation, ...(subresource === undefined ? [] : [subresource])].join(' '),
        [...leavesOf(fieldsV1)].sort(),
      ]),
  );
}
