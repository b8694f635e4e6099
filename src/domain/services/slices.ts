/**
 * Kinds of EndpointSlices: those that belong to a Service, the mirrors of these, and those to which the names of a headless Service lead.
 *
 * A mirror does not have the label with the name of the Service that Kubernetes gives to slices: kube-proxy and DNS would take its addresses for some in the default network.
 */
import type { Endpoint, EndpointSlice, SlicePort } from '../api/endpoint-slice.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  SERVICE_NAME_LABEL,
  SOURCE_SLICE_ANNOTATION,
} from '../basics/conventions.ts';
import { stableHash } from '../basics/names/stable-hash.ts';

/** A family of addresses. */
export type Family = 4 | 6;

/** A desired slice. */
export interface DesiredSlice {
  readonly apiVersion: 'discovery.k8s.io/v1';
  readonly kind: 'EndpointSlice';
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    /** Of the one that is there and is changed; absent if it is created. */
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly object[];
  };
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[];
  readonly ports: readonly SlicePort[];
}

/** A port as an API server stores it. */
export function storedPort({ name = '', protocol = 'TCP', port, appProtocol }: SlicePort): SlicePort {
  return { name, protocol, ...(port !== undefined && { port }), ...(appProtocol !== undefined && { appProtocol }) };
}

/** The family of the addresses of a slice; undefined where they are names. */
export function familyOfSlice({ addressType }: EndpointSlice): Family | undefined {
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

/** The place of a slice of names: which one it is of a Service, by family. */
export interface NamesPlace {
  readonly service: string;
  readonly family: Family;
  /** From 1 on. */
  readonly number: number;
}

// No name of a Service has a dot (Kubernetes, RFC 1123 label names), and no mirror's name begins so.
const namesForm = /^ovn-uplinks\.([^.]+)\.ipv([46])-([1-9][0-9]{0,5})$/;

/** The name of a slice of names. */
export function namesSliceName({ service, family, number }: NamesPlace): string {
  return `ovn-uplinks.${service}.ipv${String(family)}-${String(number)}`;
}

/** The place of the slice that has a name, of others too; undefined where it is not one of slices of names. */
export function placeOfName(name: string): NamesPlace | undefined {
  const [, service, family, number] = namesForm.exec(name) ?? [];
  return service === undefined ? undefined : { service, family: family === '4' ? 4 : 6, number: Number(number) };
}
