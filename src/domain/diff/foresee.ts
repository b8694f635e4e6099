/**
 * What a node will look like once VRFs and memberships are changed.
 *
 * Changes that touch the same devices are foreseen together, on as much of the node as they can touch: many networks cost as much as each of
 * them alone.
 */
import { displacedKey } from '../entities/displaceable.ts';
import { type Entity, kindOf } from '../entities/entity-kinds.ts';
import { type NodeView, viewNode } from '../snapshot/node-view.ts';
import { surroundings } from '../snapshot/surroundings.ts';
import { groupBy } from '../grouping.ts';
import type { EntityOperation, Operation } from '../operations/operation.ts';
import { applyOperation, meaningOf } from '../operations/operation-meaning.ts';
import type { LostByMove } from '../ownership/displace.ts';
import { linkCycleOf } from '../ownership/link-cycle.ts';
import { awaitingEntities, type AwaitingEntity } from '../ownership/restored.ts';
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
 * What the only membership change among some operations displaces is known: the plan has asked for it. Addresses that stay, as they are set to be
 * kept before the change, are among it, but never await their return. Absent where there are several, as the one changes what the other displaces.
 */
function lostByOnlyMove(operations: readonly EntityOperation[], view: NodeView): LostByMove | undefined {
  const moves = operations.filter((operation) => meaningOf(operation).displaces);
  return moves.length === 1 ? (_node, device) => linkCycleOf(device, view).lost : undefined;
}

/** What is foreseen. */
export interface Foreseen {
  /** The node with everything that the changes leave of it. */
  readonly after: NodeSnapshot;
  /** What has to be restored then, displaced by these changes or by earlier ones. */
  readonly awaiting: readonly AwaitingEntity[];
}

/** Foresees changes of VRFs, memberships and the settings that go with them. */
export function foresee(operations: readonly EntityOperation[], before: NodeSnapshot): Foreseen {
  if (operations.length === 0) return { after: before, awaiting: awaitingEntities(before) };
  const view = viewNode(before);
  const touched = apart(operations, view).map((group) => {
    const around = surroundings(view, group.flatMap(devicesOf));
    return { around, then: foreseen(group, around, lostByOnlyMove(group, view)) };
  });
  const gone = {
    links: new Set<unknown>(),
    routes: new Set<unknown>(),
    neighbours: new Set<unknown>(),
    neighbourProxies: new Set<unknown>(),
  };
  for (const { around, then } of touched) {
    for (const part of ['links', 'routes', 'neighbours', 'neighbourProxies'] as const) {
      const left = new Set<unknown>(then[part]);
      for (const item of around[part]) if (!left.has(item)) gone[part].add(item);
    }
  }
  const known = {
    links: new Set<unknown>(before.links),
    routes: new Set<unknown>(before.routes),
    neighbours: new Set<unknown>(before.neighbours),
  };
  const after = {
    ...before,
    links: [
      ...before.links.filter((link) => !gone.links.has(link)),
      ...touched.flatMap(({ then }) => then.links.filter((link) => !known.links.has(link))),
    ],
    routes: [
      ...before.routes.filter((route) => !gone.routes.has(route)),
      ...touched.flatMap(({ then }) => then.routes.filter((route) => !known.routes.has(route))),
    ],
    neighbours: before.neighbours.filter((neighbour) => !gone.neighbours.has(neighbour)),
    neighbourProxies: before.neighbourProxies.filter((proxy) => !gone.neighbourProxies.has(proxy)),
  };
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
