/** A model of an API server that stores EndpointSlices, as far as cluster managers write them. */
import type { EndpointSlice } from '../domain/api/endpoint-slice.ts';
import type { ServicesPlan } from '../domain/plan/cluster/services-plan.ts';
import { isManaged } from '../domain/services/slices.ts';

/** A write of a slice: one that is created or changed, or one that is deleted. */
export type StoredWrite =
  { readonly slice: ServicesPlan['names'][number] } | { readonly obsolete: ServicesPlan['obsoleteNames'][number] };

/** The writes of a plan, in their order. */
export function writesOfServices(plan: ServicesPlan): readonly StoredWrite[] {
  return [
    ...[...plan.mirrors, ...plan.names].map((slice) => ({ slice })),
    ...[...plan.obsoleteMirrors, ...plan.obsoleteNames].map((obsolete) => ({ obsolete })),
  ];
}

const keyOf = ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }) =>
  `${namespace}/${name}`;

/** The stored slices. */
export class StoredSlices {
  readonly #slices: Map<string, EndpointSlice>;
  #created = 0;

  constructor(slices: readonly EndpointSlice[]) {
    this.#slices = new Map(slices.map((slice) => [keyOf(slice.metadata), slice]));
  }

  /** All of them, in one order. */
  get list(): readonly EndpointSlice[] {
    return [...this.#slices.keys()].sort().flatMap((key) => this.#slices.get(key) ?? []);
  }

  /** Stores a slice as its user writes it. */
  put(slice: EndpointSlice): void {
    this.#slices.set(keyOf(slice.metadata), slice);
  }

  /** Deletes a slice, and what it owns, as the garbage collector does. */
  remove(slice: EndpointSlice): void {
    this.#slices.delete(keyOf(slice.metadata));
    const { uid = '' } = slice.metadata;
    for (const [key, { metadata }] of [...this.#slices])
      if (metadata.ownerReferences?.some((owner) => owner.uid === uid) === true) this.#slices.delete(key);
  }

  /** Carries a write out, unless it is refused: it means an object that is not there any more, or that is not managed. */
  write(write: StoredWrite): void {
    if ('obsolete' in write) {
      const key = keyOf(write.obsolete);
      if (this.#slices.get(key)?.metadata.uid === write.obsolete.uid) this.#slices.delete(key);
      return;
    }
    const { uid, ...metadata } = write.slice.metadata;
    const key = keyOf(metadata);
    const stored = this.#slices.get(key);
    if (uid !== undefined && stored?.metadata.uid !== uid) return;
    if (stored !== undefined && (!isManaged(stored) || stored.addressType !== write.slice.addressType)) return;
    this.#created += 1;
    const given = stored?.metadata.uid ?? `uid-slice-${String(this.#created)}`;
    this.#slices.set(key, { ...write.slice, metadata: { ...metadata, uid: given } } as unknown as EndpointSlice);
  }
}
