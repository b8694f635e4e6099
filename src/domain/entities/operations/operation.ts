/**
 * One change of one entity of a node, as plain data: a verb and an entity. What it means follows from the kind of the entity
 * (operation-semantics.ts).
 */
import { type Entity, type EntityKindName, type EntityOf, kindOf, type SetKindName } from '../entity-kinds.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { distinct } from '../../basics/names/ordering.ts';
import type { NetworkKey } from '../../network/key.ts';
import { type NetworkOwner, type NetworkPart, type PartKey, partKey } from '../../network/part.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';

/** The networks that an operation is for. */
export interface OperationOwners {
  /** Sorted: several if they share an entity, none if unknown. */
  readonly networks: readonly NetworkKey[];
  /** The part of these that needs it; absent for both: their uplinks may be held, or fail, while they are programmed. */
  readonly part?: NetworkPart;
}

/** The networks of some owners, and their part. */
export function operationOwners(owners: readonly NetworkOwner[]): OperationOwners {
  const networks = distinct(owners.map(({ network }) => network));
  const [part, ...others] = new Set(owners.map((owner) => owner.part));
  return { networks, ...(part !== undefined && others.length === 0 && { part }) };
}

/** Adds, replaces or removes an entity. */
export interface EntityOperation<Name extends EntityKindName = EntityKindName> extends OperationOwners {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly entity: EntityOf<Name>;
}

/**
 * Restores an entity of the administrator that a membership change displaced, in its present place.
 *
 * It may be refused at first: after a link cycle, IPv6 addresses are not usable until duplicate address detection has finished, and the kernel
 * refuses an IPv6 route with such a source ("Invalid source address"). A refused one, also when a change is undone, is retried for 4 s before it
 * counts as failed (docs/design/enslaving.md; net/ipv6/route.c, ip6_route_info_create).
 */
export interface PutBack extends OperationOwners {
  readonly verb: 'put-back';
  /** The device whose membership was changed. */
  readonly device: string;
  /** The entity to restore. */
  readonly entity: DisplacedEntity;
  /** The entity before the first change, if its place differs. */
  readonly origin?: DisplacedEntity;
  /** Present if the entity is moved from another table, where it is still, and replaces what has its place (../ownership/strays.ts). */
  readonly moves?: true;
}

/** The inverse of restoring an entity, or the second half of moving one. */
export interface TakeBack extends OperationOwners {
  readonly verb: 'take-back';
  readonly device: string;
  readonly entity: DisplacedEntity;
  /** The `origin` of the operation that restored it. */
  readonly origin?: DisplacedEntity;
  /** Present if the entity was moved to another table, and is removed from the one where it was; nothing has to be restored then. */
  readonly moves?: true;
  /** The entity that it had replaced, which is there again afterwards: a group of next hops that had lost members. */
  readonly leaving?: DisplacedEntity;
}

/** Changes of entities of one kind that are made together: flows of one bridge, rows of one network (`EntityKind.set`). */
export interface SetOperation<Name extends SetKindName = SetKindName> extends OperationOwners {
  readonly verb: 'change';
  readonly kind: Name;
  /** The name of the set. */
  readonly set: string;
  /** In order; at least one. */
  readonly changes: readonly EntityOperation<Name>[];
}

/** One change of one entity of a node. */
export type SingleOperation = EntityOperation | PutBack | TakeBack;

/** One change of one entity of a node, or of a set of them. */
export type Operation = SingleOperation | SetOperation;

/** The owners of an operation alone, for another operation. */
export function ownersIn({ networks, part }: OperationOwners): OperationOwners {
  return { networks, ...(part && { part }) };
}

const bothParts: readonly NetworkPart[] = ['network', 'uplink'];

/** The parts of networks that an operation is for. */
export function ownersOf({ networks, part }: OperationOwners): readonly NetworkOwner[] {
  const parts = part === undefined ? bothParts : [part];
  return networks.flatMap((network) => parts.map((each) => ({ network, part: each })));
}

/** The parts of networks that an operation is for, as texts. */
export function partsOf(operation: OperationOwners): readonly PartKey[] {
  return ownersOf(operation).map(partKey);
}

/** The changes that an operation makes, one by one. */
export function changesOf(operation: Operation): readonly SingleOperation[] {
  return operation.verb === 'change' ? operation.changes : [operation];
}

/** Whether an operation changes an entity that is in a set. */
export function isInSet(operation: Operation): operation is EntityOperation<SetKindName> {
  return 'entity' in operation && kindOf<Entity>(operation.entity).set !== undefined;
}

/** Combines changes of entities in sets into one operation for each set, in the order of the first change of each. */
export function setOperationsOf(changes: readonly EntityOperation<SetKindName>[]): readonly SetOperation[] {
  const setOf = ({ entity }: EntityOperation<SetKindName>) => kindOf<Entity>(entity).set?.of(entity) ?? '';
  const sets = groupBy(changes, (change) => `${change.entity.kind} ${setOf(change)}`);
  return [...sets.values()].flatMap((ofSet): readonly SetOperation[] => {
    const [first] = ofSet;
    if (first === undefined) return [];
    return [
      {
        verb: 'change',
        ...operationOwners(ofSet.flatMap(ownersOf)),
        kind: first.entity.kind,
        set: setOf(first),
        changes: ofSet,
      },
    ];
  });
}

/** An operation reduced to the changes that satisfy a predicate; empty if there are none. */
export function narrowed(operation: Operation, isMeant: (change: SingleOperation) => boolean): readonly Operation[] {
  if (operation.verb !== 'change') return isMeant(operation) ? [operation] : [];
  const changes = operation.changes.filter(isMeant);
  return changes.length === operation.changes.length ? [operation] : setOperationsOf(changes);
}

/** The interface that an operation enslaves or releases, or whose displaced entities it restores; undefined for others. */
export function movedDevice(operation: Operation): string | undefined {
  switch (operation.verb) {
    case 'put-back':
    case 'take-back':
      return operation.device;
    case 'add':
    case 'replace':
    case 'remove':
      return operation.entity.kind === 'membership' ? operation.entity.device : undefined;
    case 'change':
      return undefined;
  }
}
