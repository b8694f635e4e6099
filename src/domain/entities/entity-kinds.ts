/**
 * The kinds of entity that a node is made of. This table is the only list of them: what is planned, compared, owned, applied, reversed and
 * printed is derived from it.
 */
import { lastByObject, lazyByObject } from '../basics/incremental/by-identity.ts';
import { groupedByName } from '../basics/incremental/grouped.ts';
import { readerOf, type SnapshotIndex } from '../basics/incremental/recorded-reads.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { address } from './kernel/address.ts';
import { bridgeMapping } from './switch/bridge-mapping.ts';
import type { EntityKind, PortName } from './entity-kind.ts';
import { fdbEntry } from './switch/fdb-entry.ts';
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

/** Identifies an entity of any kind. */
export const entityKey = lazyByObject((entity: Entity) => `${entity.kind} ${kindOf(entity).identity(entity)}`);

/** Finds the entities of one kind, cached as long as the parts of the snapshot that it is read from are the same objects. */
function cachedByParts<Found>(find: (kind: EntityKind<Entity>, node: NodeSnapshot) => Found, withLedger: boolean) {
  const ofKind = lazyByObject((_: EntityKind<Entity>) => lastByObject<Found>());
  return (kind: EntityKind<Entity>, node: NodeSnapshot): Found => {
    const [first, ...others] = kind.parts;
    const parts: readonly unknown[] = others.map((part) => node[part]);
    return ofKind(kind)(node[first], withLedger ? [...parts, node.ledger] : parts, () => find(kind, node));
  };
}

/** Entities of one list after the other by key: those of the next list cost what differs. */
type ByKey = (kind: EntityKind<Entity>, entities: readonly Entity[]) => ReadonlyMap<string, readonly Entity[]>;

function groupedByKey(): ByKey {
  const ofKind = lazyByObject((_: EntityKind<Entity>) => groupedByName(entityKey));
  return (kind, entities) => ofKind(kind)(entities);
}

/** All entities of one kind on a node; the same list if nothing of the kind can have changed. */
export const allOf = cachedByParts((kind, node) => kind.all(node), false);

const allByKey = groupedByKey();

/** All entities of one kind on a node, by key; the same map if nothing of the kind can have changed. */
export function entitiesOn(kind: EntityKind<Entity>, node: NodeSnapshot): ReadonlyMap<string, readonly Entity[]> {
  return allByKey(kind, allOf(kind, node));
}

/** The managed entities of one kind, as `ownOf` finds them, by key. */
export const ownByKey = groupedByKey();

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
  const { place } = kindOf(entity);
  return place === undefined ? entityKey(entity) : place(entity);
}

/** Entities of each kind that may be of other programs or of other networks, by their places. */
const foreignByPlace = lazyByObject((kind: EntityKind<Entity>): SnapshotIndex<NodeSnapshot, readonly Entity[]> => {
  const grouped = groupedByName(placeOf);
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
    const found = foreign.get(placeOf(desired)) ?? noEntities;
    return kind.isOfAnother === undefined || found.every((each) => kind.isOfAnother?.(each as Some, desired))
      ? found
      : noEntities;
  };
}

/** The entities of other programs, or of other networks, that are at the place of a desired one. */
export function foreignAtPlaceOf(desired: Entity, node: NodeSnapshot): readonly Entity[] {
  return foreignAtPlaces(kindOf<Entity>(desired), node)?.(desired) ?? noEntities;
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
