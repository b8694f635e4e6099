import type { ObjectMeta } from '../api/object-meta.ts';
import type { Uplink } from '../api/uplink.ts';
import { distinct } from '../basics/names/ordering.ts';
import { nameOfNetwork, type NetworkKey } from '../network/key.ts';
import { type EgressSetting, egressUplink } from '../snapshot/settings.ts';
import { nameSample } from './node-sample.ts';

/**
 * The finalizers that an object should have, including those of other controllers, by name.
 *
 * Ours cannot be added to an object that is already being deleted; Kubernetes forbids that, and it is not an error
 * (docs/design/api-decisions.md, "Objects").
 */
export function finalizersOf(
  { finalizers: present = [], deletionTimestamp }: ObjectMeta,
  finalizer: string,
  isNeeded: boolean,
): readonly string[] {
  const others = present.filter((each) => each !== finalizer);
  const mayAdd = deletionTimestamp === undefined || present.includes(finalizer);
  return distinct(isNeeded && mayAdd ? [...others, finalizer] : others);
}

/** Networks of one kind, for people; empty if there are none. */
function networksText(kind: string, networks: readonly NetworkKey[]): readonly string[] {
  const names = networks.filter((key) => key.startsWith(`${kind}/`)).map(nameOfNetwork);
  return names.length === 0 ? [] : [`${kind}${names.length === 1 ? '' : 's'} ${nameSample(names.sort())}`];
}

/**
 * The obstacle to the deletion of an Uplink, for the message of its condition: nothing else shows why the object still exists. Absent if it is not
 * being deleted, or has no managed finalizer.
 *
 * @param networks those that have it
 * @param egress the setting by which networks may have it that do not name it
 */
export function deletionSentence(
  { metadata }: Uplink,
  networks: readonly NetworkKey[],
  egress: EgressSetting,
): string | undefined {
  if (metadata.deletionTimestamp === undefined || networks.length === 0) return undefined;
  const kinds = ['ClusterUserDefinedNetwork', 'UserDefinedNetwork'].flatMap((kind) => networksText(kind, networks));
  const bySetting = egressUplink(egress) === metadata.name ? `, as --egress ${egress} names it` : '';
  return `deletion waits for ${kinds.join(' and ')}${bySetting}`;
}
