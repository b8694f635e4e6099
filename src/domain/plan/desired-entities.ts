/** The entities that are desired on a node, and who owns them: each once, made of what parts of networks need and of what networks share. */
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { networkOwner, type Owner, ownerKey, uplinkOwner } from '../dataplane/owner.ts';
import type { EntityKind } from '../entities/entity-kind.ts';
import { allKinds, type Entity, entityKey, type EntityKindName, indexName, isAlike } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { alone, lastByObject, lazyByObject, lazyByObjects } from '../basics/incremental/by-identity.ts';
import { groupedCompactly, itemsIn } from '../basics/incremental/grouped.ts';
import type { DesiredEntity, PlannedNetwork } from './parts/part.ts';

/** The desired entities of one kind. */
export interface DesiredOfKind<Some extends Entity = Entity> {
  /** Each once, in the order in which they are first needed. */
  readonly list: readonly (DesiredEntity & { readonly entity: Some })[];
  /** Finds the desired entity of the identity of another one of the kind. */
  readonly like: (entity: Entity) => DesiredEntity | undefined;
}

/** The desired entities by kind. */
type DesiredByKind = ReadonlyMap<EntityKindName, DesiredOfKind>;

/** Entities that one owner needs, by kind. */
type Needed = ReadonlyMap<string, readonly DesiredEntity[]>;

/** The entities of a list that an owner needs: the same objects for the same list and owner. */
const ownedBy = lazyByObjects((owner: Owner, entities: readonly Entity[]): readonly DesiredEntity[] => {
  const owners = alone(owner);
  return entities.map((entity) => ({ entity, owners }));
});

const kindOfDesired = ({ entity }: DesiredEntity): string => entity.kind;

/** The entities that the uplink of a network needs. */
export const neededByUplink = lazyByObject(({ network, entities }: NetworkDataplane): Needed =>
  groupBy(ownedBy(uplinkOwner(network), entities), kindOfDesired),
);

/** The entities that a network needs itself. */
export const neededByNetwork = lazyByObject(({ onNode, needs }: PlannedNetwork): Needed => {
  const owner = networkOwner(onNode.object);
  return groupBy(
    needs.flatMap((entities) => ownedBy(owner, entities)),
    kindOfDesired,
  );
});

/** Makes indexes of desired entities, derived from the last ones. */
const indexOf = lazyByObject((_series: object) => groupedCompactly(({ entity }: DesiredEntity) => indexName(entity)));

/** An entity that several need, with the owners of all: hundreds of networks may share one. */
function merged(same: readonly DesiredEntity[], first: DesiredEntity): DesiredEntity {
  const owners = new Map(same.flatMap((each) => each.owners).map((owner) => [ownerKey(owner), owner]));
  return { entity: first.entity, owners: [...owners.values()] };
}

/** Makes a list of entities each of which is in it once. @param series the former list of the same object is what it is made from */
function once(series: object, needed: readonly DesiredEntity[]): DesiredOfKind {
  const index = indexOf(series)(needed);
  const namedLike = (entity: Entity) => itemsIn(index.get(indexName(entity)));
  const alike = (entity: Entity) => namedLike(entity).filter((each) => isAlike(each.entity, entity));
  if (index.size === needed.length) return { list: needed, like: (entity) => alike(entity)[0] };
  // The index has those of one name in any order.
  const inOrder = groupBy(
    needed.filter(({ entity }) => namedLike(entity).length > 1),
    ({ entity }) => entityKey(entity),
  );
  const repeated = new Map(
    [...inOrder].flatMap(([key, same]) =>
      same.slice(0, 1).map((first) => [key, same.length === 1 ? first : merged(same, first)] as const),
    ),
  );
  const listed = new Set<string>();
  const list = needed.flatMap((each) => {
    if (namedLike(each.entity).length === 1) return [each];
    const key = entityKey(each.entity);
    if (listed.has(key)) return [];
    listed.add(key);
    return [repeated.get(key) ?? each];
  });
  const like = (entity: Entity) => {
    const [each, ...others] = alike(entity);
    return others.length === 0 ? each : repeated.get(entityKey(entity));
  };
  return { list, like };
}

/** The desired entities of a kind: the same ones as in the last plan if the same objects are needed by the same owners. */
const lastOfKind = lastByObject<DesiredOfKind>();

/** The entities of all kinds: the same list as in the last plan if those of each kind are the same. */
const lastOfAll = lastByObject<readonly DesiredEntity[]>();

/** The desired entities of a list by kind. */
const ofPlan = new WeakMap<readonly DesiredEntity[], DesiredByKind>();

/**
 * Combines what is needed.
 *
 * @param needed of each part of each network, in order
 * @param shared entities that networks need together
 * @returns every entity once, by kind; those of one kind in the order in which they are first needed.
 */
export function desiredEntities(needed: readonly Needed[], shared: readonly DesiredEntity[]): readonly DesiredEntity[] {
  const listsOfKind = new Map<string, (readonly DesiredEntity[])[]>(allKinds.map(({ kind }) => [kind, []]));
  for (const byKind of needed) for (const [kind, ofKind] of byKind) listsOfKind.get(kind)?.push(ofKind);
  const sharedOfKind = groupBy(shared, ({ entity }) => entity.kind);
  const byKind: DesiredByKind = new Map(
    allKinds.map((kind) => {
      const lists = listsOfKind.get(kind.kind) ?? [];
      const together = sharedOfKind.get(kind.kind) ?? [];
      const ofKind = lastOfKind(kind, [...lists, ...together], () => once(kind, [...lists, together].flat()));
      return [kind.kind, ofKind] as const;
    }),
  );
  const lists = [...byKind.values()].map(({ list }) => list);
  const all = lastOfAll(allKinds, lists, () => lists.flat());
  ofPlan.set(all, byKind);
  return all;
}

/** Groups the desired entities of a plan by kind, such as one that was read from a file. */
function groupedByKind(desired: readonly DesiredEntity[]): DesiredByKind {
  const groups = groupBy(desired, ({ entity }) => entity.kind);
  return new Map([...groups].map(([kind, list]) => [kind, once(groups, list)]));
}

const none: DesiredOfKind = { list: [], like: () => undefined };

/** The desired entities of a kind. */
export function desiredOf<Some extends Entity>(
  { kind }: EntityKind<Some>,
  desired: readonly DesiredEntity[],
): DesiredOfKind<Some> {
  const byKind = ofPlan.get(desired) ?? groupedByKind(desired);
  ofPlan.set(desired, byKind);
  // The compiler cannot infer that what is under the name of a kind is of that kind.
  return (byKind.get(kind) ?? none) as DesiredOfKind<Some>;
}
