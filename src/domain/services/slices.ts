/**
 * Kinds of EndpointSlices: those that belong to a Service, and the mirrors of these.
 *
 * A mirror does not have the label with the name of the Service that Kubernetes gives to slices: kube-proxy and DNS would take its addresses for some in the default network.
 */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  SERVICE_NAME_LABEL,
  SOURCE_SLICE_ANNOTATION,
} from '../basics/conventions.ts';
import { stableHash } from '../basics/names/stable-hash.ts';

/** The family of the addresses of a slice; undefined where they are names. */
export function familyOfSlice({ addressType }: EndpointSlice): 4 | 6 | undefined {
  if (addressType === 'IPv4') return 4;
  return addressType === 'IPv6' ? 6 : undefined;
}

/** Whether ovn-uplinks has made a slice. */
export function isManaged({ metadata: { labels } }: EndpointSlice): boolean {
  return labels?.[MANAGED_BY_LABEL] === MIRROR_MANAGER;
}

/** Name of the slice that one is the mirror of, which ovn-uplinks has made; undefined for others. */
export function sourceOfMirror(slice: EndpointSlice): string | undefined {
  return isManaged(slice) ? slice.metadata.annotations?.[SOURCE_SLICE_ANNOTATION] : undefined;
}

/** Whether a slice is a mirror that ovn-uplinks has made. */
export function isMirror(slice: EndpointSlice): boolean {
  return sourceOfMirror(slice) !== undefined;
}

/** Name of the Service that a slice belongs to; undefined where nothing is to be mirrored. */
export function serviceOfSource(slice: EndpointSlice): string | undefined {
  return isManaged(slice) || familyOfSlice(slice) === undefined
    ? undefined
    : slice.metadata.labels?.[SERVICE_NAME_LABEL];
}

const PREFIX = 'ovn-uplinks-';

/** Longest name of an object, in bytes (Kubernetes documentation, "Object Names and IDs", DNS Subdomain Names). */
const MOST_BYTES = 253;

/** Length that a name is cut to before its hash. */
const CUT_BYTES = 200;

/** The name of the mirror of a slice: every cluster manager gives it the same one, so there is one for each. */
export function mirrorName(source: string): string {
  const name = `${PREFIX}${source}`;
  if (name.length <= MOST_BYTES) return name;
  // What is left of a name may end with what no part of a name ends with.
  return `${name.slice(0, CUT_BYTES).replace(/[^a-z0-9]+$/, '')}-${stableHash(source)}`;
}
