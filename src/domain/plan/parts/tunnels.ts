/**
 * The tunnels to other nodes, which all networks that ovn-uplinks provides share: the setting by which there are tunnels, the chassis where they end, and the ports
 * that are reached through them (docs/design/networks.md, "Zones").
 */
import { networkOwner, type Owner } from '../../dataplane/owner.ts';
import { type Entity, foreignAtPlaceOf, foreignAtPlaces } from '../../entities/entity-kinds.ts';
import { enabledInterconnection, interconnection } from '../../entities/switch/interconnection.ts';
import { remoteChassis, remoteChassisEntity } from '../../entities/ovn/remote-chassis.ts';
import { remotePort, type RemotePortEntity } from '../../entities/ovn/remote-port.ts';
import { type NorthboundRowEntity, requestedChassis } from '../../entities/ovn/northbound-row.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { canonicalAddress } from '../../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObject } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { by, distinct } from '../../basics/names/ordering.ts';
import { encapsulationAddressesOf } from '../../selection/node-network.ts';
import type { Chassis } from '../../snapshot/chassis.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { tunnelAddressesOf } from '../../snapshot/tunnel-addresses.ts';
import { lastByReadParts } from '../../snapshot/read-parts.ts';
import { CACHED_NODES } from '../view/cluster-view.ts';
import { peersIn } from '../view/peer-nodes.ts';
import type { DesiredEntity, PartInput, PartOfNetwork, PlannedNetwork } from './part.ts';

const ownerOf = ({ onNode }: PlannedNetwork): Owner => networkOwner(onNode.object);

/** The chassis of another node: the same object for the same content. */
const sameChassis = interned<Chassis>(CACHED_NODES);

/** Addresses that no tunnel to another node can end at: those of this node, and of chassis of other programs. OVN has one chassis for each (ovn-sb(5), Encap). */
function takenAddresses(snapshot: NodeSnapshot): ReadonlySet<string> {
  const ofOthers = snapshot.chassis.flatMap(({ node, addresses }) => (node === undefined ? addresses : []));
  return new Set([...tunnelAddressesOf(snapshot), ...ofOthers.map(canonicalAddress)]);
}

/** The networks on each of the other nodes, as owners, by the name of the node: the same lists as long as the networks are the same. */
const ownersByNode = lastByObject<ReadonlyMap<string, readonly Owner[]>>();

function ownersOnOthers(networks: readonly PlannedNetwork[], { settings }: PartInput) {
  return ownersByNode(settings, networks, () => {
    const pairs = networks.flatMap((network) => network.others.map((name) => ({ name, owner: ownerOf(network) })));
    const byNode = [...groupBy(pairs, ({ name }) => name)].sort(by(([name]) => name));
    return new Map(byNode.map(([name, onNode]) => [name, onNode.map(({ owner }) => owner)]));
  });
}

const lastChassis = lastByObject<DesiredEntity>();

/** The chassis of the other nodes that networks are on. One of another program stays as it is: two agents would change it back and forth. */
function wantedChassis(networks: readonly PlannedNetwork[], input: PartInput): readonly DesiredEntity[] {
  const { view, node } = input;
  const peers = peersIn(view);
  const taken = takenAddresses(node.snapshot);
  return [...ownersOnOthers(networks, input)].flatMap(([name, onNode]): readonly DesiredEntity[] => {
    const object = view.nodes.byName.get(name);
    const peer = peers.get(name);
    const addresses = object === undefined ? [] : encapsulationAddressesOf(object);
    if (peer === undefined || addresses.length === 0) return [];
    if (addresses.some((address) => taken.has(address))) return [];
    const chassis = sameChassis({ name: peer.chassis, hostname: name, addresses, isRemote: true, node: name });
    const entity = remoteChassisEntity(chassis);
    if (foreignAtPlaceOf(entity, node.snapshot).length > 0) return [];
    return [lastChassis(onNode, [chassis], () => ({ entity, owners: onNode }))];
  });
}

/** The port of another node that a row is, on the chassis that the row requests; undefined for other rows. */
function portOf({ row }: NorthboundRowEntity): RemotePortEntity | undefined {
  const chassis = requestedChassis(row);
  const { name: port, network } = row;
  return chassis === undefined
    ? undefined
    : { kind: 'remote-port', port, chassis, ...(network !== undefined && { network }) };
}

/** The ports of other nodes that are among the entities of a network. */
const portsAmong = lazyByObject((entities: readonly Entity[]): readonly RemotePortEntity[] =>
  entities.flatMap((entity) => (entity.kind === 'northbound-row' ? (portOf(entity) ?? []) : [])),
);

/** The ports of other nodes that a network needs. */
const wantedPorts = lazyByObject((network: PlannedNetwork): readonly DesiredEntity[] => {
  const owners = [ownerOf(network)];
  return network.needs.flatMap(portsAmong).map((entity) => ({ entity, owners }));
});

/** The ports of a network that can be reached, as long as the same chassis are there, and the same ports of other programs. */
const lastReached = lastByReadParts<readonly DesiredEntity[]>();

/** The chassis where tunnels end, and the ports that are reached through them. */
function shared(
  networks: readonly PlannedNetwork[],
  input: PartInput,
  isHeld: (entity: Entity) => boolean,
): readonly DesiredEntity[] {
  const { node } = input;
  const { snapshot } = node;
  const chassis = wantedChassis(networks, input);
  const staying = snapshot.chassis.filter((each) => each.node === undefined || isHeld(remoteChassisEntity(each)));
  const there = distinct([
    ...chassis.flatMap(({ entity }) => (entity.kind === 'remote-chassis' ? [entity.chassis.name] : [])),
    ...staying.map(({ name }) => name),
  ]);
  const present = new Set(there);
  const ports = networks.flatMap((network) =>
    lastReached(network, there, node, (read) => {
      const foreignAt = foreignAtPlaces(remotePort, read.snapshot);
      return wantedPorts(network).filter(
        ({ entity }) =>
          entity.kind === 'remote-port' && present.has(entity.chassis) && (foreignAt?.(entity) ?? []).length === 0,
      );
    }),
  );
  return [...chassis, ...ports];
}

const setting: readonly (readonly Entity[])[] = [[enabledInterconnection]];

export const tunnels: PartOfNetwork = {
  plan: () => setting,
  shared,
  reasons: {
    [interconnection.kind]: 'InterconnectionFailed',
    [remoteChassis.kind]: 'RemoteChassisFailed',
    [remotePort.kind]: 'RemotePortFailed',
  },
};
