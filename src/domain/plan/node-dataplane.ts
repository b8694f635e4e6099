/** The desired state of a node for all its networks, and managed entities that stay although no network needs them. */
import { isConnected } from '../dataplane/bridge-dataplane.ts';
import type { KeptNetwork } from './retained/kept-network.ts';
import { entitiesByKind, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { type Owner, ownerKey, uplinkOwner } from '../dataplane/owner.ts';
import { allKinds, type Entity, type EntityKindName, entityKey } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lastByObject, lazyByObject } from '../basics/incremental/by-identity.ts';
import { clusterNetworkKey } from '../network/key.ts';
import type { NetworkOwner } from '../network/part.ts';
import { operationOwners, type OperationOwners } from '../entities/operations/operation.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { stayingEntities, type StayingEntity } from './retained/retained-entities.ts';

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
  /** Every entity once, by kind; those of one kind in the order in which they are first needed. */
  readonly desired: readonly DesiredEntity[];
  /** Managed entities that stay although they are not desired. All others are obsolete and removed. */
  readonly stays: readonly StayingEntity[];
  /** Present if everything is left as it is because the cluster does not have the node. */
  readonly isUnknown?: true;
}

/** The desired entities of one kind, and by key. */
interface DesiredOfKind {
  readonly list: readonly DesiredEntity[];
  readonly byKey: ReadonlyMap<string, DesiredEntity>;
}

/** The entities of one kind that a network needs. */
interface Needs {
  readonly network: string;
  readonly entities: readonly Entity[];
}

/** The desired entities of a kind: the same objects as in the last plan if the same objects are needed by the same networks. */
const lastOfKind = lastByObject<DesiredOfKind>();

/** Whether the first owner of an entity is a network itself. */
const isOfNetwork = ({ owners: [first] }: DesiredEntity): boolean =>
  first?.kind === 'network' && first.part === 'network';

function desiredOfKind(needs: readonly Needs[], others: readonly DesiredEntity[]): DesiredOfKind {
  const byKey = new Map<string, DesiredEntity>();
  /** Entities that were added several times, with all owners by key: hundreds of networks may share one. */
  const shared = new Map<string, { readonly entity: Entity; readonly owners: Map<string, Owner> }>();
  const add = (each: DesiredEntity): void => {
    const key = entityKey(each.entity);
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, each);
      return;
    }
    const { entity, owners } = first;
    const gathered = shared.get(key) ?? { entity, owners: new Map(owners.map((owner) => [ownerKey(owner), owner])) };
    for (const owner of each.owners) gathered.owners.set(ownerKey(owner), owner);
    shared.set(key, gathered);
  };
  // A network itself first: it needs an entity also while its uplink does not.
  for (const each of others.filter(isOfNetwork)) add(each);
  for (const { network: name, entities } of needs) {
    const owners = [uplinkOwner(name)];
    for (const entity of entities) add({ entity, owners });
  }
  for (const each of others) if (!isOfNetwork(each)) add(each);
  for (const [key, { entity, owners }] of shared) byKey.set(key, { entity, owners: [...owners.values()] });
  return { list: [...byKey.values()], byKey };
}

/** The entities that networks need, by kind. */
function desiredEntities(
  programmed: readonly NetworkDataplane[],
  others: readonly DesiredEntity[],
): ReadonlyMap<EntityKindName, DesiredOfKind> {
  const othersByKind = groupBy(others, ({ entity }) => entity.kind);
  const needsByKind = new Map<string, Needs[]>(allKinds.map(({ kind }) => [kind, []]));
  for (const network of programmed) {
    for (const [kind, entities] of entitiesByKind(network)) {
      needsByKind.get(kind)?.push({ network: network.network, entities });
    }
  }
  return new Map(
    allKinds.map((kind) => {
      const needs = needsByKind.get(kind.kind) ?? [];
      const ofOthers = othersByKind.get(kind.kind) ?? [];
      const parts = [...needs.map(({ entities }) => entities), ...ofOthers];
      return [kind.kind, lastOfKind(kind, parts, () => desiredOfKind(needs, ofOthers))] as const;
    }),
  );
}

/** The entities of all kinds: the same list as in the last plan if those of each kind are the same. */
const lastOfAll = lastByObject<readonly DesiredEntity[]>();

/**
 * Combines the dataplanes of a node's networks.
 *
 * @param others entities that they share on bridges, and those of networks as a whole
 * @param held networks whose uplinks are held, and whether a managed entity belongs to a network that is held in any part
 * @param node as it is, with its ledger settled
 */
export function nodeDataplane(
  programmed: readonly NetworkDataplane[],
  others: readonly DesiredEntity[],
  { kept, isHeld }: { readonly kept: readonly KeptNetwork[]; readonly isHeld: (entity: Entity) => boolean },
  node: NodeSnapshot,
): NodeDataplane {
  const desired = desiredEntities(programmed, others);
  const lists = [...desired.values()].map(({ list }) => list);
  const all = lastOfAll(allKinds, lists, () => lists.flat());
  const byKind = new Map([...desired].map(([kind, { byKey }]) => [kind, byKey]));
  return { programmed, kept, desired: all, stays: stayingEntities(byKind, isHeld, node) };
}

/** The desired entities by kind. */
export const desiredByKind = lazyByObject((desired: readonly DesiredEntity[]) =>
  groupBy(desired, ({ entity }) => entity.kind),
);

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
      return networks.map(({ network }) => ({ network: clusterNetworkKey(network), part: 'uplink' }));
    }),
  );
}
