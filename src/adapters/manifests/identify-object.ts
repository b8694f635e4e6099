import { describeValue } from '../../domain/api/conformance.ts';
import { type Kind, type KindKey, kinds } from '../../domain/api/kinds.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';

/** The kind of a value, as far as it has one. */
export type Identification =
  | {
      readonly claim: 'known';
      readonly key: KindKey;
      readonly kind: string;
      /** The object with the namespace that the API server would store: `default` if none is named, none if the kind is not namespaced. */
      readonly object: JsonObject;
      /** `Kind/name` or `Kind/namespace/name`; absent without a name. */
      readonly label?: string;
    }
  | { readonly claim: 'other kind' }
  | { readonly claim: 'invalid'; readonly message: string };

const keyByGroupKind = new Map(
  Object.keys(kinds)
    .filter(isKindKey)
    .map((key) => [groupKind(kinds[key].group, kinds[key].kind), key]),
);

/** Looks up the kind of a value by group and kind, in any version. */
export function identifyObject(value: unknown): Identification {
  if (!isJsonObject(value)) return invalid('an object with apiVersion and kind', value);
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') return invalid('an apiVersion', apiVersion);
  if (typeof kind !== 'string' || kind === '') return invalid('a kind', kind);
  const key = keyByGroupKind.get(groupKind(groupOf(apiVersion), kind));
  if (key === undefined || isOther(kinds[key], value)) return { claim: 'other kind' };
  return known(key, withNamespace(key, value));
}

/** Whether an object is none of those that are read of its kind. */
function isOther({ isRead }: Kind, { metadata }: JsonObject): boolean {
  return isRead !== undefined && isJsonObject(metadata) && !isRead(String(metadata['name']));
}

function invalid(expected: string, found: unknown): Identification {
  return { claim: 'invalid', message: `expected ${expected}, found ${describeValue(found)}` };
}

function known(key: KindKey, object: JsonObject): Identification {
  const { kind } = kinds[key];
  const { name, namespace } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  if (typeof name !== 'string' || name === '') return { claim: 'known', key, kind, object };
  const label = typeof namespace === 'string' ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;
  return { claim: 'known', key, kind, object, label };
}

function withNamespace(key: KindKey, object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  const { namespace, ...rest } = metadata;
  if (!kinds[key].namespaced) return { ...object, metadata: rest };
  const isNamed = namespace !== undefined && namespace !== '';
  return { ...object, metadata: { ...rest, namespace: isNamed ? namespace : 'default' } };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.lastIndexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

function groupKind(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function isKindKey(key: string): key is KindKey {
  return Object.hasOwn(kinds, key);
}
