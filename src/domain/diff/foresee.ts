/**
 * The foreseen state of a node once VRFs and memberships are changed.
 *
 * Changes that touch the same devices are foreseen together, on as much of the node as they can touch: many networks cost as much as each of
 * them alone.
 */
import { displacedKey } from '../entities/displaceable.ts';
import type { SnapshotPart } from '../entities/entity-kind.ts';
import { allKinds, type Entity, kindOf } from '../entities/entity-kinds.ts';
import { type NodeView, viewNode } from '../snapshot/node-view.ts';
import { surroundings } from '../snapshot/surroundings.ts';
import { groupBy } from '../basics/names/grouping.ts';
import type { EntityOperation, Operation } from '../entities/operations/operation.ts';
import { applyOperation, semanticsOf } from '../entities/operations/operation-semantics.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { LostByMove } from '../entities/ownership/displace.ts';
import { linkCycleOf } from '../entities/ownership/link-cycle.ts';
import { awaitingEntities, type AwaitingEntity } from '../entities/ownership/restored.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * The node as the operations leave it. A refused one changes nothing: applying it reports why.
 *
 * @param lostByMove for a caller that knows already what a membership change displaces
 */
export function foreseen(operations: readonly Operation[], node: NodeSnapshot, lostByMove?: LostByMove): NodeSnapshot {
  return operations.reduce((before, operation) => {
    const change = applyOperation(operation, before, lostByMove);
    return change.done ? change.node : before;
  }, node);
}

/** The devices that an operation is about. */
function devicesOf({ entity }: EntityOperation): readonly string[] {
  return kindOf<Entity>(entity).linkCycleDevices?.(entity) ?? [];
}

/** Names that belong together because operations name them together. */
class Groups {
  readonly #parents = new Map<string, string>();

  leaderOf(name: string): string {
    const parent = this.#parents.get(name) ?? name;
    if (parent === name) return name;
    const leader = this.leaderOf(parent);
    this.#parents.set(name, leader);
    return leader;
  }

  join(left: string, right: string): void {
    this.#parents.set(this.leaderOf(left), this.leaderOf(right));
  }
}

/** The operations in groups that touch nothing in common, each in its order. */
function apart(operations: readonly EntityOperation[], view: NodeView): readonly (readonly EntityOperation[])[] {
  const groups = new Groups();
  const { nextHopObjects } = view.snapshot;
  const deviceOf = new Map(nextHopObjects.map(({ id, device }) => [id, device]));
  for (const { group = [] } of nextHopObjects) {
    const [first, ...others] = group.flatMap(({ id }) => deviceOf.get(id) ?? []);
    if (first !== undefined) for (const other of others) groups.join(first, other);
  }
  const changed = new Set<string>();
  for (const operation of operations) {
    const [first = '', ...others] = devicesOf(operation);
    for (const other of others) groups.join(first, other);
    changed.add(first);
  }
  for (const name of changed) {
    // A device that is stacked on another one, or is in one of its next hop groups, goes up and down with it.
    const lower = view.link(name)?.lowerDevice;
    if (lower !== undefined) groups.join(name, lower);
    for (const { nextHops } of view.routesOutOf(name)) {
      for (const { device } of nextHops) if (device !== undefined) groups.join(name, device);
    }
  }
  return [...groupBy(operations, (operation) => groups.leaderOf(devicesOf(operation)[0] ?? '')).values()];
}

/**
 * Entities that the only membership change among some operations displaces, which the plan has asked for. Addresses that stay, as they are set to be
 * kept before the change, are among them, but never await their return. Absent where there are several, as the one changes what the other displaces.
 */
function lostByOnlyMove(operations: readonly EntityOperation[], view: NodeView): LostByMove | undefined {
  const moves = operations.filter((operation) => semanticsOf(operation).displaces);
  const [move] = moves;
  if (move === undefined || moves.length > 1) return undefined;
  const target = move.verb === 'add' && move.entity.kind === 'membership' ? move.entity.table : undefined;
  return (_node, device) => linkCycleOf(device, target, view).lost;
}

/** The foreseen state. */
export interface Foreseen {
  /** The node with everything that the changes leave of it. */
  readonly after: NodeSnapshot;
  /** Entities to restore then, displaced by these changes or by earlier ones. */
  readonly awaiting: readonly AwaitingEntity[];
}

/** The parts of a snapshot that hold entities whose changes are foreseen, and entities that these changes displace. */
const foreseenParts = distinct(
  allKinds
    .filter((kind) => kind.linkCycleDevices !== undefined || 'displaced' in kind)
    .flatMap(({ parts: [holds] }) => holds),
);

/** A part of a node that a group of changes can affect, before and after them. */
interface Touched {
  readonly around: NodeSnapshot;
  readonly then: NodeSnapshot;
}

/** The items of a list as changes leave them: those that one has removed are gone, and those that one has added come last. */
function mergedList(
  items: readonly unknown[],
  touched: readonly (readonly [around: readonly unknown[], then: readonly unknown[]])[],
): readonly unknown[] {
  const gone = new Set<unknown>();
  for (const [around, then] of touched) {
    const left = new Set(then);
    for (const item of around) if (!left.has(item)) gone.add(item);
  }
  const known = new Set(items);
  const added = touched.flatMap(([, then]) => then.filter((item) => !known.has(item)));
  return gone.size === 0 && added.length === 0 ? items : [...items.filter((item) => !gone.has(item)), ...added];
}

/** The part as changes leave it; the same object if none changes it. */
function merged(part: SnapshotPart, before: NodeSnapshot, touched: readonly Touched[]): unknown {
  const changed = touched.filter(({ around, then }) => around[part] !== then[part]);
  if (changed.length === 0) return before[part];
  const found: unknown = before[part];
  if (Array.isArray(found)) {
    return mergedList(
      found,
      changed.map(({ around, then }) => [around[part] as readonly unknown[], then[part] as readonly unknown[]]),
    );
  }
  // A record by name, such as that of kernel settings.
  const values = new Map(Object.entries(before[part]));
  for (const { around, then } of changed) {
    for (const name of Object.keys(around[part])) values.delete(name);
    for (const [name, value] of Object.entries(then[part])) values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** Foresees changes of VRFs, memberships and the settings that go with them. */
export function foresee(operations: readonly EntityOperation[], before: NodeSnapshot): Foreseen {
  if (operations.length === 0) return { after: before, awaiting: awaitingEntities(before) };
  const view = viewNode(before);
  const touched = apart(operations, view).map((group): Touched => {
    const around = surroundings(view, group.flatMap(devicesOf));
    return { around, then: foreseen(group, around, lostByOnlyMove(group, view)) };
  });
  const parts = Object.fromEntries(foreseenParts.map((part) => [part, merged(part, before, touched)]));
  const after: NodeSnapshot = { ...before, ...parts };
  const entries = new Set(touched.flatMap(({ around }) => around.ledger.entries));
  const others = { ...before.ledger, entries: before.ledger.entries.filter((entry) => !entries.has(entry)) };
  const awaiting = [
    ...awaitingEntities({ ...before, ledger: others }),
    ...touched.flatMap(({ then }) => awaitingEntities(then)),
  ];
  // Next hop objects that await their return are seen from everywhere.
  const once = new Map(awaiting.map((each) => [`${each.device} ${displacedKey(each.origin)}`, each]));
  return { after, awaiting: [...once.values()] };
}
