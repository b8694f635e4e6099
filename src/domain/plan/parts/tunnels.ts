/**
 * The tunnels to other nodes, which all networks that ovn-uplinks provides share: the setting by which there are tunnels, the chassis where they end, and the ports
 * that are reached through them (docs/design/networks.md, "Zones").
 */
import { type Entity, foreignAtPlaceOf } from '../../entities/entity-kinds.ts';
import { enabledInterconnection, interconnection } from '../../entities/switch/interconnection.ts';
import { remoteChassis, remoteChassisEntity } from '../../entities/ovn/remote-chassis.ts';
import { remotePort, type RemotePortEntity } from '../../entities/ovn/remote-port.ts';
import { requestedChassis } from '../../entities/ovn/northbound-row.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { canonicalAddress } from '../../basics/addresses/ip-address.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { by } from '../../basics/names/ordering.ts';
import { encapsulationAddressesOf } from '../../selection/node-network.ts';
import type { Chassis } from '../../snapshot/chassis.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { tunnelAddressesOf } from '../../snapshot/tunnel-addresses.ts';
import { CACHED_NODES, peersIn } from '../view/peer-nodes.ts';
import type { DesiredEntity, PartInput, PartOfNetwork, PlannedNetwork } from './part.ts';

const ownedBy = (networks: readonly PlannedNetwork[]) =>
  networks.map(({ onNode: { object } }) => ({ kind: 'network', network: object, part: 'network' }) as const);

/** The chassis of another node: the same object for the same content. */
const sameChassis = interned<Chassis>(CACHED_NODES);

/** Addresses that no tunnel to another node can end at: those of this node, and of chassis of other programs. OVN has one chassis for each (ovn-sb(5), Encap). */
function takenAddresses(snapshot: NodeSnapshot): ReadonlySet<string> {
  const ofOthers = snapshot.chassis.flatMap(({ node, addresses }) => (node === undefined ? addresses : []));
  return new Set([...tunnelAddressesOf(snapshot), ...ofOthers.map(canonicalAddress)]);
}

/** The chassis of the other nodes that networks are on. One of another program stays as it is: two agents would change it back and forth. */
function wantedChassis(networks: readonly PlannedNetwork[], { view, node }: PartInput): readonly DesiredEntity[] {
  const networksOf = groupBy(
    networks.flatMap((network) => network.others.map((name) => ({ name, network }))),
    ({ name }) => name,
  );
  const peers = peersIn(view);
  const taken = takenAddresses(node.snapshot);
  return [...networksOf].sort(by(([name]) => name)).flatMap(([name, onNode]): readonly DesiredEntity[] => {
    const object = view.nodes.byName.get(name);
    const peer = peers.get(name);
    const addresses = object === undefined ? [] : encapsulationAddressesOf(object);
    if (peer === undefined || addresses.length === 0) return [];
    if (addresses.some((address) => taken.has(address))) return [];
    const chassis: Chassis = { name: peer.chassis, hostname: name, addresses, isRemote: true, node: name };
    const entity = remoteChassisEntity(sameChassis(chassis));
    if (foreignAtPlaceOf(entity, node.snapshot).length > 0) return [];
    return [{ entity, owners: ownedBy(onNode.map(({ network }) => network)) }];
  });
}

/** The port of another node that a row is, on the chassis that the row requests; undefined for other rows. */
const portOf = lazyByObject((row: NorthboundRow): RemotePortEntity | undefined => {
  const chassis = requestedChassis(row);
  const { name: port, network } = row;
  return chassis === undefined
    ? undefined
    : { kind: 'remote-port', port, chassis, ...(network !== undefined && { network }) };
});

/** The ports of other nodes that are among the entities of a network. */
const portsAmong = lazyByObject((entities: readonly Entity[]): readonly RemotePortEntity[] =>
  entities.flatMap((entity) => (entity.kind === 'northbound-row' ? (portOf(entity.row) ?? []) : [])),
);

function wantedPorts(network: PlannedNetwork): readonly DesiredEntity[] {
  const owners = ownedBy([network]);
  return network.needs.flatMap(portsAmong).map((entity) => ({ entity, owners }));
}

/** The chassis where tunnels end, and the ports that are reached through them. */
function shared(
  networks: readonly PlannedNetwork[],
  input: PartInput,
  isHeld: (entity: Entity) => boolean,
): readonly DesiredEntity[] {
  const { snapshot } = input.node;
  const chassis = wantedChassis(networks, input);
  const staying = snapshot.chassis.filter((each) => each.node === undefined || isHeld(remoteChassisEntity(each)));
  const there = new Set([
    ...chassis.flatMap(({ entity }) => (entity.kind === 'remote-chassis' ? [entity.chassis.name] : [])),
    ...staying.map(({ name }) => name),
  ]);
  const ports = networks
    .flatMap(wantedPorts)
    .filter(
      ({ entity }) =>
        entity.kind === 'remote-port' && there.has(entity.chassis) && foreignAtPlaceOf(entity, snapshot).length === 0,
    );
  return [...chassis, ...ports];
}

const setting: readonly Entity[] = [enabledInterconnection];

export const tunnels: PartOfNetwork = {
  plan: () => setting,
  shared,
  reasons: {
    [interconnection.kind]: 'InterconnectionFailed',
    [remoteChassis.kind]: 'RemoteChassisFailed',
    [remotePort.kind]: 'RemotePortFailed',
  },
};
