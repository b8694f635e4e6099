/**
 * The difference in entities of one kind: managed and obsolete ones are removed, desired ones that are missing are added, those that differ are
 * replaced.
 */
import type { EntityKind } from '../entities/entity-kind.ts';
import { allOf, entitiesLike, type Entity, entityKey, ownLike, ownOf } from '../entities/entity-kinds.ts';
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
  readonly all: readonly Entity[];
  readonly staying: readonly Entity[];
}

/** The input of the last difference without changes, by kind. */
const equal = new WeakMap<EntityKind<Entity>, Compared>();

/**
 * The entities about which anything is different since there was nothing to change, one of each identity: others are as they are desired. Undefined if all
 * are compared, which costs less where most are different.
 */
function differing(kind: EntityKind<Entity>, present: Compared): readonly Entity[] | undefined {
  const before = equal.get(kind);
  if (before === undefined) return undefined;
  const all = [
    ...differingItems(before.wanted.list, present.wanted.list).map(({ entity }) => entity),
    ...differingItems(before.all, present.all),
    ...differingItems(before.own, present.own),
    ...differingItems(before.staying, present.staying),
  ];
  if (all.length > present.wanted.list.length) return undefined;
  return [...new Map(all.map((entity) => [entityKey(entity), entity] as const)).values()];
}

/** The items of a list that are like some entities, in its order. */
function chosenFrom<Item extends object>(
  entities: readonly Entity[] | undefined,
  all: readonly Item[],
  like: (entity: Entity) => readonly Item[],
): readonly Item[] {
  if (entities === undefined) return all;
  const chosen = new Set(entities.flatMap(like));
  return chosen.size < 2 ? [...chosen] : all.filter((item) => chosen.has(item));
}

/** Identities of entities, mostly of none: then no key of an entity is made. */
class Identities {
  readonly #keys: Set<string>;

  constructor(entities: readonly Entity[] = []) {
    this.#keys = new Set(entities.map(entityKey));
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  add(entity: Entity): void {
    this.#keys.add(entityKey(entity));
  }

  has(entity: Entity): boolean {
    return !this.isEmpty && this.#keys.has(entityKey(entity));
  }

  /** Whether one of some keys is among them. */
  hasSome(keys: readonly string[]): boolean {
    return !this.isEmpty && keys.some((key) => this.#keys.has(key));
  }
}

const noEntities: readonly Entity[] = [];

/** Makes the difference in entities of one kind after the other: those that others are on come first. */
export function entityDifference({ before, dataplane, networksOf }: DifferenceInput) {
  const { desired, stays, programmed } = dataplane;
  const staysByKind = groupBy(stays, ({ entity }) => entity.kind);
  const removed = new Identities();

  /** @param reference the node that entities are desired on: as it is, or as link cycles leave it */
  return (kind: EntityKind<Entity>, reference: NodeSnapshot): EntityChanges => {
    const staying = staysByKind.get(kind.kind)?.map(({ entity }) => entity) ?? noEntities;
    const wanted = desiredOf(kind, desired);
    const own = ownOf(kind, before);
    if (wanted.list.length === 0 && own.length === 0) return nothing;
    const present: Compared = { wanted, own, all: allOf(kind, reference), staying };
    // Removed entities take others with them that are on them.
    const isIndependent = kind.basis === undefined || removed.isEmpty;
    const chosen = isIndependent ? differing(kind, present) : undefined;
    if (chosen?.length === 0) {
      equal.set(kind, present);
      return nothing;
    }
    const retained = new Identities(staying);
    // What stays is not added again either.
    const wantedLike = (entity: Entity) => (retained.has(entity) ? undefined : wanted.like(entity));
    const comparedOwn = chosenFrom(chosen, own, (entity) => ownLike(entity, before));
    const comparedWanted = chosenFrom(chosen, wanted.list, (entity) => [wanted.like(entity) ?? []].flat());
    const served = new Map<Entity, boolean>();
    /** An entity is only ever compared with the desired one of its identity. */
    const isServed = (entity: Entity, desiredEntity: Entity): boolean => {
      const known = served.get(entity) ?? kind.satisfies(entity, desiredEntity, before.ledger);
      served.set(entity, known);
      return known;
    };
    const isRemade = (entity: Entity, desiredEntity: Entity): boolean =>
      removed.hasSome(kind.basis?.(entity) ?? []) ||
      (kind.isReplaceable?.(entity, desiredEntity) === false && !isServed(entity, desiredEntity));
    const remade = new Identities(
      comparedOwn.filter((entity) => {
        const each = wantedLike(entity);
        return each !== undefined && isRemade(entity, each.entity);
      }),
    );
    const isObsolete = (entity: Entity): boolean => {
      const each = wantedLike(entity);
      if (each === undefined) return !retained.has(entity);
      if (remade.has(entity)) return true;
      if (isServed(entity, each.entity)) return false;
      // One beside another of its identity that serves is left over (`ip route append` makes such routes).
      const alike = entitiesLike(entity, reference);
      return alike.length > 1 && alike.some((other) => isServed(other, each.entity));
    };
    const obsolete = sortedBy(comparedOwn.filter(isObsolete), entityKey);
    for (const entity of obsolete) removed.add(entity);
    const removals = obsolete.map((entity): EntityOperation => ({
      verb: 'remove',
      ...networksOf(kind.anchor(entity)),
      entity: canonical(entity),
    }));
    // A route that the kernel drops with an interface is still there if the interface of another network fails to leave.
    const isOutdated = (entity: Entity): boolean =>
      kind.replace !== undefined &&
      !remade.has(entity) &&
      ownLike(entity, before).some((other) => !isServed(other, entity));
    const additions = comparedWanted.flatMap(({ entity, owners }): readonly EntityOperation[] => {
      if (retained.has(entity)) return [];
      const alike = entitiesLike(entity, reference);
      const operation = (verb: 'add' | 'replace'): EntityOperation => ({
        verb,
        ...networksOfOwners(owners, programmed),
        entity,
      });
      if (alike.length === 0 && isOutdated(entity)) return [operation('replace')];
      if (alike.length === 0 || remade.has(entity)) {
        return kind.isAddedInTwoSteps ? [operation('add'), operation('replace')] : [operation('add')];
      }
      if (alike.some((other) => isServed(other, entity))) return [];
      return [operation(kind.replace === undefined ? 'add' : 'replace')];
    });
    if (removals.length === 0 && additions.length === 0) equal.set(kind, present);
    return { removals, additions };
  };
}
