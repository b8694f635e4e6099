/** The desired state of a node for all its networks, and managed entities that stay although no network needs them. */
import { isConnected } from '../dataplane/bridge-dataplane.ts';
import type { HeldNetwork } from './retained/held-network.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { Owner } from '../dataplane/owner.ts';
import type { Entity } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { NetworkOwner } from '../network/part.ts';
import { operationOwners, type OperationOwners } from '../entities/operations/operation.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { desiredEntities, neededByNetwork, neededByUplink } from './desired-entities.ts';
import type { DesiredEntity, PlannedNetwork } from './parts/part.ts';
import { retainedEntities, type RetainedEntity } from './retained/retained-entities.ts';

/** The desired state of the node. */
export interface NodeDataplane {
  /** Networks that are programmed, by key. */
  readonly programmed: readonly NetworkDataplane[];
  /** Networks that are left exactly as they are, by key. */
  readonly kept: readonly HeldNetwork[];
  /** Every entity once, by kind; those of one kind in the order in which they are first needed. */
  readonly desired: readonly DesiredEntity[];
  /** Managed entities that stay although they are not desired. All others are obsolete and removed. */
  readonly stays: readonly RetainedEntity[];
  /** Present if everything is left as it is because the cluster does not have the node. */
  readonly isUnknown?: true;
}

/** The desired state of a node, network by network. */
interface Wanted {
  /** Networks that ovn-uplinks provides and that are programmed, with the entities of their parts. */
  readonly logicalNetworks: readonly PlannedNetwork[];
  /** Networks on uplinks that are programmed. */
  readonly programmed: readonly NetworkDataplane[];
  /** Entities that networks need together. */
  readonly shared: readonly DesiredEntity[];
}

/**
 * Combines what the networks of a node need.
 *
 * @param held networks whose uplinks are held, and whether a managed entity belongs to a network that is held in any part
 * @param node as it is, with its ledger settled
 */
export function nodeDataplane(
  { logicalNetworks, programmed, shared }: Wanted,
  { kept, isHeld }: { readonly kept: readonly HeldNetwork[]; readonly isHeld: (entity: Entity) => boolean },
  node: NodeSnapshot,
): NodeDataplane {
  // A network itself first: it needs an entity also while its uplink does not.
  const needed = [...logicalNetworks.map(neededByNetwork), ...programmed.map(neededByUplink)];
  const desired = desiredEntities(needed, shared);
  return { programmed, kept, desired, stays: retainedEntities(desired, isHeld, node) };
}

/** The networks of each bridge, and of each uplink. One without a datapath needs nothing of what the others share there. */
const sharing = lazyByObject((programmed: readonly NetworkDataplane[]) => {
  const connected = programmed.filter(isConnected);
  return {
    bridges: groupBy(connected, ({ bridge }) => bridge),
    uplinks: groupBy(connected, ({ uplink }) => uplink),
  };
});

/** The networks of owners, and their part. */
export function networksOfOwners(owners: readonly Owner[], programmed: readonly NetworkDataplane[]): OperationOwners {
  const { bridges, uplinks } = sharing(programmed);
  return operationOwners(
    owners.flatMap((owner): readonly NetworkOwner[] => {
      if (owner.kind === 'network') return [owner];
      const networks = (owner.kind === 'bridge' ? bridges : uplinks).get(owner.name) ?? [];
      return networks.map(({ network }) => ({ network, part: 'uplink' }));
    }),
  );
}

/** The interfaces that stay in a VRF although no programmed network needs them there, such as those of held networks: nothing on them is changed. */
export function stayingMembersOf({ stays }: Pick<NodeDataplane, 'stays'>): ReadonlySet<string> {
  return new Set(stays.flatMap(({ entity }) => (entity.kind === 'membership' ? [entity.device] : [])));
}
