/**
 * The endpoints of a Service with their addresses in the network: as its EndpointSlices have them, at the addresses that the mirrors have.
 *
 * A mirror is written after its slice, so it is asked for addresses only: an endpoint that is not ready any more, or gone, is so at once, and while no cluster
 * manager runs. A mirror stands for a slice that nodes do not see, as it does not have the label of their proxy; one that they would see is gone (docs/design/services.md, "Endpoints on a node").
 */
import type { Endpoint, EndpointSlice } from '../api/endpoint-slice.ts';
import type { Service } from '../api/service.ts';
import { type AddressFamily, canonicalAddress, compareAddresses } from '../basics/addresses/ip-address.ts';
import {
  MIRRORED_SERVICE_LABEL,
  NETWORK_NAME_OF_SLICE_ANNOTATION,
  PROXY_OF_SOURCE_ANNOTATION,
  SERVICE_PROXY,
} from '../basics/conventions.ts';
import { least } from '../basics/names/ordering.ts';
import { familyOfSlice, serviceOfSource, sourceOfMirror } from './slices.ts';

/** A Service with its EndpointSlices and their mirrors, in any order. */
export interface ServiceSlices {
  readonly service: Service;
  readonly sources: readonly EndpointSlice[];
  readonly mirrors: readonly EndpointSlice[];
}

/** An endpoint, with its address in the network; without one if no mirror has it. */
export interface PlacedEndpoint {
  readonly endpoint: Endpoint;
  readonly address?: string;
}

/** An EndpointSlice, or the mirror that stands for it, with its endpoints. */
export interface PlacedSlice {
  readonly slice: EndpointSlice;
  readonly endpoints: readonly PlacedEndpoint[];
}

/** An address that a mirror has, and the name of its slice. */
interface MirroredAddress {
  readonly source: string;
  readonly address: string;
}

type MirroredAddresses = ReadonlyMap<string, readonly MirroredAddress[]>;

const namespaceOf = ({ metadata: { namespace = 'default' } }: Service | EndpointSlice) => namespace;

/** The addresses of an endpoint by keys that are the same in a slice and in its mirror: the pod, or the addresses of what is none. */
function keyedAddresses({ targetRef, addresses }: Endpoint): readonly (readonly [string, string])[] {
  const canonical = addresses.map((address) => canonicalAddress(address));
  if (targetRef?.kind !== 'Pod') return canonical.map((address) => [`address ${address}`, address]);
  const { uid, name = '' } = targetRef;
  return [[uid === undefined ? `pod named ${name}` : `pod ${uid}`, canonical[0] ?? '']];
}

const keysOf = (endpoint: Endpoint) => keyedAddresses(endpoint).map(([key]) => key);

function isSourceOf(service: Service, slice: EndpointSlice): boolean {
  return namespaceOf(slice) === namespaceOf(service) && serviceOfSource(slice) === service.metadata.name;
}

/** Whether a slice is a mirror for a Service in a network: of those of another one no address is taken. */
function isMirrorOf(service: Service, networkName: string, slice: EndpointSlice): boolean {
  const { labels, annotations } = slice.metadata;
  return (
    namespaceOf(slice) === namespaceOf(service) &&
    sourceOfMirror(slice) !== undefined &&
    labels?.[MIRRORED_SERVICE_LABEL] === service.metadata.name &&
    annotations?.[NETWORK_NAME_OF_SLICE_ANNOTATION] === networkName
  );
}

/** Whether nodes see the slice of a mirror as long as it is there. */
function isOfVisible({ metadata }: EndpointSlice): boolean {
  return metadata.annotations?.[PROXY_OF_SOURCE_ANNOTATION] === SERVICE_PROXY;
}

function mirroredAddresses(mirrors: readonly EndpointSlice[]): MirroredAddresses {
  const found = new Map<string, MirroredAddress[]>();
  for (const mirror of mirrors) {
    const source = sourceOfMirror(mirror) ?? '';
    for (const [key, address] of (mirror.endpoints ?? []).flatMap(keyedAddresses)) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [{ source, address }]);
      else known.push({ source, address });
    }
  }
  return found;
}

/** The address of an endpoint: that of the mirror of its slice, or of another one while endpoints move between slices. */
function placed(endpoint: Endpoint, source: string, mirrored: MirroredAddresses): PlacedEndpoint {
  const key = keysOf(endpoint).find((each) => mirrored.has(each));
  const known = (key === undefined ? undefined : mirrored.get(key)) ?? [];
  const own = known.filter((each) => each.source === source);
  const addresses = (own.length > 0 ? own : known).map(({ address }) => address);
  const address = least(addresses, compareAddresses);
  return address === undefined ? { endpoint } : { endpoint, address };
}

/** The EndpointSlices of a Service for an address family, with the addresses of their endpoints in a network. */
export function placedSlices(
  { service, ...slices }: ServiceSlices,
  networkName: string,
  family: AddressFamily,
): readonly PlacedSlice[] {
  const ofService = slices.sources.filter((slice) => isSourceOf(service, slice));
  const sources = ofService.filter((slice) => familyOfSlice(slice) === family);
  const mirrors = slices.mirrors.filter(
    (slice) => familyOfSlice(slice) === family && isMirrorOf(service, networkName, slice),
  );
  const mirrored = mirroredAddresses(mirrors);
  const known = new Set(ofService.map(({ metadata }) => metadata.name));
  const keys = new Set(sources.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(keysOf)));
  const placedIn = (slice: EndpointSlice, source: string, endpoints: readonly Endpoint[]): PlacedSlice => ({
    slice,
    endpoints: endpoints.map((endpoint) => placed(endpoint, source, mirrored)),
  });
  return [
    ...sources.map((slice) => placedIn(slice, slice.metadata.name, slice.endpoints ?? [])),
    ...mirrors.flatMap((slice) => {
      const source = sourceOfMirror(slice) ?? '';
      if (known.has(source) || isOfVisible(slice)) return [];
      // An endpoint that another slice has too is as that one says.
      const others = (slice.endpoints ?? []).filter((endpoint) => !keysOf(endpoint).some((key) => keys.has(key)));
      return [placedIn(slice, source, others)];
    }),
  ];
}
