/**
 * Compares the ledger with what is really there: what an entry announces may have happened or not, and what it describes may be gone.
 */
import { lazyByObject } from '../lazy.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { deviceOf, hasOrigin, lifetimeOf, placeIn, presenceIn, thingKey, vrfTableOf } from './displaced-things.ts';
import type { ChangedSysctl, Displaced, Ledger, LedgerEntry, UnsignedVrf } from './ledger.ts';

/** How an entry stands after a look at the node: as it was, changed, or no longer needed. */
type Settled = LedgerEntry | undefined;

/** What has passed of a lifetime since it was read, in seconds; 0 where the node's clock is not known. */
export function elapsedSeconds({ takenAt }: Displaced, { uptimeSeconds }: NodeSnapshot): number {
  return takenAt === undefined || uptimeSeconds === undefined ? 0 : Math.max(0, Math.floor(uptimeSeconds - takenAt));
}

function isExpired(entry: Displaced, node: NodeSnapshot): boolean {
  const seconds = lifetimeOf(entry.thing);
  return seconds !== undefined && elapsedSeconds(entry, node) >= seconds;
}

/** Whether a setting has the value that we gave it. Settings that were not read say nothing. */
function isStillChanged(
  { device, name, before, value }: ChangedSysctl,
  { sysctls }: NodeSnapshot,
  links: ReadonlyMap<string, Link>,
): boolean {
  const now = sysctls[name];
  return now === undefined ? links.has(device) : now === value && now !== before;
}

/** Whether a device is the VRF that an entry is about: nobody has signed it, and it has the table that we gave it. */
export function isStillUnsigned({ table }: UnsignedVrf, { kind, alias = '', vrfTable }: Link): boolean {
  return kind === 'vrf' && alias === '' && table === vrfTable;
}

/**
 * The ledger as it is true of the node.
 *
 * An entry stays while what it describes is there or is still to come. Things that await being put back and are there again count as
 * placed; those that are where they came from have no history left.
 */
export const settle = lazyByObject((node: NodeSnapshot): Ledger => {
  const { ledger } = node;
  if (ledger.entries.length === 0) return ledger;
  const links = new Map(node.links.map((link) => [link.name, link]));
  const isThere = presenceIn(node);
  const settled = (entry: LedgerEntry): Settled => {
    switch (entry.kind) {
      case 'unsigned-vrf': {
        const link = links.get(entry.name);
        return link !== undefined && isStillUnsigned(entry, link) ? entry : undefined;
      }
      case 'membership':
        return links.get(entry.device)?.master === entry.vrf ? entry : undefined;
      case 'sysctl':
        return isStillChanged(entry, node, links) ? entry : undefined;
      case 'address': {
        const { device, address, prefixLength } = entry;
        const found = { address, prefixLength, scope: 'global', flags: [] };
        return isThere({ type: 'address', device, address: found }) ? entry : undefined;
      }
      case 'displaced':
        return settledThing(entry, node, links, isThere);
    }
  };
  const entries = ledger.entries.flatMap((entry) => settled(entry) ?? []);
  return { ...ledger, entries };
});

function settledThing(
  entry: Displaced,
  node: NodeSnapshot,
  links: ReadonlyMap<string, Link>,
  isThere: ReturnType<typeof presenceIn>,
): Displaced | undefined {
  const root = links.get(entry.device);
  const own = deviceOf(entry.thing);
  if (root === undefined || (own !== undefined && !links.has(own)) || isExpired(entry, node)) return undefined;
  const vrfTable = vrfTableOf(root, (name) => links.get(name));
  const target = placeIn(entry.thing, entry.device, vrfTable);
  const there = isThere(target);
  if (entry.state === 'awaiting' && !there) return entry;
  // What is where it came from has no history left; what went from its place was taken away by its owner.
  if (!hasOrigin(target, vrfTable) || !there) return undefined;
  return { ...entry, state: 'placed' };
}

/** Order of a ledger's entries, so that one ledger has one text. */
export function entryKey(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'unsigned-vrf':
      return `${entry.kind} ${entry.name}`;
    case 'membership':
      return `${entry.kind} ${entry.device}`;
    case 'sysctl':
      return `${entry.kind} ${entry.name}`;
    case 'address':
      return `${entry.kind} ${entry.device} ${entry.address}/${entry.prefixLength}`;
    case 'displaced':
      return `${entry.kind} ${entry.device} ${thingKey(entry.thing)}`;
  }
}
