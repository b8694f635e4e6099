/** The desired state of a node for all its networks, and managed entities that stay although no network needs them. */
import { isConnected } from '../dataplane/bridge-dataplane.ts';
import type { HeldNetwork } from './retained/held-network.ts';
import { entitiesByKind, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { type Owner, ownerKey, uplinkOwner } from '../dataplane/owner.ts';
import { allKinds, type Entity, type EntityKindName, entityKey } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lastByObject, lazyByObject } from '../basics/incremental/by-identity.ts';
import type { NetworkOwner } from '../network/part.ts';
import { operationOwners, type OperationOwners } from '../entities/operations/operation.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { PlannedNetwork } from './parts/part.ts';
import type { DesiredEntity } from './parts/part.ts';
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

/** The desired entities of one kind, and by key. */
interface DesiredOfKind {
  readonly list: readonly DesiredEntity[];
  readonly byKey: ReadonlyMap<string, DesiredEntity>;
}

/** Entities that a part of a network needs. */
interface Needs {
  readonly owner: Owner;
  readonly entities: readonly Entity[];
}

/** The desired entities of a kind: the same objects as in the last plan if the same objects are needed by the same networks. */
const lastOfKind = lastByObject<DesiredOfKind>();

function desiredOfKind(needs: readonly Needs[], shared: readonly DesiredEntity[]): DesiredOfKind {
  const byKey = new Map<string, DesiredEntity>();
  /** Entities that were added several times, with all owners by key: hundreds of networks may share one. */
  const severalOwners = new Map<string, { readonly entity: Entity; readonly owners: Map<string, Owner> }>();
  const add = (each: DesiredEntity): void => {
    const key = entityKey(each.entity);
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, each);
      return;
    }
    const { entity, owners } = first;
    const gathered = severalOwners.get(key) ?? {
      entity,
      owners: new Map(owners.map((owner) => [ownerKey(owner), owner])),
    };
    for (const owner of each.owners) gathered.owners.set(ownerKey(owner), owner);
    severalOwners.set(key, gathered);
  };
  for (const { owner, entities } of needs) {
    const owners = [owner];
    for (const entity of entities) add({ entity, owners });
  }
  shared.forEach(add);
  for (const [key, { entity, owners }] of severalOwners) byKey.set(key, { entity, owners: [...owners.values()] });
  return { list: [...byKey.values()], byKey };
}

/** The desired entities, by kind. */
function desiredEntities(
  needs: readonly Needs[],
  shared: readonly DesiredEntity[],
): ReadonlyMap<EntityKindName, DesiredOfKind> {
  const sharedByKind = groupBy(shared, ({ entity }) => entity.kind);
  const needsByKind = new Map<string, Needs[]>(allKinds.map(({ kind }) => [kind, []]));
  for (const { owner, entities } of needs) {
    for (const [kind, ofKind] of entitiesByKind(entities)) needsByKind.get(kind)?.push({ owner, entities: ofKind });
  }
  return new Map(
    allKinds.map((kind) => {
      const needsOfKind = needsByKind.get(kind.kind) ?? [];
      const sharedOfKind = sharedByKind.get(kind.kind) ?? [];
      const inputs = [...needsOfKind.flatMap(({ owner, entities }) => [ownerKey(owner), entities]), ...sharedOfKind];
      return [kind.kind, lastOfKind(kind, inputs, () => desiredOfKind(needsOfKind, sharedOfKind))] as const;
    }),
  );
}

/** The entities of all kinds: the same list as in the last plan if those of each kind are the same. */
const lastOfAll = lastByObject<readonly DesiredEntity[]>();

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
  const desired = desiredEntities(
    [
      ...logicalNetworks.flatMap(({ onNode, needs }) => {
        const owner: Owner = { kind: 'network', network: onNode.object, part: 'network' };
        return needs.map((entities) => ({ owner, entities }));
      }),
      ...programmed.map(({ network, entities }) => ({ owner: uplinkOwner(network), entities })),
    ],
    shared,
  );
  const lists = [...desired.values()].map(({ list }) => list);
  const all = lastOfAll(allKinds, lists, () => lists.flat());
  const byKind = new Map([...desired].map(([kind, { byKey }]) => [kind, byKey]));
  return { programmed, kept, desired: all, stays: retainedEntities(byKind, isHeld, node) };
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
      return networks.map(({ network }) => ({ network, part: 'uplink' }));
    }),
  );
}

/** The interfaces that stay in a VRF although no programmed network needs them there, such as those of held networks: nothing on them is changed. */
export function stayingMembersOf({ stays }: Pick<NodeDataplane, 'stays'>): ReadonlySet<string> {
  return new Set(stays.flatMap(({ entity }) => (entity.kind === 'membership' ? [entity.device] : [])));
}
