import type { Uplink } from '../api/uplink.ts';
import { UPLINK_FINALIZER } from '../conventions.ts';
import { distinct } from '../ordering.ts';
import { nameSample } from './node-sample.ts';

/**
 * The finalizers that an Uplink should have, including those of other controllers, by name.
 *
 * Ours is present while a network refers to the Uplink. It cannot be added to an Uplink that is already being deleted; Kubernetes forbids
 * that, and it is not an error (docs/design/api-decisions.md, "Objects").
 */
export function finalizersOf({ metadata }: Uplink, isReferenced: boolean): readonly string[] {
  const present = metadata.finalizers ?? [];
  const others = present.filter((finalizer) => finalizer !== UPLINK_FINALIZER);
  const mayAdd = metadata.deletionTimestamp === undefined || present.includes(UPLINK_FINALIZER);
  return distinct(isReferenced && mayAdd ? [...others, UPLINK_FINALIZER] : others);
}

/**
 * What the deletion of an Uplink waits for, for the message of its condition: nothing else shows why the object still exists. Absent if it is not
 * being deleted, or has no managed finalizer.
 *
 * @param networks names of the networks that refer to it
 */
export function deletionSentence({ metadata }: Uplink, networks: readonly string[]): string | undefined {
  if (metadata.deletionTimestamp === undefined || networks.length === 0) return undefined;
  const kind = networks.length === 1 ? 'ClusterUserDefinedNetwork' : 'ClusterUserDefinedNetworks';
  return `deletion waits for ${kind} ${nameSample([...networks].sort())}`;
}
