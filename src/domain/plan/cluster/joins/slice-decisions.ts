/** Decisions about single EndpointSlices that ovn-uplinks writes. */
import type { EndpointSlice } from '../../../api/endpoint-slice.ts';
import type { ObjectMeta } from '../../../api/object-meta.ts';
import { isStored } from '../../../objects/differences.ts';
import { sliceWrite } from '../../../objects/writes.ts';
import { namespaceOf } from '../../../services/services-by-namespace.ts';
import type { DesiredSlice } from '../../../services/slices.ts';
import type { MeantObject } from '../services-plan.ts';

interface Named {
  readonly metadata: ObjectMeta;
}

/** A decision about a slice: nothing where it stays as it is. */
export interface SliceDecision<Desired extends DesiredSlice = DesiredSlice> {
  readonly pending?: Desired;
  readonly obsolete?: MeantObject;
}

/** An object that is meant. */
export function meant(object: Named): MeantObject {
  const { name, uid } = object.metadata;
  return { namespace: namespaceOf(object), name, ...(uid !== undefined && { uid }) };
}

/** The decision about a slice of ours that should have some content. */
export function decisionOn<Desired extends DesiredSlice>(
  desired: Desired,
  stored: EndpointSlice | undefined,
): SliceDecision<Desired> {
  if (stored === undefined) return { pending: desired };
  // One that is deleted is created again once it is gone.
  if (stored.metadata.deletionTimestamp !== undefined) return {};
  // It cannot be changed.
  if (stored.addressType !== desired.addressType) return { obsolete: meant(stored) };
  const { uid } = stored.metadata;
  const pending = { ...desired, metadata: { ...desired.metadata, ...(uid !== undefined && { uid }) } };
  return isStored(sliceWrite(pending), stored) ? {} : { pending };
}

/** The decision about a slice of ours that should not be there. */
export function withoutSlice(stored: EndpointSlice): SliceDecision<never> {
  return stored.metadata.deletionTimestamp === undefined ? { obsolete: meant(stored) } : {};
}
