/** Entities that networks which ovn-uplinks provides need on a node to reach other nodes, once for all of them (docs/design/networks.md, "Zones"). */
import { type Entity, foreignAtPlaceOf } from '../../entities/entity-kinds.ts';
import { enabledInterconnection } from '../../entities/interconnection.ts';
import { remoteChassisEntity } from '../../entities/remote-chassis.ts';
import type { RemotePortEntity } from '../../entities/remote-port.ts';
import { requestedChassis } from '../../entities/northbound-row.ts';
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
import type { DesiredEntity } from '../node-dataplane.ts';
import type { NodeInput } from '../node-input.ts';
import { CACHED_NODES, peersIn } from './peer-nodes.ts';
import type { PlannedZone } from './zones-on-node.ts';

const ownedBy = (zones: readonly PlannedZone[]) =>
  zones.map(({ onNode: { object } }) => ({ kind: 'network', network: object, part: 'network' }) as const);

/** The chassis of another node: the same object for the same content. */
const sameChassis = interned<Chassis>(CACHED_NODES);

/** Addresses that no tunnel to another node can end at: those of this node, and of chassis of other programs. OVN has one chassis for each (ovn-sb(5), Encap). */
function takenAddresses(snapshot: NodeSnapshot): ReadonlySet<string> {
  const ofOthers = snapshot.chassis.flatMap(({ node, addresses }) => (node === undefined ? addresses : []));
  return new Set([...tunnelAddressesOf(snapshot), ...ofOthers.map(canonicalAddress)]);
}

/** The chassis of the other nodes that networks are on. One of another program stays as it is: two agents would change it back and forth. */
function wantedChassis(zones: readonly PlannedZone[], { view, node }: NodeInput): readonly DesiredEntity[] {
  const zonesOf = groupBy(
    zones.flatMap((zone) => zone.others.map((name) => ({ name, zone }))),
    ({ name }) => name,
  );
  const peers = peersIn(view);
  const taken = takenAddresses(node.snapshot);
  return [...zonesOf].sort(by(([name]) => name)).flatMap(([name, onNode]): readonly DesiredEntity[] => {
    const object = view.nodes.byName.get(name);
    const peer = peers.get(name);
    const addresses = object === undefined ? [] : encapsulationAddressesOf(object);
    if (peer === undefined || addresses.length === 0) return [];
    if (addresses.some((address) => taken.has(address))) return [];
    const chassis: Chassis = { name: peer.chassis, hostname: name, addresses, isRemote: true, node: name };
    const entity = remoteChassisEntity(sameChassis(chassis));
    if (foreignAtPlaceOf(entity, node.snapshot).length > 0) return [];
    return [{ entity, owners: ownedBy(onNode.map(({ zone }) => zone)) }];
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

/** The ports of other nodes that a network has. */
const portsAmong = lazyByObject((desired: readonly DesiredEntity[]): readonly DesiredEntity[] =>
  desired.flatMap(({ entity, owners }) => {
    const port = entity.kind === 'northbound-row' ? portOf(entity.row) : undefined;
    return port === undefined ? [] : [{ entity: port, owners }];
  }),
);

/**
 * The setting by which there are tunnels, the chassis where they end, and the ports that are reached through them.
 *
 * @param isHeld whether a managed entity stays that is not desired
 */
export function tunnelsOnNode(
  planned: readonly PlannedZone[],
  input: NodeInput,
  isHeld: (entity: Entity) => boolean,
): readonly DesiredEntity[] {
  const zones = planned.filter(({ onNode }) => onNode.failure === undefined);
  if (zones.length === 0) return [];
  const { snapshot } = input.node;
  const chassis = wantedChassis(zones, input);
  const staying = snapshot.chassis.filter((each) => each.node === undefined || isHeld(remoteChassisEntity(each)));
  const there = new Set([
    ...chassis.flatMap(({ entity }) => (entity.kind === 'remote-chassis' ? [entity.chassis.name] : [])),
    ...staying.map(({ name }) => name),
  ]);
  const ports = zones
    .flatMap(({ desired }) => portsAmong(desired))
    .filter(
      ({ entity }) =>
        entity.kind === 'remote-port' && there.has(entity.chassis) && foreignAtPlaceOf(entity, snapshot).length === 0,
    );
  return [{ entity: enabledInterconnection, owners: ownedBy(zones) }, ...chassis, ...ports];
}
