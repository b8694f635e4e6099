import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { ObjectsByLabel } from './objects-in-use.ts';

/** Milliseconds for which an object has to be missing before it counts as deleted. */
export const GRACE_PERIOD = 1000;

/**
 * Keeps objects that are missing for a moment: editors may move or remove a file before they write the new one, and a listing during a rename may see
 * neither name.
 */
export class MissingObjects {
  private since = new Map<string, number>();
  private readonly gracePeriod: number;

  constructor(gracePeriod: number) {
    this.gracePeriod = gracePeriod;
  }

  /**
   * Adds objects that are missing for less than the grace period.
   *
   * @param former the objects in use before
   * @param now milliseconds of a monotonic clock
   * @returns also how long to wait until the first of them counts as deleted; absent if none is missing
   */
  keep(
    objects: ObjectsByLabel,
    former: ObjectsByLabel,
    now: number,
  ): { readonly objects: ObjectsByLabel; readonly wait?: number } {
    const missing = [...former.values()].filter(({ label }) => !objects.has(label));
    const since = new Map(missing.map(({ label }) => [label, this.since.get(label) ?? now]));
    const remaining = ({ label }: ManifestObject) => (since.get(label) ?? now) + this.gracePeriod - now;
    const kept = missing.filter((object) => remaining(object) > 0);
    this.since = new Map(kept.map(({ label }) => [label, since.get(label) ?? now]));
    if (kept.length === 0) return { objects };
    const withKept = new Map([...objects, ...kept.map((object) => [object.label, object] as const)]);
    return { objects: withKept, wait: Math.min(...kept.map(remaining)) };
  }
}
