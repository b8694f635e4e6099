/**
 * The difference in entities of one kind: managed and obsolete ones are removed, desired ones that are missing are added, those that differ are
 * replaced.
 */
import type { EntityKind } from '../entities/entity-kind.ts';
import { entitiesOn, type Entity, entityKey, ownOf } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lastByObject } from '../basics/incremental/by-identity.ts';
import { lazy } from '../basics/incremental/lazy.ts';
import { differingItems, differingKeys, isSameList } from '../basics/incremental/list-changes.ts';
import type { EntityOperation } from '../entities/operations/operation.ts';
import { canonical, sortedBy } from '../basics/names/ordering.ts';
import { desiredByKind, networksOfOwners, type NodeDataplane } from '../plan/node-dataplane.ts';
import type { DesiredEntity } from '../plan/parts/part.ts';
import type { Ledger } from '../snapshot/ledger.ts';
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

type Wanted = ReadonlyMap<string, DesiredEntity>;

const nothing: EntityChanges = { removals: [], additions: [] };

const lastWanted = lastByObject<Wanted>();

/** The desired entities of a kind by key: the same map as in the last difference if they are the same objects. */
function wantedOf(kind: EntityKind<Entity>, desired: readonly DesiredEntity[]): Wanted {
  return lastWanted(kind, desired, () => new Map(desired.map((each) => [entityKey(each.entity), each])));
}

/** The input of a difference of a kind. */
interface Compared {
  readonly wanted: Wanted;
  /** The managed entities. */
  readonly own: readonly Entity[];
  /** All entities, by key. */
  readonly found: ReadonlyMap<string, readonly Entity[]>;
  readonly staying: ReadonlyMap<string, Entity>;
  readonly ledger: Ledger;
}

/** The input of the last difference without changes, by kind. */
const equal = new WeakMap<EntityKind<Entity>, Compared>();

/**
 * The keys of entities about which anything is different since there was nothing to change: others are as they are desired. Undefined if
 * all are compared.
 */
function keysToCompare(kind: EntityKind<Entity>, present: Compared): ReadonlySet<string> | undefined {
  const before = equal.get(kind);
  if (before?.ledger !== present.ledger) return undefined;
  const stayingKeys = differingKeys(before.staying, present.staying, (one, other) => one === other);
  const staying = stayingKeys.flatMap((key) => [before.staying.get(key) ?? [], present.staying.get(key) ?? []].flat());
  return new Set([
    ...differingKeys(before.wanted, present.wanted, (one, other) => one?.entity === other?.entity),
    ...differingKeys(before.found, present.found, (one = [], other = []) => isSameList(one, other)),
    ...[...differingItems(before.own, present.own), ...staying].map(entityKey),
  ]);
}

const noEntities: ReadonlyMap<string, Entity> = new Map();

/** Makes the difference in entities of one kind after the other: those that others are on come first. */
export function entityDifference({ before, dataplane, networksOf }: DifferenceInput) {
  const { desired, stays, programmed } = dataplane;
  const staysByKind = groupBy(stays, ({ entity }) => entity.kind);
  const removed = new Set<string>();

  /** @param reference the node that entities are desired on: as it is, or as link cycles leave it */
  return (kind: EntityKind<Entity>, reference: NodeSnapshot): EntityChanges => {
    // What stays is not added again either.
    const ofKind = staysByKind.get(kind.kind);
    const staying =
      ofKind === undefined ? noEntities : new Map(ofKind.map(({ entity }) => [entityKey(entity), entity]));
    const desiredOfKind = desiredByKind(desired).get(kind.kind) ?? [];
    const made =
      staying.size === 0 ? desiredOfKind : desiredOfKind.filter(({ entity }) => !staying.has(entityKey(entity)));
    const wanted = wantedOf(kind, made);
    const own = ownOf(kind, before);
    if (wanted.size === 0 && own.length === 0) return nothing;
    const found = entitiesOn(kind, reference);
    const { ledger } = before;
    const present: Compared = { wanted, own, found, staying, ledger };
    // Removed entities take others with them that are on them.
    const isIndependent = kind.basis === undefined || removed.size === 0;
    const keys = isIndependent ? keysToCompare(kind, present) : undefined;
    if (keys?.size === 0) return nothing;
    const isCompared = (key: string) => keys === undefined || keys.has(key);
    const comparedOwn = own.filter((entity) => isCompared(entityKey(entity)));
    const comparedWanted = [...wanted].filter(([key]) => isCompared(key));
    const served = new Map<Entity, boolean>();
    /** An entity is only ever compared with the desired one of its identity. */
    const isServed = (entity: Entity, desiredEntity: Entity): boolean => {
      const known = served.get(entity) ?? kind.satisfies(entity, desiredEntity, ledger);
      served.set(entity, known);
      return known;
    };
    const isRemade = (entity: Entity, desiredEntity: Entity): boolean =>
      kind.basis?.(entity).some((key) => removed.has(key)) === true ||
      (kind.isReplaceable?.(entity, desiredEntity) === false && !isServed(entity, desiredEntity));
    const remade = new Set(
      comparedOwn.flatMap((entity) => {
        const each = wanted.get(entityKey(entity));
        return each !== undefined && isRemade(entity, each.entity) ? [entityKey(entity)] : [];
      }),
    );
    const isObsolete = (entity: Entity): boolean => {
      const each = wanted.get(entityKey(entity));
      if (each === undefined) return !staying.has(entityKey(entity));
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
    const ownByIdentity = lazy(() => groupBy(comparedOwn, entityKey));
    // A route that the kernel drops with an interface is still there if the interface of another network fails to leave.
    const isOutdated = (key: string, entity: Entity): boolean =>
      kind.replace !== undefined &&
      !remade.has(key) &&
      ownByIdentity()
        .get(key)
        ?.some((other) => !isServed(other, entity)) === true;
    const additions = comparedWanted.flatMap(([key, each]): readonly EntityOperation[] => {
      const { entity } = each;
      const present = found.get(key);
      const operation = (verb: 'add' | 'replace'): EntityOperation => ({
        verb,
        ...networksOfOwners(each.owners, programmed),
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
