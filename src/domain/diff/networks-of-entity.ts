/**
 * For which networks is something done? A managed entity that no plan desires any more still says for whom it was made.
 */
import { CLUSTER_NETWORK_NAME_PREFIX } from '../conventions.ts';
import type { Anchor } from '../entities/entity-kind.ts';
import { isShortened } from '../entities/vrf-signature.ts';
import { distinct } from '../names/ordering.ts';
import type { NetworkOwner } from '../network/part.ts';
import { ownersOn } from '../owners/owners.ts';
import { nowhere, type OwnerPlaces } from '../owners/places.ts';
import type { NodeDataplane } from '../plan/node-dataplane.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * Names of the ClusterUserDefinedNetworks that an entity is there for, by its anchor, or the name in OVN of a network apart from its uplink; sorted, and empty
 * where none is known.
 */
export type NetworksOfEntity = (anchor: Anchor) => readonly string[];

/** The name of the object of a network: its name in OVN if there is no ClusterUserDefinedNetwork; none if it is not known as a whole. */
function nameOfObject(networkName: string): readonly string[] {
  if (isShortened(networkName)) return [];
  return [
    networkName.startsWith(CLUSTER_NETWORK_NAME_PREFIX)
      ? networkName.slice(CLUSTER_NETWORK_NAME_PREFIX.length)
      : networkName,
  ];
}

function namesOf(owners: readonly NetworkOwner[]): readonly string[] {
  const withUplinks = new Set(owners.flatMap(({ networkName, part }) => (part === 'uplink' ? [networkName] : [])));
  const names = owners.flatMap(({ networkName }) =>
    withUplinks.has(networkName) ? nameOfObject(networkName) : [networkName],
  );
  return distinct(names);
}

/** The places of the programmed networks. */
function programmedPlaces(programmed: NodeDataplane['programmed']): readonly OwnerPlaces[] {
  return programmed.map(({ networkName, vrf, device, bridge, datapath }) => ({
    ...nowhere,
    networkName,
    part: 'uplink',
    vrfs: [vrf.name],
    tables: [vrf.table],
    devices: [device],
    bridges: [bridge],
    patchPorts: datapath === undefined ? [] : [datapath.network.patchPort],
  }));
}

/** The networks of entities: by the plan if it has them, otherwise by what the node shows. */
export function networksOfEntity({ programmed, kept }: NodeDataplane, node: NodeSnapshot): NetworksOfEntity {
  const ownersOf = ownersOn(node, programmedPlaces(programmed));
  const keptNetworks = new Set(kept.map(({ networkName }) => networkName));
  return (anchor) => {
    // A device or a bridge may be a kept network's too; nothing is ever done for that one.
    const isShared = 'device' in anchor || 'bridge' in anchor;
    const isDoneFor = ({ networkName, part }: NetworkOwner) => part !== 'uplink' || !keptNetworks.has(networkName);
    return namesOf(isShared ? ownersOf(anchor).filter(isDoneFor) : ownersOf(anchor));
  };
}
