import { describeValue } from '../../domain/api/conformance.ts';
import type { Kind } from '../../domain/api/kind.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { nearestName } from '../../domain/basics/names/nearest-name.ts';

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
  | { readonly claim: 'other kind'; /** As `Deployment.apps`. */ readonly kind: string }
  | { readonly claim: 'misspelled'; readonly message: string }
  | { readonly claim: 'invalid'; readonly message: string };

const keyByGroupKind = new Map(
  Object.keys(kinds)
    .filter(isKindKey)
    .map((key) => [groupKind(kinds[key].group, kinds[key].kind), key]),
);

/** Kinds by groups that say what their kinds are for: Kubernetes’ core group is not among them. */
const kindsByGroup = groupBy(
  Object.values<Kind>(kinds).filter(({ group }) => group !== ''),
  ({ group }) => group,
);

/** Looks up the kind of a value by group and kind, in any version. A kind of a group that is used may be misspelled. */
export function identifyObject(value: unknown): Identification {
  if (!isJsonObject(value)) return invalid('an object with apiVersion and kind', value);
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') return invalid('an apiVersion', apiVersion);
  if (typeof kind !== 'string' || kind === '') return invalid('a kind', kind);
  const group = groupOf(apiVersion);
  const key = keyByGroupKind.get(groupKind(group, kind));
  const nearest = key === undefined ? nearestKind(group, kind) : undefined;
  if (nearest !== undefined) {
    return { claim: 'misspelled', message: `kind ${kind} of group ${group} is not known; did you mean ${nearest}?` };
  }
  if (key === undefined || isOther(kinds[key], value)) {
    return { claim: 'other kind', kind: group === '' ? kind : `${kind}.${group}` };
  }
  return known(key, withNamespace(key, value));
}

function nearestKind(group: string, kind: string): string | undefined {
  return nearestName(
    kind,
    (kindsByGroup.get(group) ?? []).map((each) => each.kind),
  );
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
