/**
 * Records what the kernel is about to drop in a membership change, so that it can be restored after a crash.
 */
import { lostByCycle } from '../../node-model/cycle.ts';
import { withObject } from '../../node-model/object-route.ts';
import { canonical, sortedBy } from '../../basics/names/ordering.ts';
import { displacedKey, isPutBack } from '../displaceable.ts';
import { type Displaced, type DisplacedEntity, entryOf, type Ledger, type LedgerEntry } from '../../snapshot/ledger.ts';
import type { Link, NextHopObject, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { awaiting, originsOn, tableOfMaster } from './displaced-entities.ts';
import { replacedByStrays } from './strays.ts';
import { withEntries, withoutEntries } from './write-ledger.ts';

/** Tells what the kernel drops when the membership of a device changes. */
export type LostByMove = (node: NodeSnapshot, device: string) => readonly DisplacedEntity[];

/** The administrator's entities that the kernel drops when the membership of a device changes, by key. */
export function displacedBy(
  node: NodeSnapshot,
  device: string,
  lostByMove: LostByMove = lostByCycle,
): readonly DisplacedEntity[] {
  const lost = lostByMove(node, device).filter((entity) => isPutBack(entity, node));
  return sortedBy(lost.map(canonical), displacedKey);
}

function isDisplacedFrom(device: string) {
  return (entry: Ledger['entries'][number]): entry is Displaced =>
    entry.kind === 'displaced' && entry.device === device;
}

/** The objects that await their return, by id: of a group, as it was before it lost its first member. */
function awaitedObjects({ entries }: Ledger): ReadonlyMap<number, NextHopObject> {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'displaced' && entry.state === 'awaiting' && entry.entity.kind === 'next-hop-object'
        ? [[entry.entity.object.id, entry.entity.object] as const]
        : [],
    ),
  );
}

/** A route by a group that has lost members leads where it led with all of them, so that it is not taken for another interface's own. */
function withWholeGroup(
  entity: DisplacedEntity,
  { nextHopObjects }: NodeSnapshot,
  awaited: ReadonlyMap<number, NextHopObject>,
): DisplacedEntity {
  if (entity.kind !== 'route' || entity.route.nextHopObject === undefined) return entity;
  const group = awaited.get(entity.route.nextHopObject);
  if (group?.group === undefined) return entity;
  const asBefore = [...awaited.values(), ...nextHopObjects.filter(({ id }) => !awaited.has(id))];
  return canonical({ ...entity, route: withObject(entity.route, asBefore, group) });
}

function linkOf(node: NodeSnapshot, name: string): Link | undefined {
  return node.links.find((link) => link.name === name);
}

/** Whether a device is no longer in the VRF of its managed membership: what was placed was then dropped with that, not removed by its owner. */
function hasLeft(device: string, node: NodeSnapshot): boolean {
  const membership = entryOf(node.ledger, 'membership', device);
  return membership !== undefined && linkOf(node, device)?.master !== membership.vrf;
}

/**
 * The ledger with everything that the device's next membership change displaces, each entity as it is outside of a VRF. Of what was placed
 * before, only what is still there has a place to go back to. A crash may have left an earlier announcement of this very change.
 */
export function withDisplaced(node: NodeSnapshot, device: string, lostByMove?: LostByMove): Ledger {
  const { ledger } = node;
  const known = ledger.entries.filter(isDisplacedFrom(device));
  const placed = new Set<LedgerEntry>(known.filter(({ state }) => state === 'placed'));
  const vrfTable = tableOfMaster(linkOf(node, device), (name) => linkOf(node, name));
  const originsOf = originsOn(device, vrfTable, known);
  const awaited = awaitedObjects(ledger);
  const isReplaced = replacedByStrays(device, node);
  const displaced = displacedBy(node, device, lostByMove)
    .filter((entity) => !isReplaced(entity))
    .flatMap((entity) => originsOf(withWholeGroup(entity, node, awaited)))
    // A group of next hops that loses one member after the other is known as it was before the first was lost.
    .filter((entity) => entity.kind !== 'next-hop-object' || !awaited.has(entity.object.id))
    .map((origin) => awaiting(device, origin, node));
  return withEntries(
    withoutEntries(ledger, (entry) => placed.has(entry)),
    [
      ...(known.length > 0 && hasLeft(device, node)
        ? known.map((entry) => ({ ...entry, state: 'awaiting' as const }))
        : []),
      ...displaced,
    ],
  );
}
