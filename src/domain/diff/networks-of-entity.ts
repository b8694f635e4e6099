/**
 * For which networks is something done? A managed entity that no plan desires any more still says for whom it was made.
 */
import type { Anchor } from '../entities/entity-kind.ts';
import type { NetworkOwner } from '../network/part.ts';
import { operationOwners, type OperationOwners } from '../entities/operations/operation.ts';
import { ownersOn } from '../entities/owners/owners.ts';
import { nowhere, type OwnerPlaces } from '../entities/owners/places.ts';
import type { NodeDataplane } from '../plan/node-dataplane.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** The networks that an entity is there for, by its anchor, and the part of them. */
export type NetworksOfEntity = (anchor: Anchor) => OperationOwners;

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
  const networksHeldOnUplinks = new Set(kept.map(({ network }) => network));
  return (anchor) => {
    if ('node' in anchor) return { networks: [], part: 'network' };
    // A device or a bridge may be a kept network's too; nothing is ever done for that one.
    const isShared = 'device' in anchor || 'bridge' in anchor;
    const isDoneFor = ({ network, part }: NetworkOwner) => part !== 'uplink' || !networksHeldOnUplinks.has(network);
    return operationOwners(isShared ? ownersOf(anchor).filter(isDoneFor) : ownersOf(anchor));
  };
}
