/** The desired state of a node for all its networks, and managed entities that stay although no network needs them. */
import type { BridgeEntity } from '../dataplane/bridge-dataplane.ts';
import type { KeptNetwork } from '../dataplane/kept-network.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { Owner } from '../dataplane/owner.ts';
import { type Entity, entityKey } from '../entities/entity-kinds.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { stayingEntities, type StayingEntity } from './staying-entities.ts';

/** A desired entity and its owners: it is removed with the last of them. */
export interface DesiredEntity {
  readonly entity: Entity;
  readonly owners: readonly Owner[];
}

/** The desired state of the node. */
export interface NodeDataplane {
  /** Networks that are programmed, by name. */
  readonly programmed: readonly NetworkDataplane[];
  /** Networks that are left exactly as they are, by name. */
  readonly kept: readonly KeptNetwork[];
  /** Every entity once, in the order in which they are first needed. */
  readonly desired: readonly DesiredEntity[];
  /** Managed entities that stay although they are not desired. All others are obsolete and removed. */
  readonly stays: readonly StayingEntity[];
  /** Present if everything is left as it is because the cluster does not have the node. */
  readonly isUnknown?: true;
}

/** The entities that networks need, by key. */
function desiredEntities(
  programmed: readonly NetworkDataplane[],
  ofBridges: readonly BridgeEntity[],
): ReadonlyMap<string, DesiredEntity> {
  const desired = new Map<string, DesiredEntity>();
  for (const { network, entities } of programmed) {
    const owners: readonly Owner[] = [{ kind: 'network', name: network }];
    for (const entity of entities) {
      const key = entityKey(entity);
      const known = desired.get(key);
      if (known === undefined) desired.set(key, { entity, owners });
      else if (!known.owners.some((other) => other.kind === 'network' && other.name === network))
        desired.set(key, { entity: known.entity, owners: [...known.owners, ...owners] });
    }
  }
  for (const each of ofBridges) desired.set(entityKey(each.entity), each);
  return desired;
}

/**
 * Combines the dataplanes of a node's networks.
 *
 * @param ofBridges entities that they share on bridges
 * @param node as it is, with its ledger settled
 */
export function nodeDataplane(
  programmed: readonly NetworkDataplane[],
  ofBridges: readonly BridgeEntity[],
  kept: readonly KeptNetwork[],
  node: NodeSnapshot,
): NodeDataplane {
  const desired = desiredEntities(programmed, ofBridges);
  return { programmed, kept, desired: [...desired.values()], stays: stayingEntities(desired, kept, node) };
}

/** Names of the networks of owners, in the order of the owners. */
export function networksOfOwners(owners: readonly Owner[], programmed: readonly NetworkDataplane[]): readonly string[] {
  const networks = owners.flatMap((owner) => {
    switch (owner.kind) {
      case 'network':
        return [owner.name];
      case 'bridge':
        return programmed.filter(({ bridge }) => bridge === owner.name).map(({ network }) => network);
      case 'uplink':
        return programmed.filter(({ uplink }) => uplink === owner.name).map(({ network }) => network);
      case 'node':
        return programmed.map(({ network }) => network);
    }
  });
  return [...new Set(networks)];
}
