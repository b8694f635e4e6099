/**
 * Writes down what a membership change is about to make the kernel drop, so that it can be put back whatever happens in between.
 */
import { lostByCycle } from '../node-model/cycle.ts';
import { withObject } from '../node-model/object-route.ts';
import { by, canonical } from '../ordering.ts';
import type { Link, NextHopObject, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { awaiting, isPutBack, originsOn, thingKey, vrfTableOf } from './displaced-things.ts';
import type { Displaced, DisplacedThing, Ledger, LedgerEntry } from './ledger.ts';
import { withEntries, withoutEntries } from './write-ledger.ts';

/** The administrator's things that a membership change of a device makes the kernel drop, in the order of their keys. */
export function displacedBy(node: NodeSnapshot, device: string): readonly DisplacedThing[] {
  return lostByCycle(node, device).filter(isPutBack).map(canonical).sort(by(thingKey));
}

function isDisplacedFrom(device: string) {
  return (entry: Ledger['entries'][number]): entry is Displaced =>
    entry.kind === 'displaced' && entry.device === device;
}

/** The objects that await their return, by id: of a group, as it was before it lost its first member. */
function awaitedObjects({ entries }: Ledger): ReadonlyMap<number, NextHopObject> {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'displaced' && entry.state === 'awaiting' && entry.thing.type === 'next-hop-object'
        ? [[entry.thing.object.id, entry.thing.object] as const]
        : [],
    ),
  );
}

/** A route by a group that has lost members leads where it led with all of them, so that it is not taken for another interface's own. */
function withWholeGroup(
  thing: DisplacedThing,
  { nextHopObjects }: NodeSnapshot,
  awaited: ReadonlyMap<number, NextHopObject>,
): DisplacedThing {
  if (thing.type !== 'route' || thing.route.nextHopObject === undefined) return thing;
  const group = awaited.get(thing.route.nextHopObject);
  if (group?.group === undefined) return thing;
  const asBefore = [...awaited.values(), ...nextHopObjects.filter(({ id }) => !awaited.has(id))];
  return { ...thing, route: withObject(thing.route, asBefore, group) };
}

function linkOf(node: NodeSnapshot, name: string): Link | undefined {
  return node.links.find((link) => link.name === name);
}

/**
 * The ledger with everything that the device's next membership change displaces, each thing as it is outside of a VRF. Of what was placed
 * before, only what is still there has a place to go back to. A crash may have left an earlier announcement of this very change.
 */
export function withDisplaced(node: NodeSnapshot, device: string): Ledger {
  const { ledger } = node;
  const known = ledger.entries.filter(isDisplacedFrom(device));
  const placed = new Set<LedgerEntry>(known.filter(({ state }) => state === 'placed'));
  const vrfTable = vrfTableOf(linkOf(node, device), (name) => linkOf(node, name));
  const originsOf = originsOn(device, vrfTable, known);
  const awaited = awaitedObjects(ledger);
  const displaced = displacedBy(node, device)
    .flatMap((thing) => originsOf(canonical(withWholeGroup(thing, node, awaited))))
    // A group of next hops that loses one member after the other is known as it was before the first was lost.
    .filter((thing) => thing.type !== 'next-hop-object' || !awaited.has(thing.object.id))
    .map((origin) => awaiting(device, origin, node));
  return withEntries(
    withoutEntries(ledger, (entry) => placed.has(entry)),
    displaced,
  );
}
