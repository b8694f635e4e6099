/** The properties of a kind of entity. Each kind is one file; everything else is derived from the table of kinds (entity-kinds.ts). */
import type { TSchema } from 'typebox';
import type { Change } from '../node-model/change.ts';
import type { Ledger, LedgerEntry } from '../snapshot/ledger.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';
import type { NetworkPart, PartKey } from '../network/part.ts';
import type { Command } from './command.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The disruption that an operation causes. `link-cycle`: an interface goes down and up, connections through it pause, and duplicate address detection
 * runs again for its IPv6 addresses. `address-detection`: an IPv6 address is not usable for 2 s, during duplicate address detection.
 * `connections-reset`: connections end.
 */
export type Disruption = 'none' | 'link-cycle' | 'address-detection' | 'connections-reset';

/** `+` adds an entity, `~` changes one, `-` removes one. */
export type Mark = '+' | '~' | '-';

/** The port that applies operations, by its name among the ports of a node. */
export type PortName =
  'hostNetwork' | 'switchDatabase' | 'kernelSettings' | 'flowTables' | 'northbound' | 'southbound' | 'packetFilters';

/** The place of an entity on a node, or the part of a network that it names: its owners follow from it (owners/owners.ts). */
export type Anchor =
  /** A VRF, or another device: the entity is the device itself, or changes it. */
  | { readonly vrf: string }
  /** A routing table; with a part, only that part of the networks of the table. */
  | { readonly table: Table | undefined; readonly part?: NetworkPart }
  /** A device that the entity is on. */
  | { readonly device: string }
  /** A bridge; with a patch port, only the network of that port. */
  | { readonly bridge: string; readonly patchPort?: string }
  /** A part of a network, by its name in OVN. */
  | { readonly networkName: string; readonly part: NetworkPart }
  /** The address of a network by which it leaves the node. */
  | { readonly networkAddress: string }
  /** The way out by the node, of all networks that have one. */
  | { readonly way: 'node' }
  /** Another node, or all of them. */
  | { readonly node: string };

/** A part of a snapshot that is an object. */
export type SnapshotPart = {
  readonly [Part in keyof NodeSnapshot]-?: NodeSnapshot[Part] extends object ? Part : never;
}[keyof NodeSnapshot];

/** A verb and an entity. */
export interface EntityStep<Entity> {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly entity: Entity;
}

/** How entities of a kind are added, replaced or removed. */
export interface EntityChange<Entity> {
  /** Name of the operation in plans, logs and metrics, such as `add-route`. */
  readonly name: string;
  readonly mark: Mark;
  /** @param owners the parts of networks that need the operation */
  dependencies(this: void, entity: Entity, owners: readonly PartKey[]): Dependencies;
  /** Why it must not be applied, even if the kernel would accept it; undefined if it may. */
  refusal?(this: void, entity: Entity, node: NodeSnapshot): string | undefined;
  /** The node afterwards, without the ledger. Absent: the entity is added to the snapshot, or removed from it. */
  effect?(this: void, entity: Entity, node: NodeSnapshot): Change;
  /** Devices whose entities the kernel displaces. */
  displacesFrom?(this: void, entity: Entity, node: NodeSnapshot): readonly string[];
  /** Its inverse, without the ledger. Absent: removing is the inverse of adding, and adding that of removing. */
  inverse?(this: void, entity: Entity, before: NodeSnapshot): readonly EntityStep<Entity>[];
  disruption?(this: void, entity: Entity): Disruption;
  command(this: void, entity: Entity, before: NodeSnapshot): Command;
  /** One line for people. Absent: the text of the entity. */
  summary?(this: void, entity: Entity): string;
  /** The found and the expected state on the node, for people. Absent: the entity is missing or present. */
  discrepancy?(this: void, entity: Entity, node: NodeSnapshot): Discrepancy;
}

/** A difference between a node and what is expected. */
export interface Discrepancy {
  readonly path: string;
  readonly found: string;
  readonly wanted: string;
  /** The consequence if the kernel has ignored an operation that should have removed it, for people; absent if kernels do not ignore it. */
  readonly ignored?: string;
}

/** The entry in the ledger for an entity that cannot be signed on the node. */
export interface LedgerNote<Entity> {
  /** Written before the entity is added. */
  entry(this: void, entity: Entity, before: NodeSnapshot): LedgerEntry;
  isAbout(this: void, entry: LedgerEntry, entity: Entity): boolean;
  /** The operations after which the entry is removed. */
  readonly until: readonly ('replace' | 'remove')[];
}

/** The properties of a kind of entity that link cycles displace: those of the administrator are restored. */
export interface Displaceable<Entity> {
  /** Its schema in the ledger. Unknown fields are ignored and kept. */
  readonly schema: TSchema;
  /** Identifies a displaced entity; includes its content if there may be several of one identity. */
  key(this: void, entity: Entity): string;
  /** The part of the key that does not depend on the table. */
  name(this: void, entity: Entity): string;
  /** The device that it is on; undefined if it is on none. */
  device(this: void, entity: Entity): string | undefined;
  /** Whether ovn-uplinks restores it: not if its owner does, or if it is managed. */
  isPutBack(this: void, entity: Entity, node: Pick<NodeSnapshot, 'sysctls'>): boolean;
  /** Seconds until it expires; undefined if it does not. */
  lifetime?(this: void, entity: Entity): number | undefined;
  /** The entity with its remaining lifetime after some seconds. */
  aged?(this: void, entity: Entity, elapsedSeconds: number): Entity;
  /** Names of attributes that this version cannot restore. */
  unknownAttributes?(this: void, entity: Entity): readonly string[];
  dependencies(this: void, entity: Entity): Dependencies;
  /** Restores it. An equal existing one counts as restored. */
  restore(this: void, entity: Entity, node: NodeSnapshot): Change;
  restoreCommand(this: void, entity: Entity): Command;
}

/** The properties of sets of entities, which are changed in one operation: those on one bridge, those of one network. */
export interface EntitySet<Entity> {
  /** The set that an entity is in, such as the bridge of a flow. */
  of(this: void, entity: Entity): string;
  /** Names of its operations in plans, logs and metrics. */
  readonly names: readonly string[];
  /** The one of these that changes the set of an entity. */
  nameOf(this: void, entity: Entity): string;
  /** Whether an entity that others of its set replace is removed last of all: packets use either meanwhile, or others of the set refer to it until then. */
  removesReplacedLast?(this: void, entity: Entity): boolean;
  /** The node afterwards, without the ledger. Absent: as after one change after the other. */
  effect?(this: void, changes: readonly EntityStep<Entity>[], node: NodeSnapshot): Change;
  /** One line for people, such as `18 flows on br-blue`. */
  summary(this: void, changes: readonly EntityStep<Entity>[], set: string): string;
  /** Absent: no single command does it. */
  command?(this: void, changes: readonly EntityStep<Entity>[], before: NodeSnapshot): Command;
}

/** A kind of entity. */
export interface EntityKind<Entity extends { readonly kind: string }, Port extends PortName = PortName> {
  readonly kind: Entity['kind'];
  /** The parts of a snapshot that entities of the kind are read from, apart from the ledger; the first one holds them. */
  readonly parts: readonly [SnapshotPart, ...SnapshotPart[]];
  /** Equal for two entities if and only if they are the same one to the kernel, Open vSwitch or OVN. */
  identity(this: void, entity: Entity): string;
  /** Present for entities of which there are tens of thousands: how they are found without a text for the identity of each. */
  readonly index?: {
    /** Equal for two entities of one identity, and for few others: a text that they have. */
    nameOf(this: void, entity: Entity): string;
    /** Whether two entities of one name are of one identity. */
    isAlike(this: void, left: Entity, right: Entity): boolean;
  };
  /** Equal for entities of which only one takes effect. Absent: for those of one identity. */
  place?(this: void, entity: Entity): string;
  /** Whether an existing entity at the same place is as desired, also one that another program added. Of the ledger, only whether it is managed matters. */
  satisfies(this: void, found: Entity, desired: Entity, ledger: Ledger): boolean;
  /** All entities of the kind on a node. */
  all(this: void, node: NodeSnapshot): readonly Entity[];
  /** Adds entities to a node, in their order. */
  put(this: void, node: NodeSnapshot, entities: readonly Entity[]): NodeSnapshot;
  /** Removes entities from a node, and nothing else. */
  take(this: void, node: NodeSnapshot, entities: readonly Entity[]): NodeSnapshot;
  /** The part of an entity that is compared when nodes are compared. Absent: all of it. */
  comparable?(this: void, entity: Entity, node: NodeSnapshot): unknown;
  /** The object of the snapshot that is the entity and nothing else, as a key of caches. Absent: there is none. */
  source?(this: void, entity: Entity): object;
  /** The node after another program has undone a managed entity. Absent: as after its removal. */
  undoneByOthers?(this: void, entity: Entity, node: NodeSnapshot): NodeSnapshot;
  /** Whether ovn-uplinks created or changed the entity (docs/design/ownership.md, "Three rules"). */
  isOurs(this: void, entity: Entity, ledger: Ledger): boolean;
  /**
   * Present if an existing entity at the place of a desired one may be managed, and yet be of another network: whether it is of another program or
   * network. Where several are at one place, the network's own one is changed. Absent: what is not managed is of another program.
   */
  isOfAnother?(this: void, found: Entity, desired: Entity): boolean;
  /** Present if entities of other programs are changed, and changed back when they are removed. Absent: they are a reason not to program a network. */
  readonly isTakenOver?: true;
  /** The obstacle if an entity of another program is at the place of a desired one, for people. Absent: from the texts of both. */
  conflictText?(this: void, found: Entity, desired: Entity): string;
  /** The managed entities that may be obsolete. Absent: all managed ones. */
  own?(this: void, node: NodeSnapshot): readonly Entity[];
  /** Where an entity is, so that its owners are found. */
  anchor(this: void, entity: Entity): Anchor;
  readonly ledger?: LedgerNote<Entity>;
  /** Whether a desired entity can replace an existing one of the same identity; otherwise that is removed first. Absent: it can. */
  isReplaceable?(this: void, found: Entity, desired: Entity): boolean;
  /** Keys (`entityKey`) of the entities that this one is on, or may be: it is removed and recreated with one. */
  basis?(this: void, entity: Entity): readonly string[];
  /** Present if entities of the kind affect what link cycles displace: the devices that one is about. */
  linkCycleDevices?(this: void, entity: Entity): readonly string[];
  /** Present if a new entity has to be added and then replaced to be as desired. */
  readonly isAddedInTwoSteps?: true;
  /** The ports that another program adds and without which it cannot be changed, as flows name them. */
  awaits?(this: void, entity: Entity): readonly string[];
  /** Present if entities are changed in sets. */
  readonly set?: EntitySet<Entity>;
  /** The port that applies operations on it. */
  readonly port: Port;
  /** The files of a captured node that show an entity, below its folder. */
  capturedIn(this: void, entity: Entity): readonly string[];
  /** For people. */
  text(this: void, entity: Entity): string;
  readonly add: EntityChange<Entity>;
  /** Absent: replaced like added. */
  readonly replace?: EntityChange<Entity>;
  readonly remove: EntityChange<Entity>;
}

/** A kind of entity whose entities are changed in sets. */
export interface SetKind<Entity extends { readonly kind: string }, Port extends PortName = PortName> extends EntityKind<
  Entity,
  Port
> {
  readonly set: EntitySet<Entity>;
}

/** A kind of entity that link cycles displace. */
export interface DisplaceableKind<Entity extends { readonly kind: string }> extends EntityKind<Entity, 'hostNetwork'> {
  readonly displaced: Displaceable<Entity>;
}
