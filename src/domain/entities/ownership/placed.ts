/**
 * The ledger after a displaced entity is restored, or removed again.
 */
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { displaceableKindOf, displacedKey } from '../displaceable.ts';
import { isOwnMembership } from '../kernel/membership.ts';
import type { Displaced, DisplacedEntity, Ledger, LedgerEntry } from '../../snapshot/ledger.ts';
import { awaiting, isKeptInPlace, placeIn, tableOfMaster } from './displaced-entities.ts';
import { withEntries } from './write-ledger.ts';

function withChanged(
  { ledger, links }: NodeSnapshot,
  device: string,
  entity: DisplacedEntity,
  change: (entry: Displaced) => readonly LedgerEntry[],
): Ledger {
  const linkOf = (name: string) => links.find((link) => link.name === name);
  const vrfTable = tableOfMaster(linkOf(device), linkOf);
  const nameOf = (each: DisplacedEntity) => displaceableKindOf(each).displaced.name(each);
  const [name, key] = [nameOf(entity), displacedKey(entity)];
  // Thousands of entities may await their return, each restored by its own operation, so this runs millions of times; a key is hardly ever needed.
  const isMeant = (entry: LedgerEntry): entry is Displaced =>
    entry.kind === 'displaced' &&
    entry.device === device &&
    nameOf(entry.entity) === name &&
    displacedKey(placeIn(entry.entity, device, vrfTable)) === key;
  const entries: LedgerEntry[] = [];
  for (const entry of ledger.entries) {
    if (isMeant(entry)) entries.push(...change(entry));
    else entries.push(entry);
  }
  return { ...ledger, entries };
}

/**
 * The ledger once an entity is in its place. It stays known while the device is in the VRF that we put it into, which it may lose again. Outside of
 * it, that is where it came from.
 */
export function withPlaced(node: NodeSnapshot, device: string, entity: DisplacedEntity): Ledger {
  const master = node.links.find(({ name }) => name === device)?.master;
  const isInOurVrf = master !== undefined && isOwnMembership(device, master, node.ledger);
  return withChanged(node, device, entity, (entry) =>
    isInOurVrf && isKeptInPlace(entity) ? [{ ...entry, state: 'placed' }] : [],
  );
}

/** The ledger once a restored entity is removed again; `origin` is the entity before our first change. */
export function withAwaiting(
  node: NodeSnapshot,
  device: string,
  entity: DisplacedEntity,
  origin: DisplacedEntity,
): Ledger {
  const known = withChanged(node, device, entity, (entry) => [{ ...entry, state: 'awaiting' }]);
  const isKnown = known.entries.some((entry, index) => entry !== node.ledger.entries[index]);
  return isKnown ? known : withEntries(known, [awaiting(device, origin, node)]);
}
