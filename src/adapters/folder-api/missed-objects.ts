import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { ObjectsByLabel } from './objects-in-use.ts';

/** Milliseconds for which an object has to be missing before it is taken for deleted. */
export const GRACE_PERIOD = 1000;

/**
 * Objects that are missing for a moment: an editor moves a file aside before it writes the new one, a program removes a file before it
 * writes another, and a listing that runs while a file is renamed may see neither name.
 */
export class MissedObjects {
  private since = new Map<string, number>();
  private readonly gracePeriod: number;

  constructor(gracePeriod: number) {
    this.gracePeriod = gracePeriod;
  }

  /**
   * The objects with those that are missed for less than the time that makes them deleted.
   *
   * @param former what was in use before.
   * @param now milliseconds of a clock that nobody sets.
   * @returns with it, how long to wait until the first of them is taken for deleted; absent where nothing is missed.
   */
  keep(
    objects: ObjectsByLabel,
    former: ObjectsByLabel,
    now: number,
  ): { readonly objects: ObjectsByLabel; readonly wait?: number } {
    const missed = [...former.values()].filter(({ label }) => !objects.has(label));
    const since = new Map(missed.map(({ label }) => [label, this.since.get(label) ?? now]));
    const remaining = ({ label }: ManifestObject) => (since.get(label) ?? now) + this.gracePeriod - now;
    const kept = missed.filter((object) => remaining(object) > 0);
    this.since = new Map(kept.map(({ label }) => [label, since.get(label) ?? now]));
    if (kept.length === 0) return { objects };
    const withKept = new Map([...objects, ...kept.map((object) => [object.label, object] as const)]);
    return { objects: withKept, wait: Math.min(...kept.map(remaining)) };
  }
}
