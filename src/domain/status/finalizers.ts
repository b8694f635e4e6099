import type { ObjectMeta } from '../api/object-meta.ts';
import type { Uplink } from '../api/uplink.ts';
import { distinct } from '../basics/names/ordering.ts';
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

/**
 * The obstacle to the deletion of an Uplink, for the message of its condition: nothing else shows why the object still exists. Absent if it is not
 * being deleted, or has no managed finalizer.
 *
 * @param networks names of the networks that refer to it
 */
export function deletionSentence({ metadata }: Uplink, networks: readonly string[]): string | undefined {
  if (metadata.deletionTimestamp === undefined || networks.length === 0) return undefined;
  const kind = networks.length === 1 ? 'ClusterUserDefinedNetwork' : 'ClusterUserDefinedNetworks';
  return `deletion waits for ${kind} ${nameSample([...networks].sort())}`;
}
