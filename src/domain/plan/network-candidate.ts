/** A network on one of its uplinks, as far as it can be decided without other networks. */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import { ownMappings } from '../snapshot/bridge-mappings.ts';
import { CHASSIS_KEY } from '../conventions.ts';
import type { NeighbourEntity } from '../entities/neighbour.ts';
import { lazyByKey, lazyByObject, lazyByText } from '../lazy.ts';
import {
  type NetworkDatapath,
  networkDatapath,
  type DatapathNetwork,
  type UnknownDatapath,
  type DatapathUplink,
} from '../dataplane/network-datapath.ts';
import { distinct } from '../ordering.ts';
import { podSubnetsOf } from '../selection/node-network.ts';
import { type Inside, transitRouterName } from '../dataplane/gateway-router/names.ts';
import { rowsByKey } from '../entities/northbound-words.ts';
import { rowKey } from '../node-model/northbound.ts';
import { dataplaneOf, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { effectiveOn } from '../routing-domain/advertisement.ts';
import { networkVrf, type VrfDecision } from '../routing-domain/network-vrf.ts';
import { type RoutingDomainDecision, routingDomain } from '../routing-domain/routing-domain.ts';
import { ownVrfName } from '../routing-domain/vrf-name.ts';
import {
  clusterSubnetsOf,
  familiesOf,
  joinSubnetsOf,
  networkNameOf,
  ownMtuOf,
  unsupported,
  uplinksOf,
} from '../selection/network.ts';
import { lastByReadParts } from '../snapshot/read-parts.ts';
import type { NotCarried, UplinkOnNode } from './node-plan.ts';
import { gatewayNeighboursOf } from './gateway-neighbours.ts';
import type { NodeInput } from './node-input.ts';
import { addressesOf, isInDefaultDomain, unreadableForDomain, uplinksInDefaultDomain } from './unreadable.ts';
import type { ZoneOnNode } from './zones-on-node.ts';

/** A network on one of its uplinks, without its conflicts. */
export interface Candidate {
  readonly network: ClusterUserDefinedNetwork;
  readonly uplinkName: string;
  readonly uplink: UplinkOnNode | undefined;
  /** The network as a whole; absent if another program provides it. */
  readonly zone: ZoneOnNode | undefined;
  readonly notCarried: NotCarried | undefined;
  readonly networkId: number | undefined;
  readonly ownVrf: string | undefined;
  readonly bridge: string | undefined;
  readonly decision: RoutingDomainDecision;
  readonly vrf: VrfDecision;
  /** Subnets of its pods on the node, CIDR, that are advertised in the default routing domain. */
  readonly advertisedSubnets: readonly string[];
  /** The desired state for it; absent if it cannot be decided, or if no uplink carries it. */
  readonly dataplane: NetworkDataplane | undefined;
  /** Why its datapath is unknown; absent if it is known, or not programmed. */
  readonly unknownDatapath: UnknownDatapath | undefined;
}

/** Further input for the datapath of a network. */
interface DatapathContext {
  /** The network as a whole; absent if another program provides it. */
  readonly zone: ZoneOnNode | undefined;
  readonly isAdvertised: boolean;
  /** Addresses of the uplinks in its routing domain on the node. */
  readonly domainAddresses: readonly string[];
  /** Entries by which the kernel keeps its gateways resolved. */
  readonly gatewayNeighbours: readonly NeighbourEntity[];
}

/** What is between the gateway router of a network and its pods: of a Layer2 network, what OVN-Kubernetes has made. */
function insideOf(network: ClusterUserDefinedNetwork, { snapshot }: NodeInput['node']): Inside {
  if (network.spec.network.topology !== 'Layer2') return 'join-switch';
  const name = transitRouterName(networkNameOf(network));
  return rowsByKey(snapshot.northbound).has(rowKey({ table: 'Logical_Router', name })) ? 'transit-router' : 'switch';
}

/** Subnets of the pods that leave by the node, CIDR: a Layer2 network has the same on all nodes. */
function podSubnetsOn(
  object: NodeInput['object'],
  network: ClusterUserDefinedNetwork,
  zone: ZoneOnNode | undefined,
): readonly string[] {
  if (zone !== undefined) return zone.podSubnets;
  return network.spec.network.topology === 'Layer2'
    ? clusterSubnetsOf(network)
    : podSubnetsOf(object, networkNameOf(network));
}

/** The datapath of a network, or why it is unknown. */
function datapathOf(
  { view, object, node, settings }: NodeInput,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  {
    networkId,
    zone,
    isAdvertised,
    domainAddresses,
  }: Omit<DatapathContext, 'gatewayNeighbours'> & { readonly networkId: number },
): NetworkDatapath | UnknownDatapath | undefined {
  const { hostInterfaceName: device, facts = {} } = uplink ?? {};
  const { bridge, hostPort, macAddress, physicalInterface, vlan, ipAddresses, defaultGateways = [] } = facts;
  const isKnown =
    device !== undefined &&
    bridge !== undefined &&
    hostPort !== undefined &&
    macAddress !== undefined &&
    physicalInterface !== undefined &&
    ipAddresses !== undefined;
  if (!settings.ovn || !isKnown) return undefined;
  const networkName = networkNameOf(network);
  const end: Omit<DatapathNetwork, 'clusterNodeAddresses'> = {
    network: network.metadata.name,
    networkName,
    networkId,
    families: familiesOf(network),
    clusterSubnets: clusterSubnetsOf(network),
    joinSubnets: joinSubnetsOf(network),
    mtu: ownMtuOf(network) ?? settings.defaultNetworkMtu,
    isAdvertised,
    domainAddresses,
    nodeId: view.nodeId(object),
    inside: insideOf(network, node),
    podSubnets: podSubnetsOn(object, network, zone),
    node: object.metadata.name,
    chassis: node.snapshot.switchExternalIds[CHASSIS_KEY] ?? object.metadata.name,
    masqueradeSubnets: settings.masqueradeSubnets,
  };
  const uplinkEnd: DatapathUplink = {
    uplink: uplinkName,
    hostPort,
    bridge,
    physicalPort: physicalInterface,
    macAddress,
    ...(vlan !== undefined && { vlan }),
    ipAddresses,
    defaultGateways,
  };
  return datapathsFor(JSON.stringify(view.nodeAddresses))(JSON.stringify([end, uplinkEnd]));
}

/** Number of networks whose datapaths are cached: more than a node has. */
const CACHED_DATAPATHS = 5000;

/** Datapaths by the addresses of the cluster's nodes, then by network and uplink: computed once for the same input, like the rows derived from them. */
const datapathsFor = lazyByText((nodeAddresses) => {
  const clusterNodeAddresses = JSON.parse(nodeAddresses) as DatapathNetwork['clusterNodeAddresses'];
  return lazyByText((ends) => {
    const [end, uplink] = JSON.parse(ends) as readonly [Omit<DatapathNetwork, 'clusterNodeAddresses'>, DatapathUplink];
    return networkDatapath({ ...end, clusterNodeAddresses }, uplink);
  }, CACHED_DATAPATHS);
}, 2);

function wantedDataplane(
  input: NodeInput,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  { networkId, vrf, ...surroundings }: Pick<Candidate, 'networkId' | 'vrf'> & DatapathContext,
): Pick<Candidate, 'dataplane' | 'unknownDatapath'> {
  const { node, settings, addressing } = input;
  const { hostInterfaceName: device, facts: { bridge, defaultGateways = [] } = {} } = uplink ?? {};
  if (networkId === undefined || vrf.unusable !== undefined || device === undefined || bridge === undefined) {
    return { dataplane: undefined, unknownDatapath: undefined };
  }
  const found = datapathOf(input, network, uplinkName, uplink, { networkId, ...surroundings });
  const [datapath, unknownDatapath] =
    found === undefined || 'router' in found ? [found, undefined] : [undefined, found];
  const dataplane = dataplaneOf({
    network: network.metadata.name,
    networkName: networkNameOf(network),
    uplink: uplinkName,
    networkId,
    families: familiesOf(network),
    mtu: ownMtuOf(network) ?? settings.defaultNetworkMtu,
    vrf,
    device,
    bridge,
    defaultGateways,
    node,
    addressing,
    ...(datapath && { datapath }),
    gatewayNeighbours: surroundings.gatewayNeighbours,
  });
  return { dataplane, unknownDatapath };
}

/** The routing domain of a network on the node. */
function domainOf({ view, object }: NodeInput, network: ClusterUserDefinedNetwork) {
  const advertisements = effectiveOn(object, view.advertisements(network));
  const ownVrf = ownVrfName(network.metadata.name, view.networkId(network));
  return { ownVrf, isAdvertised: advertisements.length > 0, decision: routingDomain(advertisements, ownVrf) };
}

/** Equal lists of addresses as one object. */
const sameAddresses = lazyByText((text) => JSON.parse(text) as readonly string[]);

/**
 * Addresses of the uplinks that carry networks of the default routing domain, which share one VRF. In other VRFs, the address of another tenant's
 * uplink may be another host's outside.
 */
export function defaultDomainAddresses(
  input: NodeInput,
  networks: readonly ClusterUserDefinedNetwork[],
  uplinks: ReadonlyMap<string, UplinkOnNode>,
): readonly string[] {
  const carried = networks.filter(
    (network) =>
      unsupported(network, input.view.settings) === undefined &&
      (unreadableForDomain(network, input.view) === undefined
        ? domainOf(input, network).decision.domain.kind === 'default'
        : isInDefaultDomain(network.metadata.name, input)),
  );
  const names = distinct([...carried.flatMap(uplinksOf), ...uplinksInDefaultDomain([...uplinks.values()], input)]);
  const addresses = names.flatMap((name) => {
    const uplink = uplinks.get(name);
    return uplink === undefined ? [] : addressesOf(uplink, input);
  });
  return sameAddresses(JSON.stringify(distinct(addresses.map((address) => address.split('/')[0] ?? ''))));
}

/** A network on one of its uplinks, as a key. */
const keyOf = lazyByObject((_: ClusterUserDefinedNetwork) => lazyByKey((uplink: string) => ({ uplink })));

const lastCandidate = lastByReadParts<Candidate>();

/**
 * Decides about a network on one of its uplinks, before it is compared with others. The same object as long as all that it follows from is the same.
 *
 * @param uplink the same object as long as it is equal
 * @param defaultAddresses of the uplinks in the default routing domain; likewise
 * @param zone the network as a whole; absent if another program provides it
 */
export function candidate(
  input: NodeInput,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  defaultAddresses: readonly string[],
  zone: ZoneOnNode | undefined,
): Candidate {
  const { view, object, settings, addressing, node: present } = input;
  const gatewayNeighbours = gatewayNeighboursOf(input, uplink, familiesOf(network));
  const inputs = [view, object, settings, addressing, uplink, defaultAddresses, zone, gatewayNeighbours];
  return lastCandidate(keyOf(network)(uplinkName), inputs, present, (node) =>
    decidedCandidate({ ...input, node }, network, uplinkName, uplink, { defaultAddresses, zone, gatewayNeighbours }),
  );
}

/** What a candidate follows from besides its network and uplink. */
interface CandidateContext extends Pick<DatapathContext, 'zone' | 'gatewayNeighbours'> {
  readonly defaultAddresses: readonly string[];
}

function decidedCandidate(
  input: NodeInput,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  { defaultAddresses, zone, gatewayNeighbours }: CandidateContext,
): Candidate {
  const { view, node } = input;
  const networkId = view.networkId(network);
  const { ownVrf, isAdvertised, decision } = domainOf(input, network);
  const absent = view.table(uplinkName) === undefined ? 'UplinkNotFound' : 'UplinkNotFoundForNode';
  const notCarried = unsupported(network, view.settings) ?? (uplink === undefined ? { reason: absent } : undefined);
  const bridge = uplink?.facts?.bridge ?? ownMappings(node.snapshot.switchExternalIds).get(networkNameOf(network));
  const domainAddresses = decision.domain.kind === 'default' ? defaultAddresses : [];
  const isProvided = zone !== undefined;
  const vrf = networkVrf({ domain: decision.domain, ownVrf, networkId, isProvided, node });
  return {
    network,
    uplinkName,
    uplink,
    zone,
    notCarried,
    networkId,
    ownVrf,
    bridge: notCarried === undefined ? bridge : undefined,
    decision,
    vrf,
    advertisedSubnets:
      isAdvertised && decision.domain.kind === 'default' ? podSubnetsOn(input.object, network, zone) : [],
    ...(notCarried === undefined
      ? wantedDataplane(input, network, uplinkName, uplink, {
          networkId,
          vrf,
          zone,
          isAdvertised,
          domainAddresses,
          gatewayNeighbours,
        })
      : { dataplane: undefined, unknownDatapath: undefined }),
  };
}
