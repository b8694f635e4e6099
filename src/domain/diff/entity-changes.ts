/**
 * The difference in entities of one kind: managed and obsolete ones are removed, desired ones that are missing are added, those that differ are
 * replaced.
 */
import type { EntityKind } from '../entities/entity-kind.ts';
import { allOf, entitiesOn, type Entity, entityKey, ownByKey, ownOf } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { differingItems } from '../basics/incremental/list-changes.ts';
import type { EntityOperation } from '../entities/operations/operation.ts';
import { canonical, sortedBy } from '../basics/names/ordering.ts';
import { type DesiredOfKind, desiredOf } from '../plan/desired-entities.ts';
import { networksOfOwners, type NodeDataplane } from '../plan/node-dataplane.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NetworksOfEntity } from './networks-of-entity.ts';

/** The input of a difference. */
export interface DifferenceInput {
  /** The node as it is, its ledger settled. */
  readonly before: NodeSnapshot;
  readonly dataplane: NodeDataplane;
  readonly networksOf: NetworksOfEntity;
}

/** The operations on entities of one kind. */
export interface EntityChanges {
  readonly removals: readonly EntityOperation[];
  /** With replacements. */
  readonly additions: readonly EntityOperation[];
}

const nothing: EntityChanges = { removals: [], additions: [] };

/** The input of a difference of a kind. */
interface Compared {
  readonly wanted: DesiredOfKind;
  /** The managed entities. */
  readonly own: readonly Entity[];
  /** All entities, by key. */
  readonly found: ReadonlyMap<string, readonly Entity[]>;
  readonly all: readonly Entity[];
  readonly staying: readonly Entity[];
}

/** The input of the last difference without changes, by kind. */
const equal = new WeakMap<EntityKind<Entity>, Compared>();

/**
 * The keys of entities about which anything is different since there was nothing to change: others are as they are desired. Undefined if
 * all are compared.
 */
function keysToCompare(kind: EntityKind<Entity>, present: Compared): ReadonlySet<string> | undefined {
  const before = equal.get(kind);
  if (before === undefined) return undefined;
  return new Set(
    [
      ...differingItems(before.wanted.list, present.wanted.list).map(({ entity }) => entity),
      ...differingItems(before.all, present.all),
      ...differingItems(before.own, present.own),
      ...differingItems(before.staying, present.staying),
    ].map(entityKey),
  );
}

/** The items of a list with some keys, in its order. */
function chosenFrom<Item extends object>(
  keys: ReadonlySet<string> | undefined,
  all: readonly Item[],
  withKey: (key: string) => readonly Item[],
): readonly Item[] {
  if (keys === undefined) return all;
  const chosen = new Set([...keys].flatMap(withKey));
  return chosen.size < 2 ? [...chosen] : all.filter((item) => chosen.has(item));
}

const noEntities: readonly Entity[] = [];

/** Makes the difference in entities of one kind after the other: those that others are on come first. */
export function entityDifference({ before, dataplane, networksOf }: DifferenceInput) {
  const { desired, stays, programmed } = dataplane;
  const staysByKind = groupBy(stays, ({ entity }) => entity.kind);
  const removed = new Set<string>();

  /** @param reference the node that entities are desired on: as it is, or as link cycles leave it */
  return (kind: EntityKind<Entity>, reference: NodeSnapshot): EntityChanges => {
    const staying = staysByKind.get(kind.kind)?.map(({ entity }) => entity) ?? noEntities;
    const wanted = desiredOf(kind, desired);
    const own = ownOf(kind, before);
    if (wanted.list.length === 0 && own.length === 0) return nothing;
    const [all, found] = [allOf(kind, reference), entitiesOn(kind, reference)];
    const present: Compared = { wanted, own, all, found, staying };
    // Removed entities take others with them that are on them.
    const isIndependent = kind.basis === undefined || removed.size === 0;
    const keys = isIndependent ? keysToCompare(kind, present) : undefined;
    if (keys?.size === 0) {
      equal.set(kind, present);
      return nothing;
    }
    const stayingKeys = new Set(staying.map(entityKey));
    // What stays is not added again either.
    const wantedOf = (key: string) => (stayingKeys.has(key) ? undefined : wanted.get(key));
    const ownWith = (key: string) => ownByKey(kind, own).get(key) ?? noEntities;
    const comparedOwn = chosenFrom(keys, own, ownWith);
    const comparedWanted = chosenFrom(keys, wanted.list, (key) => [wanted.get(key) ?? []].flat());
    const served = new Map<Entity, boolean>();
    /** An entity is only ever compared with the desired one of its identity. */
    const isServed = (entity: Entity, desiredEntity: Entity): boolean => {
      const known = served.get(entity) ?? kind.satisfies(entity, desiredEntity, before.ledger);
      served.set(entity, known);
      return known;
    };
    const isRemade = (entity: Entity, desiredEntity: Entity): boolean =>
      kind.basis?.(entity).some((key) => removed.has(key)) === true ||
      (kind.isReplaceable?.(entity, desiredEntity) === false && !isServed(entity, desiredEntity));
    const remade = new Set(
      comparedOwn.flatMap((entity) => {
        const each = wantedOf(entityKey(entity));
        return each !== undefined && isRemade(entity, each.entity) ? [entityKey(entity)] : [];
      }),
    );
    const isObsolete = (entity: Entity): boolean => {
      const each = wantedOf(entityKey(entity));
      if (each === undefined) return !stayingKeys.has(entityKey(entity));
      if (remade.has(entityKey(entity))) return true;
      if (isServed(entity, each.entity)) return false;
      // One beside another of its identity that serves is left over (`ip route append` makes such routes).
      const all = found.get(entityKey(entity)) ?? [];
      return all.length > 1 && all.some((other) => isServed(other, each.entity));
    };
    const obsolete = sortedBy(comparedOwn.filter(isObsolete), entityKey);
    for (const entity of obsolete) removed.add(entityKey(entity));
    const removals = obsolete.map((entity): EntityOperation => ({
      verb: 'remove',
      ...networksOf(kind.anchor(entity)),
      entity: canonical(entity),
    }));
    // A route that the kernel drops with an interface is still there if the interface of another network fails to leave.
    const isOutdated = (key: string, entity: Entity): boolean =>
      kind.replace !== undefined && !remade.has(key) && ownWith(key).some((other) => !isServed(other, entity));
    const additions = comparedWanted.flatMap(({ entity, owners }): readonly EntityOperation[] => {
      const key = entityKey(entity);
      if (stayingKeys.has(key)) return [];
      const present = found.get(key);
      const operation = (verb: 'add' | 'replace'): EntityOperation => ({
        verb,
        ...networksOfOwners(owners, programmed),
        entity,
      });
      if (present === undefined && isOutdated(key, entity)) return [operation('replace')];
      if (present === undefined || remade.has(key)) {
        return kind.isAddedInTwoSteps ? [operation('add'), operation('replace')] : [operation('add')];
      }
      if (present.some((other) => isServed(other, entity))) return [];
      return [operation(kind.replace === undefined ? 'add' : 'replace')];
    });
    if (removals.length === 0 && additions.length === 0) equal.set(kind, present);
    return { removals, additions };
  };
}
