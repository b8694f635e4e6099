/**
 * The difference in entities of one kind: managed and obsolete ones are removed, desired ones that are missing are added, those that differ are
 * replaced.
 */
import type { EntityKind } from '../entities/entity-kind.ts';
import { entitiesOn, type Entity, entityKey, ownOf } from '../entities/entity-kinds.ts';
import { groupBy } from '../grouping.ts';
import { lastByObject, lazy } from '../lazy.ts';
import type { EntityOperation } from '../operations/operation.ts';
import { canonical, sortedBy } from '../ordering.ts';
import { type DesiredEntity, networksOfOwners, type NodeDataplane } from '../plan/node-dataplane.ts';
import type { Ledger } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { Attribution } from './attribution.ts';

/** What a difference is made from. */
export interface DifferenceInput {
  /** The node as it is, its ledger settled. */
  readonly before: NodeSnapshot;
  readonly dataplane: NodeDataplane;
  readonly networksOf: Attribution;
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

/** The desired entities of a kind by identity: the same map as in the last difference if they are the same objects. */
function wantedOf(kind: EntityKind<Entity>, desired: readonly DesiredEntity[]): Wanted {
  return lastWanted(kind, desired, () => new Map(desired.map((each) => [kind.identity(each.entity), each])));
}

/** What a difference of a kind was made from the last time that there was none, by the managed entities that were found. */
const equal = new WeakMap<
  readonly Entity[],
  { readonly wanted: Wanted; readonly found: object; readonly ledger: Ledger }
>();

/** Makes the difference in entities of one kind after the other: those that others are on come first. */
export function entityDifference({ before, dataplane, networksOf }: DifferenceInput) {
  const { desired, stays, programmed } = dataplane;
  const desiredByKind = groupBy(desired, ({ entity }) => entity.kind);
  const staysByKind = groupBy(stays, ({ entity }) => entity.kind);
  const removed = new Set<string>();

  /** @param reference the node that entities are desired on: as it is, or as link cycles leave it */
  return (kind: EntityKind<Entity>, reference: NodeSnapshot): EntityChanges => {
    // What stays is not added again either.
    const staying = new Set((staysByKind.get(kind.kind) ?? []).map(({ entity }) => entityKey(entity)));
    const desiredOfKind = desiredByKind.get(kind.kind) ?? [];
    const made =
      staying.size === 0 ? desiredOfKind : desiredOfKind.filter(({ entity }) => !staying.has(entityKey(entity)));
    const wanted = wantedOf(kind, made);
    const own = ownOf(kind, before);
    if (wanted.size === 0 && own.length === 0) return nothing;
    const found = entitiesOn(kind, reference);
    const { ledger } = before;
    const known = equal.get(own);
    if (known?.wanted === wanted && known.found === found && known.ledger === ledger && removed.size === 0)
      return nothing;
    const served = new Map<Entity, boolean>();
    /** An entity is only ever compared with the desired one of its identity. */
    const isServed = (entity: Entity, desiredEntity: Entity): boolean => {
      const known = served.get(entity) ?? kind.serves(entity, desiredEntity, ledger);
      served.set(entity, known);
      return known;
    };
    const isRemade = (entity: Entity, desiredEntity: Entity): boolean =>
      (kind.basis !== undefined && removed.has(kind.basis(entity))) ||
      (kind.isReplaceable?.(entity, desiredEntity) === false && !isServed(entity, desiredEntity));
    const remade = new Set(
      own.flatMap((entity) => {
        const each = wanted.get(kind.identity(entity));
        return each !== undefined && isRemade(entity, each.entity) ? [kind.identity(entity)] : [];
      }),
    );
    const isObsolete = (entity: Entity): boolean => {
      const each = wanted.get(kind.identity(entity));
      if (each === undefined) return !staying.has(entityKey(entity));
      if (remade.has(kind.identity(entity))) return true;
      if (isServed(entity, each.entity)) return false;
      // One beside another of its identity that serves is left over (`ip route append` makes such routes).
      const all = found.get(kind.identity(entity)) ?? [];
      return all.length > 1 && all.some((other) => isServed(other, each.entity));
    };
    const obsolete = sortedBy(own.filter(isObsolete), kind.identity);
    for (const entity of obsolete) removed.add(entityKey(entity));
    const removals = obsolete.map((entity): EntityOperation => ({
      verb: 'remove',
      networks: networksOf(kind.anchor(entity)),
      entity: canonical(entity),
    }));
    const ownByIdentity = lazy(() => groupBy(own, kind.identity));
    // A route that the kernel drops with an interface is still there if the interface of another network fails to leave.
    const isOutdated = (identity: string, entity: Entity): boolean =>
      kind.replace !== undefined &&
      !remade.has(identity) &&
      ownByIdentity()
        .get(identity)
        ?.some((other) => !isServed(other, entity)) === true;
    const additions = [...wanted].flatMap(([identity, each]): readonly EntityOperation[] => {
      const { entity } = each;
      const present = found.get(identity);
      const operation = (verb: 'add' | 'replace'): EntityOperation => ({
        verb,
        networks: networksOfOwners(each.owners, programmed),
        entity,
      });
      if (present === undefined && isOutdated(identity, entity)) return [operation('replace')];
      if (present === undefined || remade.has(identity)) {
        return kind.isAddedInTwoSteps ? [operation('add'), operation('replace')] : [operation('add')];
      }
      if (present.some((other) => isServed(other, entity))) return [];
      return [operation(kind.replace === undefined ? 'add' : 'replace')];
    });
    if (staying.size === 0 && removals.length === 0 && additions.length === 0)
      equal.set(own, { wanted, found, ledger });
    return { removals, additions };
  };
}
