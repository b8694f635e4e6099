/**
 * What is true of a kind of entity. Each kind is one file; everything else is derived from the table of kinds
 * (entity-kinds.ts).
 */
import type { TSchema } from 'typebox';
import type { Change } from '../node-model/change.ts';
import type { Ledger, LedgerEntry } from '../snapshot/ledger.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';
import type { Command } from './command.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * What an operation disturbs besides what it changes. `link-cycle`: an interface goes down and up, connections through it pause, and duplicate
 * address detection runs again for its IPv6 addresses. `address-detection`: an IPv6 address is not usable for 2 s while the kernel looks
 * for duplicates. `connections-reset`: connections end.
 */
export type Disruption = 'none' | 'link-cycle' | 'address-detection' | 'connections-reset';

/** `+` adds an entity, `~` changes one, `-` removes one. */
export type Mark = '+' | '~' | '-';

/** The port that carries operations out, by its name among the ports of a node. */
export type PortName = 'hostNetwork' | 'switchDatabase' | 'kernelSettings' | 'flowTables' | 'northbound';

/** What an entity is attributed to networks by, without a plan. */
export type Anchor =
  | { readonly vrf: string }
  | { readonly table: Table | undefined }
  | { readonly device: string }
  /** A bridge; with a patch port, what is on the bridge for the network of that port alone. */
  | { readonly bridge: string; readonly patchPort?: string }
  /** The network's name in OVN. */
  | { readonly networkName: string };

/** A verb and an entity. */
export interface EntityStep<Entity> {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly entity: Entity;
}

/** One way in which entities of a kind are changed: added, replaced or removed. */
export interface EntityChange<Entity> {
  /** Name of the operation in plans, logs and metrics, such as `add-route`. */
  readonly name: string;
  readonly mark: Mark;
  /** @param networks names of the ClusterUserDefinedNetworks that it is done for */
  dependencies(this: void, entity: Entity, networks: readonly string[]): Dependencies;
  /** Why it must not be done although the kernel would; absent where it may. */
  refusal?(this: void, entity: Entity, node: NodeSnapshot): string | undefined;
  /** The node after it, ledger aside. Left out, the entity is added to the snapshot, or removed. */
  effect?(this: void, entity: Entity, node: NodeSnapshot): Change;
  /** Devices whose entities the kernel displaces. */
  displacesFrom?(this: void, entity: Entity, node: NodeSnapshot): readonly string[];
  /** Its inverse, ledger aside. Left out, adding is undone by removing, and removing by adding. */
  inverse?(this: void, entity: Entity, before: NodeSnapshot): readonly EntityStep<Entity>[];
  disruption?(this: void, entity: Entity): Disruption;
  command(this: void, entity: Entity, before: NodeSnapshot): Command;
  /** For a person, in a line. Left out, the entity's own text. */
  summary?(this: void, entity: Entity): string;
  /** What is on the node and what is expected there, for a person. Left out, the entity is missing or there. */
  discrepancy?(this: void, entity: Entity, node: NodeSnapshot): Discrepancy;
}

/** Something of a node that is not as expected. */
export interface Discrepancy {
  readonly path: string;
  readonly found: string;
  readonly wanted: string;
}

/** What of an entity the ledger keeps, because nothing on the node can have a signature. */
export interface LedgerNote<Entity> {
  /** Written before the entity is added. */
  entry(this: void, entity: Entity, before: NodeSnapshot): LedgerEntry;
  isAbout(this: void, entry: LedgerEntry, entity: Entity): boolean;
  /** The operations after which it is no longer needed. */
  readonly until: readonly ('replace' | 'remove')[];
}

/** What is true of a kind of entity that link cycles displace: the administrator's entities of it are restored. */
export interface Displaceable<Entity> {
  /** What it looks like in the ledger. Further fields are ignored, and kept. */
  readonly schema: TSchema;
  /** A text that identifies a displaced entity, content included where several of one identity may be there. */
  key(this: void, entity: Entity): string;
  /** What of the entity is the same in whatever table it is. */
  name(this: void, entity: Entity): string;
  /** The device that it is on; absent where it is on none. */
  device(this: void, entity: Entity): string | undefined;
  /** Whether ovn-uplinks restores it: not what others restore, and not what is managed. */
  isPutBack(this: void, entity: Entity): boolean;
  /** Seconds until it ends by itself; absent where it does not. */
  lifetime?(this: void, entity: Entity): number | undefined;
  /** The entity with what is left of its lifetime after some seconds. */
  aged?(this: void, entity: Entity, elapsedSeconds: number): Entity;
  /** Names of attributes that this version cannot make again. */
  unknownAttributes?(this: void, entity: Entity): readonly string[];
  dependencies(this: void, entity: Entity): Dependencies;
  /** Restores it. An equal one that exists counts as restored. */
  restore(this: void, entity: Entity, node: NodeSnapshot): Change;
  restoreCommand(this: void, entity: Entity): Command;
}

/** What is true of entities that are changed together, in one operation: those on one bridge, those of one network. */
export interface EntitySet<Entity> {
  /** The set that an entity is in, such as the bridge of a flow. */
  of(this: void, entity: Entity): string;
  /** Name of the operation in plans, logs and metrics. */
  readonly name: string;
  /** Present where entities that others of the set take the place of are removed last of all: packets go by either meanwhile. */
  readonly removesReplacedLast?: true;
  /** For a person, in a line, such as `18 flows on br-blue`. */
  summary(this: void, changes: readonly EntityStep<Entity>[], set: string): string;
  /** Left out, no single program does it. */
  command?(this: void, changes: readonly EntityStep<Entity>[], before: NodeSnapshot): Command;
}

/** Everything that is true of a kind of entity. */
export interface EntityKind<Entity extends { readonly kind: string }, Port extends PortName = PortName> {
  readonly kind: Entity['kind'];
  /** The part of a snapshot that holds entities of the kind. */
  readonly part: keyof NodeSnapshot;
  /** A text that is equal for two entities if and only if they are the same one to the kernel, Open vSwitch or OVN. */
  identity(this: void, entity: Entity): string;
  /** Whether an existing entity of the same identity, whoever added it, is as desired. */
  serves(this: void, found: Entity, desired: Entity, ledger: Ledger): boolean;
  /** All entities of the kind on a node. */
  all(this: void, node: NodeSnapshot): readonly Entity[];
  /** The node with entities put into their places, beside what is there. */
  put(this: void, node: NodeSnapshot, entities: readonly Entity[]): NodeSnapshot;
  /** The node with entities that are on it taken out, and nothing else. */
  take(this: void, node: NodeSnapshot, entities: readonly Entity[]): NodeSnapshot;
  /** What of an entity is compared when two nodes are; left out, all of it. */
  comparable?(this: void, entity: Entity, node: NodeSnapshot): unknown;
  /** The object of the snapshot that is the entity and nothing else; absent where there is none. What is derived from it can be remembered with it. */
  source?(this: void, entity: Entity): object;
  /** The node after another program has undone a managed entity. Left out, it is as after its removal. */
  undoneByOthers?(this: void, entity: Entity, node: NodeSnapshot): NodeSnapshot;
  /** Whether ovn-uplinks made the entity, or made it what it is (docs/design/ownership.md, "Three rules"). */
  isOurs(this: void, entity: Entity, ledger: Ledger): boolean;
  /** The managed entities that may have to be removed. Left out, all managed ones. */
  own?(this: void, node: NodeSnapshot): readonly Entity[];
  anchor(this: void, entity: Entity): Anchor;
  readonly ledger?: LedgerNote<Entity>;
  /** Whether an entity of the same identity can be replaced by a desired one; otherwise it is removed and added. Left out, it can. */
  isReplaceable?(this: void, found: Entity, desired: Entity): boolean;
  /** Key (`entityKey`) of the entity that this one is on: it is removed with that, and added to it again. */
  basis?(this: void, entity: Entity): string;
  /** Present where entities of the kind decide what link cycles displace: the devices that one is about. */
  linkCycleDevices?(this: void, entity: Entity): readonly string[];
  /** Present where an entity is what is desired only once it has been added and then replaced. */
  readonly isAddedInTwoSteps?: true;
  /** The ports that it cannot be changed without and that another program adds, as words of flows. */
  awaits?(this: void, entity: Entity): readonly string[];
  /** Present where entities are changed in sets. */
  readonly set?: EntitySet<Entity>;
  /** The port that carries out operations on it. */
  readonly port: Port;
  /** Reason in `networks[]` of an UplinkState where an operation on it fails. */
  readonly failureReason: 'UplinkVRFAttachmentFailed' | 'UplinkBridgeMappingFailed' | 'GatewayRouterFailed';
  /** For a person. */
  text(this: void, entity: Entity): string;
  readonly add: EntityChange<Entity>;
  /** Left out, what is there is changed as one is added. */
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
