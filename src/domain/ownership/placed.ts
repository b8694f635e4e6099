/**
 * What becomes of the ledger when a displaced thing is put back into its place, or taken away from there again.
 */
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { awaiting, hasOrigin, placeIn, thingKey, vrfTableOf } from './displaced-things.ts';
import { withEntries } from './write-ledger.ts';
import type { Displaced, DisplacedThing, Ledger, LedgerEntry } from './ledger.ts';

/** What of a thing is the same in whatever table it is. */
function nameOf(thing: DisplacedThing): string | number {
  switch (thing.type) {
    case 'address':
      return thing.address.address;
    case 'next-hop-object':
      return thing.object.id;
    case 'route':
      return thing.route.destination;
    case 'neighbour':
      return thing.neighbour.address;
    case 'neighbour-proxy':
      return thing.proxy.address;
  }
}

function withChanged(
  { ledger, links }: NodeSnapshot,
  device: string,
  thing: DisplacedThing,
  change: (entry: Displaced, vrfTable: number | undefined) => readonly LedgerEntry[],
): Ledger {
  const linkOf = (name: string) => links.find((link) => link.name === name);
  const vrfTable = vrfTableOf(linkOf(device), linkOf);
  const [name, key] = [nameOf(thing), thingKey(thing)];
  // Thousands of things may await their return, each by an operation of its own, so this is asked millions of times: hardly ever for a key.
  const isMeant = (entry: LedgerEntry): entry is Displaced =>
    entry.kind === 'displaced' &&
    entry.device === device &&
    nameOf(entry.thing) === name &&
    thingKey(placeIn(entry.thing, device, vrfTable)) === key;
  const entries: LedgerEntry[] = [];
  for (const entry of ledger.entries) {
    if (isMeant(entry)) entries.push(...change(entry, vrfTable));
    else entries.push(entry);
  }
  return { ...ledger, entries };
}

/** The ledger once a thing is in its place. Where that is where it came from, nothing is left to be told of it. */
export function withPlaced(node: NodeSnapshot, device: string, thing: DisplacedThing): Ledger {
  return withChanged(node, device, thing, (entry, vrfTable) =>
    hasOrigin(thing, vrfTable) ? [{ ...entry, state: 'placed' }] : [],
  );
}

/** The ledger once a thing that had been put back is taken away again; `origin` is the thing as it was before our first change. */
export function withAwaiting(
  node: NodeSnapshot,
  device: string,
  thing: DisplacedThing,
  origin: DisplacedThing,
): Ledger {
  const known = withChanged(node, device, thing, (entry) => [{ ...entry, state: 'awaiting' }]);
  const isKnown = known.entries.some((entry, index) => entry !== node.ledger.entries[index]);
  return isKnown ? known : withEntries(known, [awaiting(device, origin, node)]);
}
