/**
 * The kinds of entity that a node is made of. This table is the only list of them: what is planned, compared, owned, applied, reversed and
 * printed is derived from it.
 */
import { lastByObject, lazyByObject } from '../basics/incremental/by-identity.ts';
import { type CompactGroup, groupedCompactly, itemsIn } from '../basics/incremental/grouped.ts';
import { lazyByKey } from '../basics/incremental/lazy.ts';
import { readerOf, type SnapshotIndex } from '../basics/incremental/recorded-reads.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { address } from './kernel/address.ts';
import { bridgeMapping } from './switch/bridge-mapping.ts';
import type { EntityKind, PortName } from './entity-kind.ts';
import { fdbEntry } from './switch/fdb-entry.ts';
import { filterTable } from './kernel/filter-table.ts';
import { flow } from './switch/flow.ts';
import { linkUp } from './switch/link-up.ts';
import { managementPort } from './switch/management-port.ts';
import { membership } from './kernel/membership.ts';
import { neighbour } from './kernel/neighbour.ts';
import { neighbourProxy } from './kernel/neighbour-proxy.ts';
import { nextHopObject } from './kernel/next-hop-object.ts';
import { noFloodPort } from './switch/no-flood-port.ts';
import { northboundRow } from './ovn/northbound-row.ts';
import { openRouterPort } from './ovn/open-router-port.ts';
import { remoteChassis } from './ovn/remote-chassis.ts';
import { remotePort } from './ovn/remote-port.ts';
import { interconnection } from './switch/interconnection.ts';
import { route } from './kernel/route.ts';
import { rule } from './kernel/rule.ts';
import { sysctl } from './kernel/sysctl.ts';
import { vrf } from './kernel/vrf.ts';

/** The table, in an order in which entities can be added. They are removed in the reverse order. */
export const entityKinds = {
  vrf,
  'management-port': managementPort,
  address,
  sysctl,
  membership,
  'link-up': linkUp,
  'next-hop-object': nextHopObject,
  'neighbour-proxy': neighbourProxy,
  route,
  neighbour,
  'filter-table': filterTable,
  rule,
  'bridge-mapping': bridgeMapping,
  'no-flood-port': noFloodPort,
  'fdb-entry': fdbEntry,
  flow,
  interconnection,
  'remote-port': remotePort,
  'remote-chassis': remoteChassis,
  'northbound-row': northboundRow,
  'open-router-port': openRouterPort,
} as const;

export type EntityKindName = keyof typeof entityKinds;

/** The entities of each kind. */
type Entities = {
  readonly [Name in EntityKindName]: (typeof entityKinds)[Name] extends EntityKind<infer Entity> ? Entity : never;
};

/** The entities of a kind. */
export type EntityOf<Name extends EntityKindName> = Entities[Name];

/** An entity of a node. */
export type Entity = Entities[EntityKindName];

/** The kinds whose operations a port applies. */
export type KindNameOfPort<Port extends PortName> = {
  readonly [Name in EntityKindName]: (typeof entityKinds)[Name]['port'] extends Port ? Name : never;
}[EntityKindName];

/** The kinds whose entities are changed in sets. */
export type SetKindName = {
  readonly [Name in EntityKindName]: (typeof entityKinds)[Name] extends { readonly set: object } ? Name : never;
}[EntityKindName];

/** The kind of an entity. */
export function kindOf<Some extends Entity>(entity: Some): EntityKind<Some> {
  return kindNamed(entity.kind) as unknown as EntityKind<Some>;
}

/** The kind with a name. */
export function kindNamed(name: EntityKindName): EntityKind<Entity> {
  return entityKinds[name];
}

/** All kinds, in the order of the table. */
export const allKinds: readonly EntityKind<Entity>[] = Object.values(entityKinds);

const keyText = (entity: Entity) => `${entity.kind} ${kindOf(entity).identity(entity)}`;

const cachedKey = lazyByObject(keyText);

/** Identifies an entity of any kind. */
export function entityKey(entity: Entity): string {
  return kindOf(entity).index === undefined ? cachedKey(entity) : keyText(entity);
}

/** The name that an entity is found by in an index of its kind. */
export function indexName(entity: Entity): string {
  return kindOf(entity).index?.nameOf(entity) ?? cachedKey(entity);
}

/** Whether two entities of one kind that are found by the same name are of one identity. */
export function isAlike(left: Entity, right: Entity): boolean {
  return kindOf(left).index?.isAlike(left, right) ?? true;
}

/** Finds the entities of one kind, cached as long as the parts of the snapshot that it is read from are the same objects. */
function cachedByParts<Found>(find: (kind: EntityKind<Entity>, node: NodeSnapshot) => Found, withLedger: boolean) {
  const ofKind = lazyByObject((_: EntityKind<Entity>) => lastByObject<Found>());
  return (kind: EntityKind<Entity>, node: NodeSnapshot): Found => {
    const [first, ...others] = kind.parts;
    const parts: readonly unknown[] = others.map((part) => node[part]);
    return ofKind(kind)(node[first], withLedger ? [...parts, node.ledger] : parts, () => find(kind, node));
  };
}

/** All entities of one kind on a node; the same list if nothing of the kind can have changed. */
export const allOf = cachedByParts((kind, node) => kind.all(node), false);

type Index = ReadonlyMap<string, CompactGroup<Entity>>;

/** Makes indexes of the entities of a kind in one list after the other: that of the next list costs what differs. */
const indexOf = lazyByObject((_: EntityKind<Entity>) => groupedCompactly(indexName));

function alikeIn(index: Index, entity: Entity): readonly Entity[] {
  return itemsIn(index.get(indexName(entity))).filter((other) => isAlike(other, entity));
}

/** The entities on a node that have the kind and the identity of an entity. */
export function entitiesLike(entity: Entity, node: NodeSnapshot): readonly Entity[] {
  const kind = kindOf(entity);
  return alikeIn(indexOf(kind)(allOf(kind, node)), entity);
}

/** The entities that may be of other programs or of other networks. */
const possiblyForeign = cachedByParts(
  (kind, node) =>
    kind.isOfAnother === undefined
      ? allOf(kind, node).filter((entity) => !kind.isOurs(entity, node.ledger))
      : allOf(kind, node),
  true,
);

/** The place of an entity of any kind. */
function placeOf(entity: Entity): string {
  return kindOf(entity).place?.(entity) ?? indexName(entity);
}

/** Entities of each kind that may be of other programs or of other networks, by their places. */
const foreignByPlace = lazyByObject((kind: EntityKind<Entity>): SnapshotIndex<NodeSnapshot, CompactGroup<Entity>> => {
  // Where all are in it, one index is enough.
  const isOfAll = kind.isOfAnother !== undefined && kind.place === undefined;
  const grouped = isOfAll ? indexOf(kind) : groupedCompactly(placeOf);
  return { parts: [...kind.parts, 'ledger'], of: (node) => grouped(possiblyForeign(kind, node)) };
});

const noEntities: readonly Entity[] = [];

/**
 * Finds the entities of other programs, or of other networks, that are at the places of desired ones of one kind; absent where there can be none: mostly,
 * and then the places of thousands of rows need not be made.
 */
export function foreignAtPlaces<Some extends Entity>(
  kind: EntityKind<Some>,
  node: NodeSnapshot,
): ((desired: Some) => readonly Entity[]) | undefined {
  if (kind.isTakenOver === true) return undefined;
  const foreign = readerOf(node, foreignByPlace(kind as unknown as EntityKind<Entity>));
  if (foreign.isEmpty()) return undefined;
  return (desired) => {
    const there = itemsIn(foreign.get(placeOf(desired)));
    const found = kind.place === undefined ? there.filter((each) => isAlike(each, desired)) : there;
    return kind.isOfAnother === undefined || found.every((each) => kind.isOfAnother?.(each as Some, desired))
      ? found
      : noEntities;
  };
}

/** Finds the entities of other programs, or of other networks, that are at the places of desired ones of any kind. */
export function foreignOn(node: NodeSnapshot): (desired: Entity) => readonly Entity[] {
  const ofKind = lazyByKey((kind: EntityKindName) => foreignAtPlaces(kindNamed(kind), node));
  return (desired) => ofKind(desired.kind)?.(desired) ?? noEntities;
}

/** The entities of other programs, or of other networks, that are at the place of a desired one. */
export function foreignAtPlaceOf(desired: Entity, node: NodeSnapshot): readonly Entity[] {
  return foreignOn(node)(desired);
}

/** Whether an entity is managed (docs/design/ownership.md, "Three rules"). */
export function isOurs(entity: Entity, { ledger }: Pick<NodeSnapshot, 'ledger'>): boolean {
  return kindOf(entity).isOurs(entity, ledger);
}

const ownEntities = cachedByParts(
  (kind, node) => kind.own?.(node) ?? allOf(kind, node).filter((entity) => kind.isOurs(entity, node.ledger)),
  true,
);

/** The managed entities of one kind on a node; the same list if nothing of the kind can have changed. */
export function ownOf<Some extends Entity>(kind: EntityKind<Some>, node: NodeSnapshot): readonly Some[] {
  return ownEntities(kind, node) as readonly Some[];
}

/** Makes indexes of the managed entities of a kind. */
const ownIndexOf = lazyByObject((_: EntityKind<Entity>) => groupedCompactly(indexName));

/** The managed entities on a node, as `ownOf` finds them, that have the kind and the identity of an entity. */
export function ownLike(entity: Entity, node: NodeSnapshot): readonly Entity[] {
  const kind = kindOf(entity);
  // Tens of thousands need no second index: those of all are the same objects.
  if (kind.index !== undefined) return entitiesLike(entity, node).filter((each) => kind.isOurs(each, node.ledger));
  return alikeIn(ownIndexOf(kind)(ownOf(kind, node)), entity);
}
