/**
 * Which endpoints of a Service are used on a node? Those that kube-proxy would use (Kubernetes enhancements, KEP-1669, KEP-2433, KEP-4444), of those that are in
 * the network (docs/design/services.md, "Endpoints on a node").
 */
import type { Endpoint, EndpointSlice } from '../api/endpoint-slice.ts';
import type { Node } from '../api/node.ts';
import type { Service, ServicePort } from '../api/service.ts';
import { type AddressFamily, compareAddresses, subnetContains } from '../basics/addresses/ip-address.ts';
import { ZONE_LABEL } from '../basics/conventions.ts';
import type { Network } from '../network/network.ts';
import { placedSlices, type PlacedEndpoint, type ServiceSlices } from './placed-endpoints.ts';

/** A node, with its zone if it has one. */
export interface NodePlace {
  readonly name: string;
  readonly zone?: string;
}

/** An address and a port behind a Service. */
export interface ChosenEndpoint {
  readonly address: string;
  readonly port: number;
}

/** Whether an endpoint is used, or why it is not. */
export type EndpointUse =
  | 'used'
  /** Its slice has no such port. */
  | 'no-port'
  /** No mirror has an address of it. */
  | 'unmapped'
  /** Its address is outside the network. */
  | 'outside'
  /** It is on another node, and only those on the own one are for the Service. */
  | 'not-local'
  | 'not-ready'
  /** It is terminating, and others are ready. */
  | 'terminating'
  /** It is meant for other nodes or zones, and others are meant for this one. */
  | 'hint';

/** An endpoint for a port of a Service, and whether it is used. */
export interface JudgedEndpoint extends PlacedEndpoint {
  /** Name of its slice, or of the mirror of one that is not known. */
  readonly slice: string;
  /** Numbers of the port at the endpoint: several while another one is rolled out. */
  readonly ports: readonly number[];
  readonly use: EndpointUse;
}

/** The endpoints of a Service in an address family, and where they are to be used. */
export interface ChoiceInput {
  readonly slices: ServiceSlices;
  readonly network: Pick<Network, 'networkName' | 'subnets'>;
  readonly family: AddressFamily;
  readonly node: NodePlace;
  /** For whom: packets from within the network as `internalTrafficPolicy` says, unless it is another policy. */
  readonly policy?: 'Cluster' | 'Local';
}

/** Most number of a port. */
export const MOST_PORT = 65_535;

/** The place of a node. */
export function placeOf({ metadata: { name, labels } }: Node): NodePlace {
  const zone = labels?.[ZONE_LABEL];
  return { name, ...(zone !== undefined && { zone }) };
}

/** The numbers of a port of a Service in a slice. */
function numbersOf({ name = '', protocol = 'TCP' }: ServicePort, { ports }: EndpointSlice): readonly number[] {
  const numbers = (ports ?? []).flatMap((each) =>
    (each.name ?? '') === name && (each.protocol ?? 'TCP') === protocol ? [each.port ?? 0] : [],
  );
  return [...new Set(numbers.filter((number) => number > 0 && number <= MOST_PORT))].sort((one, other) => one - other);
}

/** Whether an endpoint of a Service is ready: one that terminates is not, even if it still serves. */
export function isReady({ conditions }: Endpoint, { spec }: Service): boolean {
  return spec.publishNotReadyAddresses === true || conditions?.ready !== false;
}

function isServingWhileTerminating({ conditions }: Endpoint): boolean {
  return conditions?.serving !== false && conditions?.terminating === true;
}

type Hints = readonly { readonly name: string }[];

/** Whether endpoints are meant for a name by their hints: all have some, and one has it. */
function isMeant(hints: readonly Hints[], name: string | undefined): boolean {
  return hints.every((each) => each.length > 0) && hints.some((each) => each.some((hint) => hint.name === name));
}

/** Selects of the endpoints that are ready those that are meant for a node, or for its zone; all where hints do not say that of all of them. */
function hintedFor({ name, zone }: NodePlace, ready: readonly Endpoint[]): (endpoint: Endpoint) => boolean {
  const nodesOf = ({ hints }: Endpoint): Hints => hints?.forNodes ?? [];
  const zonesOf = ({ hints }: Endpoint): Hints => hints?.forZones ?? [];
  if (isMeant(ready.map(nodesOf), name)) return (endpoint) => nodesOf(endpoint).some((hint) => hint.name === name);
  if (zone !== undefined && isMeant(ready.map(zonesOf), zone))
    return (endpoint) => zonesOf(endpoint).some((hint) => hint.name === zone);
  return () => true;
}

type Found = Omit<JudgedEndpoint, 'use'>;

/** Whether only endpoints of the own node are used. */
function isOnlyLocal({ slices, policy }: ChoiceInput): boolean {
  return (policy ?? slices.service.spec.internalTrafficPolicy) === 'Local';
}

/** Why an endpoint cannot be used, whatever others there are; undefined if it may be. */
function obstacle({ endpoint, address, ports }: Found, input: ChoiceInput): EndpointUse | undefined {
  if (ports.length === 0) return 'no-port';
  if (address === undefined) return 'unmapped';
  if (!input.network.subnets.some(({ cidr }) => subnetContains(cidr, address))) return 'outside';
  return isOnlyLocal(input) && endpoint.nodeName !== input.node.name ? 'not-local' : undefined;
}

/** Judges endpoints: those that are ready are used, or, if there are none, those that still serve while they terminate. */
function judged(found: readonly Found[], input: ChoiceInput): readonly JudgedEndpoint[] {
  const { service } = input.slices;
  const possible = found.map((each) => ({ each, use: obstacle(each, input) }));
  const ready = possible.flatMap(({ each: { endpoint }, use }) =>
    use === undefined && isReady(endpoint, service) ? [endpoint] : [],
  );
  const isHinted = isOnlyLocal(input) ? () => true : hintedFor(input.node, ready);
  const useOf = (endpoint: Endpoint): EndpointUse => {
    if (isReady(endpoint, service)) return isHinted(endpoint) ? 'used' : 'hint';
    if (!isServingWhileTerminating(endpoint)) return 'not-ready';
    return ready.length === 0 ? 'used' : 'terminating';
  };
  return possible.map(({ each, use }) => ({ ...each, use: use ?? useOf(each.endpoint) }));
}

/** Judges the endpoints of a Service, for one of its ports after the other. */
export function endpointJudge(input: ChoiceInput): (port: ServicePort) => readonly JudgedEndpoint[] {
  const slices = placedSlices(input.slices, input.network.networkName, input.family);
  return (port) =>
    judged(
      slices.flatMap(({ slice, endpoints }) => {
        const ports = numbersOf(port, slice);
        return endpoints.map((endpoint) => ({ ...endpoint, slice: slice.metadata.name, ports }));
      }),
      input,
    );
}

/** The addresses and ports of the endpoints that are used, in order. */
export function usedOf(endpoints: readonly JudgedEndpoint[]): readonly ChosenEndpoint[] {
  const used = endpoints.flatMap(({ address, ports, use }) =>
    use === 'used' && address !== undefined ? ports.map((port) => ({ address, port })) : [],
  );
  // An endpoint that moves to another slice is in both for a while.
  const distinct = new Map(used.map((each) => [`${each.address} ${String(each.port)}`, each]));
  return [...distinct.values()].sort(
    (one, other) => compareAddresses(one.address, other.address) || one.port - other.port,
  );
}

/** Chooses the endpoints for a port of a Service on a node. */
export function chooseEndpoints(input: ChoiceInput & { readonly port: ServicePort }): readonly ChosenEndpoint[] {
  return usedOf(endpointJudge(input)(input.port));
}
