/**
 * The OVN load balancers by which pods of a network on a node reach a Service: one for each protocol (docs/design/services.md, "Load balancers").
 *
 * Each is for one network, at addresses of the Service alone, and leads to nowhere else than into that network.
 */
import type { Service, ServicePort } from '../api/service.ts';
import {
  addressAt,
  type AddressFamily,
  addressFamilies,
  canonicalAddress,
  familyOf,
  subnetContains,
  unmappedAddress,
  withoutLength,
} from '../basics/addresses/ip-address.ts';
import { MASQUERADE_OFFSETS } from '../basics/conventions.ts';
import { byName } from '../basics/names/ordering.ts';
import { subnetOfFamily } from '../network/allocation/addresses.ts';
import { entityPrefix } from '../network/names/logical-network.ts';
import type { Network } from '../network/network.ts';
import { type ChosenEndpoint, endpointJudge, MOST_PORT, type NodePlace, usedOf } from './endpoint-choice.ts';
import type { ServiceSlices } from './placed-endpoints.ts';

/** A load balancer for a protocol of a Service. */
export interface LoadBalancer {
  /** Unique on a node. */
  readonly name: string;
  /** The network in whose switches it is. */
  readonly networkName: string;
  /** NAMESPACE/NAME of the Service. */
  readonly owner: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  /** Addresses with ports, and the endpoints of each in order, separated by commas; none are refused. */
  readonly vips: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** A Service in a network, on a node. */
export interface LoadBalancersInput {
  readonly slices: ServiceSlices;
  /** The network of its namespace. */
  readonly network: Network;
  readonly node: NodePlace;
  /** CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** Addresses that other Services of the network have too; none where it is absent. */
  readonly shared?: Pick<ReadonlySet<string>, 'has'>;
}

/** The protocols that OVN balances, by their names in Services. */
const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

type ProtocolName = keyof typeof protocols;

/** Longest time in seconds that OVN keeps a client at its endpoint (ovn-nb(5), Load_Balancer, affinity_timeout). */
const MOST_AFFINITY_SECONDS = 65_535;

/** Seconds that a client is kept at its endpoint where a Service does not say it (Kubernetes API reference, Service v1, ClientIPConfig). */
const DEFAULT_AFFINITY_SECONDS = 10_800;

const familyNames = { 4: 'IPv4', 6: 'IPv6' } as const;

const placeText = (address: string, port: number) =>
  familyOf(address) === 6 ? `[${address}]:${String(port)}` : `${address}:${String(port)}`;

/** Why an address of a Service is not served. */
export type ClusterIpRefusal =
  | 'no-address'
  /** Its family is not one of the Service. */
  | 'other-family'
  /** The network has it: it is a pod's, which no Service takes over. */
  | 'in-network'
  /** The Service has another one of the family, which comes first. */
  | 'second-of-family'
  /** Another Service of the network has it too. */
  | 'shared';

/** An address of a Service, and why it is not served; without a reason if it is. */
export interface JudgedClusterIp {
  readonly address: string;
  readonly family: AddressFamily;
  readonly refusal?: ClusterIpRefusal;
}

function refusalOf(address: string, { spec: { ipFamilies } }: Service, { subnets }: Network) {
  const family = familyOf(address);
  if (family === undefined || withoutLength(unmappedAddress(address)) !== address) return 'no-address';
  if (ipFamilies?.includes(familyNames[family]) === false) return 'other-family';
  return subnets.some(({ cidr }) => subnetContains(cidr, address)) ? 'in-network' : undefined;
}

/**
 * Judges the addresses of a Service: the first one of each family is served.
 *
 * @param isShared whether another Service of the network has an address
 */
export function judgedClusterIps(
  service: Service,
  network: Network,
  isShared: (address: string) => boolean = () => false,
): readonly JudgedClusterIp[] {
  const first = new Set<AddressFamily>();
  return (service.spec.clusterIPs ?? []).map((text) => {
    const [address, family] = [canonicalAddress(text), familyOf(text) ?? 4];
    const ownRefusal = refusalOf(text, service, network) ?? (first.has(family) ? 'second-of-family' : undefined);
    if (ownRefusal === undefined) first.add(family);
    const refusal = ownRefusal ?? (isShared(address) ? 'shared' : undefined);
    return { address, family, ...(refusal !== undefined && { refusal }) };
  });
}

/** The ports of a Service for a protocol that can be served. */
function portsOf({ spec: { ports = [] } }: Service, name: ProtocolName): readonly ServicePort[] {
  return ports.filter(({ protocol = 'TCP', port }) => protocol === name && port > 0 && port <= MOST_PORT);
}

function hairpinSources(masqueradeSubnets: readonly string[]): string {
  return addressFamilies
    .flatMap((family) => addressAt(subnetOfFamily(masqueradeSubnets, family) ?? '', MASQUERADE_OFFSETS.hairpin) ?? [])
    .join(' ');
}

function affinityOptions({ spec: { sessionAffinity, sessionAffinityConfig } }: Service) {
  if (sessionAffinity !== 'ClientIP') return {};
  const { timeoutSeconds = 0 } = sessionAffinityConfig?.clientIP ?? {};
  const seconds = timeoutSeconds > 0 ? timeoutSeconds : DEFAULT_AFFINITY_SECONDS;
  return { affinity_timeout: String(Math.min(seconds, MOST_AFFINITY_SECONDS)) };
}

function optionsOf({ slices, masqueradeSubnets }: LoadBalancersInput, name: ProtocolName) {
  return {
    reject: 'true',
    hairpin_snat_ip: hairpinSources(masqueradeSubnets),
    neighbor_responder: 'none',
    ...affinityOptions(slices.service),
    // Connections of TCP end by themselves: a flush would reset those to an endpoint that still finishes them.
    ...(name !== 'TCP' && { ct_flush: 'true' }),
  };
}

/** The load balancers of a Service that is served in a network, on a node. */
export function loadBalancersOf(input: LoadBalancersInput): readonly LoadBalancer[] {
  const { slices, network, node, shared } = input;
  const { service } = slices;
  const { namespace = 'default', name } = service.metadata;
  const owner = `${namespace}/${name}`;
  const addresses = judgedClusterIps(service, network, (address) => shared?.has(address) === true)
    .filter(({ refusal }) => refusal === undefined)
    .map(({ address, family }) => ({ address, judge: endpointJudge({ slices, network, family, node }) }));
  const textOf = (endpoints: readonly ChosenEndpoint[]) =>
    endpoints.map(({ address, port }) => placeText(address, port)).join(',');
  return Object.entries(protocols).flatMap(([protocolName, protocol]): LoadBalancer[] => {
    const isOwn = protocolName as ProtocolName;
    const vips = addresses.flatMap(({ address, judge }) =>
      portsOf(service, isOwn).map((port): [string, string] => [
        placeText(address, port.port),
        textOf(usedOf(judge(port))),
      ]),
    );
    if (vips.length === 0) return [];
    return [
      {
        name: `${entityPrefix(network.networkName)}Service_${owner}_${protocolName}_switch`,
        networkName: network.networkName,
        owner,
        protocol,
        vips: Object.fromEntries(vips.sort(([one], [other]) => byName(one, other))),
        options: optionsOf(input, isOwn),
      },
    ];
  });
}
