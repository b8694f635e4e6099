/**
 * Writes down what a membership change is about to make the kernel drop, so that it can be put back whatever happens in between.
 */
import { lostByCycle } from '../node-model/cycle.ts';
import { by, canonical } from '../ordering.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { awaiting, isPutBack, originOf, thingKey, vrfTableOf } from './displaced-things.ts';
import type { Displaced, DisplacedThing, Ledger } from './ledger.ts';
import { withEntries, withoutEntries } from './write-ledger.ts';

/** The administrator's things that a membership change of a device makes the kernel drop, in the order of their keys. */
export function displacedBy(node: NodeSnapshot, device: string): readonly DisplacedThing[] {
  return lostByCycle(node, device).filter(isPutBack).map(canonical).sort(by(thingKey));
}

function isPlacedOn(device: string) {
  return (entry: Ledger['entries'][number]): entry is Displaced =>
    entry.kind === 'displaced' && entry.device === device && entry.state === 'placed';
}

/** A group of next hops that loses one member after the other is known as it was before the first was lost. */
function isAwaited(thing: DisplacedThing, { entries }: Ledger): boolean {
  if (thing.type !== 'next-hop-object') return false;
  return entries.some(
    (entry) =>
      entry.kind === 'displaced' &&
      entry.state === 'awaiting' &&
      entry.thing.type === 'next-hop-object' &&
      entry.thing.object.id === thing.object.id,
  );
}

function linkOf(node: NodeSnapshot, name: string): Link | undefined {
  return node.links.find((link) => link.name === name);
}

/**
 * The ledger with everything that the device's next membership change displaces, each thing as it is outside of a VRF. Of what was placed
 * before, only what is still there has a place to go back to.
 */
export function withDisplaced(node: NodeSnapshot, device: string): Ledger {
  const { ledger } = node;
  const placed = ledger.entries.filter(isPlacedOn(device));
  const vrfTable = vrfTableOf(linkOf(node, device), (name) => linkOf(node, name));
  const displaced = displacedBy(node, device).map((thing) =>
    awaiting(device, originOf(thing, device, vrfTable, placed), node),
  );
  return withEntries(
    withoutEntries(ledger, isPlacedOn(device)),
    displaced.filter(({ thing }) => !isAwaited(thing, ledger)),
  );
}
