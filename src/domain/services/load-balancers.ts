/**
 * The OVN load balancers by which a Service is reached on a node: one for each protocol on the switch of the pods of its network, and, where it is reached from outside, on the gateway
 * router (docs/design/services.md, "Load balancers").
 *
 * Each is for one network, at addresses of the Service alone, or ports of it at the address of the uplink, and leads to nowhere else than into that network.
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
import { lazyByKey } from '../basics/incremental/lazy.ts';
import { byName } from '../basics/names/ordering.ts';
import { subnetOfFamily } from '../network/allocation/addresses.ts';
import { entityPrefix } from '../network/names/logical-network.ts';
import type { Network } from '../network/network.ts';
import { type ChosenEndpoint, endpointJudge, MOST_PORT, type NodePlace, usedOf } from './endpoint-choice.ts';
import type { OutsidePort } from './exposed-ports.ts';
import type { ServiceSlices } from './placed-endpoints.ts';
import { type ProtocolName, protocols } from './protocols.ts';

/** A place of a load balancer in its network. */
export type BalancerPlace = 'switch' | 'router';

/** A load balancer for a protocol of a Service. */
export interface LoadBalancer {
  /** Unique on a node. */
  readonly name: string;
  /** The network that it is in. */
  readonly networkName: string;
  /** Where it is on the node: on the switch of the pods, for packets from them, or on the gateway router, for packets from the wire. */
  readonly place: BalancerPlace;
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
  /** Ports that are reached from outside; none where it is absent. */
  readonly outside?: readonly OutsidePort[];
  /** Whether packets from the wire come to its network on the node. */
  readonly isOnWire?: boolean;
  /** Addresses that other Services of the network have too; none where it is absent. */
  readonly shared?: Pick<ReadonlySet<string>, 'has'>;
}

/** Longest time in seconds that OVN keeps a client at its endpoint (ovn-nb(5), Load_Balancer, affinity_timeout). */
const MOST_AFFINITY_SECONDS = 65_535;

/** Seconds that a client is kept at its endpoint where a Service does not say it (Kubernetes API reference, Service v1, ClientIPConfig). */
const DEFAULT_AFFINITY_SECONDS = 10_800;

const familyNames = { 4: 'IPv4', 6: 'IPv6' } as const;

/** An address and a port as load balancers have them. */
export const placeText = (address: string, port: number) =>
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

/** Addresses with ports, and the endpoints of each. */
type Vips = readonly (readonly [string, string])[];

const textOf = (endpoints: readonly ChosenEndpoint[]) =>
  endpoints.map(({ address, port }) => placeText(address, port)).join(',');

/** The endpoints of ports in any family, by a policy. */
function endpointsBy(input: LoadBalancersInput, policy?: 'Cluster' | 'Local') {
  const { slices, network, node } = input;
  const judges = lazyByKey((family: AddressFamily) =>
    endpointJudge({ slices, network, family, node, ...(policy !== undefined && { policy }) }),
  );
  return (family: AddressFamily, port: ServicePort) => textOf(usedOf(judges(family)(port)));
}

/** The ports of a Service at its own addresses. */
function clusterVips({ slices, network, shared, ...rest }: LoadBalancersInput, name: ProtocolName): Vips {
  const endpoints = endpointsBy({ slices, network, ...rest });
  return judgedClusterIps(slices.service, network, (address) => shared?.has(address) === true)
    .filter(({ refusal }) => refusal === undefined)
    .flatMap(({ address, family }) =>
      portsOf(slices.service, name).map((port) => [placeText(address, port.port), endpoints(family, port)] as const),
    );
}

/** Its ports at addresses outside, for packets from within or from the wire. */
function outsideVips(input: LoadBalancersInput, name: ProtocolName, policy: 'Cluster' | 'Local'): Vips {
  const endpoints = endpointsBy(input, policy);
  return (input.outside ?? [])
    .filter(({ protocol }) => protocol === protocols[name])
    .map(({ address, port, family, servicePort }) => [placeText(address, port), endpoints(family, servicePort)]);
}

/** Options of a load balancer on the gateway router: where its endpoints are local, they see who sends, and otherwise the router, to which they answer. */
const routerOptions = { Cluster: {}, Local: { skip_snat: 'true' } } as const;

/**
 * The load balancers of a Service that is served in a network, on a node.
 *
 * Pods reach it outside by all its endpoints, whatever the policy for packets from the wire is, as with kube-proxy (Kubernetes enhancements, KEP-1669).
 */
export function loadBalancersOf(input: LoadBalancersInput): readonly LoadBalancer[] {
  const { slices, network, isOnWire = false } = input;
  const { namespace = 'default', name } = slices.service.metadata;
  const owner = `${namespace}/${name}`;
  const policy = slices.service.spec.externalTrafficPolicy === 'Local' ? 'Local' : 'Cluster';
  return Object.entries(protocols).flatMap(([each, protocol]): readonly LoadBalancer[] => {
    const protocolName = each as ProtocolName;
    const made = (place: BalancerPlace, part: string, vips: Vips, options: Readonly<Record<string, string>>) =>
      vips.length === 0
        ? []
        : [
            {
              name: `${entityPrefix(network.networkName)}Service_${owner}_${protocolName}_${part}`,
              networkName: network.networkName,
              place,
              owner,
              protocol,
              vips: Object.fromEntries(vips.toSorted(([one], [other]) => byName(one, other))),
              options: { ...optionsOf(input, protocolName), ...options },
            },
          ];
    const inside = [...clusterVips(input, protocolName), ...outsideVips(input, protocolName, 'Cluster')];
    const fromWire = isOnWire ? outsideVips(input, protocolName, policy) : [];
    const part = policy === 'Local' ? 'router_local' : 'router';
    return [...made('switch', 'switch', inside, {}), ...made('router', part, fromWire, routerOptions[policy])];
  });
}
