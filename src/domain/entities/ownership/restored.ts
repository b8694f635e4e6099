/**
 * A node as it will be once everything that our changes displaced is back in its place.
 *
 * Decisions are made about this node: a gateway that is still to be restored counts as present, or an interrupted change would change the decisions.
 */
import { displaceableKindOf, displacedKey } from '../displaceable.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import { entriesOf } from '../../snapshot/ledger.ts';
import type { Address, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { viewNode } from '../../snapshot/node-view.ts';
import { routeKey } from '../../snapshot/route-key.ts';
import { surroundings, withReach } from '../../snapshot/surroundings.ts';
import { placeIn, presenceIn, tableOfMaster } from './displaced-entities.ts';
import { elapsedSeconds } from './entry-kinds.ts';
import { settle } from './settle.ts';
import { straysOn, withoutStrays } from './strays.ts';

/** One entity that has to be restored. */
export interface AwaitingEntity {
  /** The device whose membership was changed. */
  readonly device: string;
  /** The entity where it belongs now, with what is left of its lifetime. */
  readonly entity: DisplacedEntity;
  /** The entity as it was. */
  readonly origin: DisplacedEntity;
}

/** Entities to restore on a node whose ledger is settled. */
export function awaitingEntities(node: NodeSnapshot): readonly AwaitingEntity[] {
  const entries = entriesOf(node.ledger, 'displaced').filter(({ state }) => state === 'awaiting');
  if (entries.length === 0) return [];
  const links = new Map(node.links.map((link) => [link.name, link]));
  const isThere = presenceIn(node);
  return entries.flatMap((entry) => {
    const { device, entity: origin } = entry;
    const vrfTable = tableOfMaster(links.get(device), (name) => links.get(name));
    const elapsed = elapsedSeconds(entry, node);
    const aged = elapsed === 0 ? origin : (displaceableKindOf(origin).displaced.aged?.(origin, elapsed) ?? origin);
    const entity = placeIn(aged, device, vrfTable);
    return isThere(entity) ? [] : [{ device, entity, origin }];
  });
}

/** An entity that the kernel would not take now, and why. */
export interface BlockedEntity extends AwaitingEntity {
  readonly refusal: string;
}

function awaitingKey({ device, origin }: AwaitingEntity): string {
  return `${device} ${displacedKey(origin)}`;
}

/** IPv6 addresses that the kernel still looks for duplicates of can be used soon. */
function withUsableAddresses(node: NodeSnapshot): NodeSnapshot {
  const usable = (address: Address) => ({ ...address, flags: address.flags.filter((flag) => flag !== 'tentative') });
  return { ...node, links: node.links.map((link) => ({ ...link, addresses: link.addresses.map(usable) })) };
}

/**
 * Entities that await being restored and the kernel would refuse: a route by a gateway that is not reachable, as its interface was recreated with other
 * addresses, or has none yet. It stays in the ledger until it can be restored, and decides nothing.
 *
 * @param node as it is, its ledger settled; what it costs does not grow with what is around the interfaces that something awaits.
 */
export const blockedEntities = lazyByObject((node: NodeSnapshot): readonly BlockedEntity[] => {
  let rest = awaitingEntities(node);
  if (rest.length === 0) return [];
  const view = viewNode(node);
  const routes = rest.flatMap(({ entity }) => (entity.kind === 'route' ? [entity.route] : []));
  const devices = new Set(rest.map(({ device }) => device));
  let after = withUsableAddresses(withReach(surroundings(view, devices), routes, view));
  for (;;) {
    const blocked: BlockedEntity[] = [];
    for (const awaiting of rest) {
      const change = displaceableKindOf(awaiting.entity).displaced.restore(awaiting.entity, after);
      if (change.done) after = change.node;
      else if (change.exists !== true) blocked.push({ ...awaiting, refusal: change.reason });
    }
    // One may need what is restored after it.
    if (blocked.length === 0 || blocked.length === rest.length) return blocked;
    rest = blocked;
  }
});

/** Tells which other route has an entity's place outside of VRFs: the kernel has one route of each destination, metric and table. */
export function replacementsIn(node: NodeSnapshot): (awaiting: AwaitingEntity) => Route | undefined {
  const view = viewNode(node);
  return ({ device, entity }) =>
    entity.kind === 'route' && view.link(device)?.master === undefined
      ? view.routesLike(entity.route).at(-1)
      : undefined;
}

/** The first of those that have one place: the kernel has one route of each destination, metric and table. The others wait until it is free. */
export function oncePerPlace(awaiting: readonly AwaitingEntity[]): readonly AwaitingEntity[] {
  const taken = new Set<string>();
  return awaiting.filter(({ entity }) => {
    if (entity.kind !== 'route') return true;
    const key = routeKey(entity.route);
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/** The node without what awaits being restored on some devices. */
function withoutAwaiting(node: NodeSnapshot, isLeftAlone: (device: string) => boolean): NodeSnapshot {
  const entries = node.ledger.entries.filter(
    (entry) => entry.kind !== 'displaced' || entry.state !== 'awaiting' || !isLeftAlone(entry.device),
  );
  return entries.length === node.ledger.entries.length ? node : { ...node, ledger: { ...node.ledger, entries } };
}

/**
 * Tells what can be restored: what the kernel would take, where no other route has its place.
 *
 * @param after the node once interfaces have moved
 * @param isLeftAlone on which devices nothing is restored now: a group of next hops of several interfaces then waits for its members
 */
export function isRestorable(
  before: NodeSnapshot,
  after: NodeSnapshot,
  isLeftAlone: (device: string) => boolean,
): (awaiting: AwaitingEntity) => boolean {
  const blocked = new Set(blockedEntities(withoutAwaiting(before, isLeftAlone)).map(awaitingKey));
  const replacementOf = replacementsIn(after);
  return (awaiting) =>
    !isLeftAlone(awaiting.device) && !blocked.has(awaitingKey(awaiting)) && replacementOf(awaiting) === undefined;
}

/** The node with its ledger settled; the node itself where that changes nothing. */
export const withSettledLedger = lazyByObject((node: NodeSnapshot): NodeSnapshot => {
  const ledger = settle(node);
  return ledger === node.ledger ? node : { ...node, ledger };
});

function withRestored(node: NodeSnapshot): NodeSnapshot {
  const blocked = new Set(blockedEntities(node).map(awaitingKey));
  const byKind = groupBy(
    awaitingEntities(node)
      .filter((awaiting) => !blocked.has(awaitingKey(awaiting)))
      .map(({ entity }) => entity),
    ({ kind }) => kind,
  );
  return [...byKind.values()].reduce((before, entities) => {
    const [first] = entities;
    return first === undefined ? before : displaceableKindOf(first).put(before, entities);
  }, node);
}

/** The node as it will be once everything that can be restored is restored, and strays are in their tables; its ledger is settled. */
export const restored = lazyByObject((found: NodeSnapshot) => withRestored(withoutStrays(withSettledLedger(found))));

/**
 * The node as it will be, with strays left where they are on some interfaces.
 *
 * @param left the interfaces on which nothing is changed; the same as `restored` if they have no strays
 */
export function restoredBeside(left: ReadonlySet<string>, found: NodeSnapshot): NodeSnapshot {
  const node = withSettledLedger(found);
  const isLeft = straysOn(node).some(({ device, stays }) => !stays && left.has(device));
  return isLeft ? withRestored(withoutStrays(node, left)) : restored(found);
}
