/** Entities that the networks of a bridge share: its flows, static FDB entries of host interfaces, and neighbours that the kernel keeps resolved. */
import { resolvedMac } from '../node-model/neighbours/lasting-neighbour.ts';
import { ADOPTED_NEIGHBOUR_PROTOCOL, FLOW_COOKIE } from '../basics/conventions.ts';
import type { FdbEntryEntity } from '../entities/switch/fdb-entry.ts';
import type { FlowEntity } from '../entities/switch/flow.ts';
import type { NeighbourEntity } from '../entities/kernel/neighbour.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { familyOf, networkOf, prefixLengthOf, subnetContains, withoutLength } from '../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazyByText } from '../basics/incremental/lazy.ts';
import { by, canonical, distinct } from '../basics/names/ordering.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { lastByReadParts } from '../snapshot/read-parts.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { tunnelAddressesOf } from '../snapshot/tunnel-addresses.ts';
import { adoptedNeighbours, type UplinkLink } from './adopted-neighbours.ts';
import { managedNeighbours } from './neighbours.ts';
import type { NetworkDatapath } from './network-datapath.ts';
import type { NetworkDataplane } from './network-dataplane.ts';
import type { Owner } from './owner.ts';
import { bridgeFlows, type PipelineFlow } from './pipeline/bridge-flows.ts';
import type { BridgeInput, NeighbourInput, NetworkInput, PerFamily, UplinkInput } from './pipeline/bridge-input.ts';
import { nextHopFlow } from './pipeline/next-hop.ts';
import { firstZones, type HostPort, ownActions } from './remembered-flows.ts';

/** An entity that networks of a bridge share, and its owners. */
export interface BridgeEntity {
  readonly entity: FlowEntity | FdbEntryEntity | NeighbourEntity;
  readonly owners: readonly Owner[];
}

/** A network that has a datapath. */
export type Connected = NetworkDataplane & { readonly datapath: NetworkDatapath };

/** Whether a network has a datapath. */
export function isConnected(network: NetworkDataplane): network is Connected {
  return network.datapath !== undefined;
}

/** Addresses of adopted neighbours, by uplink. */
type Adopted = ReturnType<typeof adoptedNeighbours>;

/**
 * The MAC address of a neighbour: the kernel's, else the one in the managed flow. So packets keep their receiver while the kernel probes a silent
 * neighbour, or has dropped its entry with the link.
 */
function neighbourMac(
  { address, isGateway }: Pick<NeighbourInput, 'address' | 'isGateway'>,
  { device, bridge, datapath: { uplink } }: Connected,
  node: NodeView,
): string | undefined {
  const found = node.neighboursOn(device).find((neighbour) => neighbour.address === address);
  const resolved = found && resolvedMac(found);
  if (resolved !== undefined) return resolved;
  const { flow, macAddressIn } = nextHopFlow(uplink, address, isGateway);
  const actions = ownActions({ bridge, ...flow }, node.snapshot.flows);
  return actions === undefined ? undefined : macAddressIn(actions);
}

/** The neighbours of an uplink with known MAC addresses. One that was learned stays in learned flows until the kernel has resolved it. */
function neighboursOf(network: Connected, adopted: readonly string[], node: NodeView): readonly NeighbourInput[] {
  const inputs = (addresses: readonly string[], isGateway: boolean) =>
    addresses.flatMap((address) => {
      const macAddress = neighbourMac({ address, isGateway }, network, node);
      return macAddress === undefined ? [] : [{ address, macAddress, isGateway }];
    });
  return [...inputs(network.datapath.gateways, true), ...inputs(adopted, false)];
}

/** The port of the host interface of a network's uplink. */
const hostPortOf = ({ bridge, datapath: { uplink } }: Connected): HostPort => ({ bridge, hostPort: uplink.hostPort });

/** The order of addresses has no meaning. */
const canonicalNetwork = lazyByObject((network: NetworkInput): NetworkInput => canonical(network));

function uplinkInput(
  networks: readonly Connected[],
  zoneOf: ReturnType<typeof firstZones>,
  adopted: Adopted,
  node: NodeView,
): UplinkInput | undefined {
  const [first] = networks;
  const firstZone = first && zoneOf(hostPortOf(first));
  if (first === undefined || firstZone === undefined) return undefined;
  return {
    ...canonical({ ...first.datapath.uplink, firstZone }),
    neighbours: canonical(neighboursOf(first, adopted.get(first.uplink) ?? [], node)),
    networks: networks.map(({ datapath }) => canonicalNetwork(datapath.network)),
  };
}

/** Addresses by family. */
function byFamily(addresses: readonly string[]): PerFamily<readonly string[]> {
  const ofFamily = (family: 4 | 6) => addresses.filter((address) => familyOf(address) === family);
  return { 4: ofFamily(4), 6: ofFamily(6) };
}

function firstByFamily(addresses: readonly string[]): PerFamily<string> {
  const families = byFamily(addresses);
  const [[four], [six]] = [families[4] ?? [], families[6] ?? []];
  return { ...(four !== undefined && { 4: four }), ...(six !== undefined && { 6: six }) };
}

/** Subnets of the cluster, CIDR. */
export type ClusterSubnets = Pick<ClusterSettings, 'masqueradeSubnets' | 'serviceCidrs'>;

/** The subnets that are not part of others, each once: two flows of one priority must not overlap. */
function largest(cidrs: readonly string[]): readonly string[] {
  const subnets = distinct(cidrs.flatMap((cidr) => networkOf(cidr) ?? []));
  const contains = (other: string, subnet: string) =>
    prefixLengthOf(other) < prefixLengthOf(subnet) && subnetContains(other, withoutLength(subnet));
  return subnets.filter((subnet) => !subnets.some((other) => contains(other, subnet)));
}

function bridgeInput(
  bridge: string,
  networks: readonly Connected[],
  zoneOf: ReturnType<typeof firstZones>,
  subnets: ClusterSubnets,
  adopted: Adopted,
  node: NodeView,
): BridgeInput {
  const uplinks = [...groupBy(networks, ({ uplink }) => uplink).values()].flatMap(
    (ofUplink) => uplinkInput(ofUplink, zoneOf, adopted, node) ?? [],
  );
  return {
    ...canonical({
      bridge,
      physicalPort: networks[0]?.datapath.physicalPort ?? '',
      masqueradeSubnets: firstByFamily(subnets.masqueradeSubnets),
      serviceSubnets: byFamily(largest(subnets.serviceCidrs)),
      // Other bridges have other wires, where another host may have the same address.
      uplinkAddresses: byFamily(uplinks.flatMap(({ addresses }) => [addresses[4] ?? [], addresses[6] ?? []].flat())),
      encapsulationAddresses: byFamily(tunnelAddressesOf(node.snapshot)),
    }),
    uplinks: uplinks.toSorted(by(({ uplink }) => uplink)),
  };
}

/** The entity of a flow on a bridge: the same object for the same flow. */
const flowEntityOn = lazyByText((bridge: string) =>
  lazyByObject(({ table, priority, match, actions, why, owners }: PipelineFlow): BridgeEntity => ({
    entity: { kind: 'flow', flow: { bridge, cookie: FLOW_COOKIE, table, priority, match, actions }, why },
    owners,
  })),
);

/** A bridge, as a key. */
const bridgeNamed = lazyByText((bridge) => ({ bridge }));

const lastOnBridge = lastByObject<readonly BridgeEntity[]>();

/** The flows of a bridge, made once for the same input: a change of one network leaves the flows of other bridges as they are. */
function flowsFor({ uplinks, ...bridge }: BridgeInput): readonly BridgeEntity[] {
  const ends = uplinks.map(({ networks: _, ...uplink }) => uplink);
  const parts = [JSON.stringify([bridge, ends]), ...uplinks.flatMap(({ uplink, networks }) => [uplink, ...networks])];
  return lastOnBridge(bridgeNamed(bridge.bridge), parts, () =>
    bridgeFlows({ ...bridge, uplinks }).map(flowEntityOn(bridge.bridge)),
  );
}

/** The networks of each uplink. */
function byUplink(networks: readonly Connected[]): readonly (readonly [Connected, ...Connected[]])[] {
  return [...groupBy(networks, ({ uplink }) => uplink).values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  );
}

/** The link of an uplink. Without IPv4 networks it has no addresses: only IPv4 neighbours are adopted. */
function linkOf([first, ...rest]: readonly [Connected, ...Connected[]]): UplinkLink {
  const { uplink, device, bridge, datapath } = first;
  const addresses = [first, ...rest].flatMap((network) => network.datapath.router.families[4]?.uplinkAddresses ?? []);
  const { vlan } = datapath.uplink;
  return {
    uplink,
    device,
    bridge,
    ...(vlan !== undefined && { vlan }),
    addresses: distinct(addresses),
    gateways: datapath.gateways,
  };
}

/** Neighbour entries by which the kernel keeps adopted neighbours resolved. */
function neighbourEntities(
  uplinks: readonly (readonly [Connected, ...Connected[]])[],
  adopted: Adopted,
  node: NodeView,
): readonly BridgeEntity[] {
  return uplinks.flatMap(([{ uplink, device, bridge, datapath }]) => {
    const link = { device, bridge, uplink: datapath.uplink };
    return managedNeighbours(link, adopted.get(uplink) ?? [], ADOPTED_NEIGHBOUR_PROTOCOL, node).map((entity) => ({
      entity,
      owners: [{ kind: 'uplink' as const, name: uplink }],
    }));
  });
}

/** Static FDB entries of host interfaces: no other host can take over their MAC addresses on the wire. */
function fdbEntries(networks: readonly Connected[]): readonly BridgeEntity[] {
  const uplinks = new Map(networks.map((network) => [network.uplink, network]));
  return [...uplinks.values()].map(({ uplink, bridge, datapath: { uplink: end, hostInterface: port } }) => ({
    entity: { kind: 'fdb-entry', bridge, port, vlan: end.vlan ?? 0, macAddress: end.macAddress },
    owners: [{ kind: 'uplink', name: uplink }],
  }));
}

/** The zones of uplinks, by the ports of their host interfaces. */
function zonesOf(uplinks: readonly (readonly [Connected, ...Connected[]])[], { snapshot }: NodeView) {
  return firstZones(
    uplinks.map(([first]) => hostPortOf(first)),
    snapshot.flows,
  );
}

/** The first zone of each uplink, in the order of these. */
export function firstZonesOf(connected: readonly Connected[], node: NodeView): readonly (number | undefined)[] {
  const uplinks = byUplink(connected);
  const zoneOf = zonesOf(uplinks, node);
  return uplinks.map(([first]) => zoneOf(hostPortOf(first)));
}

/** The bridges of networks, without the neighbours of their uplinks. */
export function bridgesOf(
  connected: readonly Connected[],
  subnets: ClusterSubnets,
  node: NodeView,
): readonly BridgeInput[] {
  const zoneOf = zonesOf(byUplink(connected), node);
  return [...groupBy(connected, ({ bridge }) => bridge)].map(([bridge, ofBridge]) =>
    bridgeInput(bridge, ofBridge, zoneOf, subnets, noneAdopted, node),
  );
}

const noneAdopted: Adopted = new Map();

function entitiesOfBridges(
  networks: readonly NetworkDataplane[],
  subnets: ClusterSubnets,
  node: NodeView,
): readonly BridgeEntity[] {
  const connected = networks.filter(isConnected);
  const uplinks = byUplink(connected);
  const links = uplinks.map(linkOf);
  const adopted = adoptedNeighbours(links, node);
  const byBridge = groupBy(connected, ({ bridge }) => bridge);
  const zoneOf = zonesOf(uplinks, node);
  const ofBridges = [...byBridge].flatMap(([bridge, ofBridge]) => {
    const input = bridgeInput(bridge, ofBridge, zoneOf, subnets, adopted, node);
    return [...fdbEntries(ofBridge), ...flowsFor(input)];
  });
  return [...neighbourEntities(uplinks, adopted, node), ...ofBridges];
}

const lastEntities = lastByReadParts<readonly BridgeEntity[]>();

/**
 * Entities that networks share on their bridges: the same list as long as nothing that they follow from has changed.
 *
 * @param subnets of the cluster
 */
export function bridgeEntities(
  networks: readonly NetworkDataplane[],
  subnets: ClusterSubnets,
  node: NodeView,
): readonly BridgeEntity[] {
  return lastEntities(subnets, networks, node, (present) => entitiesOfBridges(networks, subnets, present));
}
