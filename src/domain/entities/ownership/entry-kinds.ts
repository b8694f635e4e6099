/**
 * The kinds of entry in the ledger: their schema, their key, and whether what it describes is still
 * so on a node.
 */
import Type, { type TSchema } from 'typebox';
import { partOf, stringEnum } from '../../api/schema.ts';
import { displaceableKindOf, displaceableKinds, displacedKey } from '../displaceable.ts';
import { text, whole } from '../ledger-schema.ts';
import { isStillUnsigned } from '../kernel/vrf.ts';
import { type Displaced, entryOf, type LedgerEntry, type Membership } from '../../snapshot/ledger.ts';
import type { Link, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { isKeptInPlace, lifetimeOf, placeIn, type presenceIn, tableOfMaster } from './displaced-entities.ts';

/** A node, as entries are compared with it. */
export interface EntryView {
  readonly node: NodeSnapshot;
  readonly links: ReadonlyMap<string, Link>;
  readonly isThere: ReturnType<typeof presenceIn>;
}

interface EntryKind<Entry> {
  /** Fields beyond these are none of this version's business, and stay. */
  readonly schema: TSchema;
  /** The key of an entry among those of its kind. */
  key(entry: Entry): string;
  /** The entry as it is true of a node; absent where what it describes is gone. */
  settled(entry: Entry, view: EntryView): Entry | undefined;
}

export const entryKinds: {
  readonly [Kind in LedgerEntry['kind']]: EntryKind<Extract<LedgerEntry, { kind: Kind }>>;
} = {
  'unsigned-vrf': {
    schema: partOf({ kind: stringEnum(['unsigned-vrf']), name: text, table: whole, network: text }),
    key: ({ name }) => name,
    settled: (entry, { links }) => {
      const link = links.get(entry.name);
      return link !== undefined && isStillUnsigned(entry, link) ? entry : undefined;
    },
  },
  membership: {
    schema: partOf({ kind: stringEnum(['membership']), device: text, vrf: text, table: whole, network: text }),
    key: ({ device }) => device,
    settled: (entry, view) => (membershipState(entry, view) === 'ended' ? undefined : entry),
  },
  sysctl: {
    schema: partOf({ kind: stringEnum(['sysctl']), device: text, name: text, before: text, value: text }),
    key: ({ name }) => name,
    // Settings that were not read are unknown.
    settled: (entry, { node: { sysctls }, links }) => {
      const { device, name, before, value } = entry;
      const now = sysctls[name];
      const isStillChanged = now === undefined ? links.has(device) : now === value && now !== before;
      return isStillChanged ? entry : undefined;
    },
  },
  address: {
    schema: partOf({ kind: stringEnum(['address']), device: text, address: text, prefixLength: whole }),
    key: ({ device, address, prefixLength }) => `${device} ${address}/${prefixLength}`,
    settled: (entry, { isThere }) => {
      const { device, address, prefixLength } = entry;
      const found = { address, prefixLength, scope: 'global', flags: [] };
      return isThere({ kind: 'address', device, address: found }) ? entry : undefined;
    },
  },
  'fdb-entry': {
    schema: partOf({ kind: stringEnum(['fdb-entry']), bridge: text, port: text, vlan: whole, macAddress: text }),
    key: ({ bridge, vlan, macAddress }) => `${bridge} ${vlan} ${macAddress}`,
    // Those of a bridge whose switch does not answer were not read: they may be there, and be found again later.
    settled: (entry, { node: { fdbEntries, bridgesWithoutSwitch } }) => {
      const { bridge, port, vlan, macAddress } = entry;
      if (bridgesWithoutSwitch?.includes(bridge) === true) return entry;
      const isThere = fdbEntries.some(
        (found) =>
          found.bridge === bridge && found.port === port && found.vlan === vlan && found.macAddress === macAddress,
      );
      return isThere ? entry : undefined;
    },
  },
  displaced: {
    schema: partOf({
      kind: stringEnum(['displaced']),
      device: text,
      entity: Type.Union(displaceableKinds.map(({ displaced }) => displaced.schema)),
      state: stringEnum(['awaiting', 'placed']),
      takenAt: Type.Optional(Type.Number()),
    }),
    key: ({ device, entity }) => `${device} ${displacedKey(entity)}`,
    settled: settledDisplaced,
  },
};

/** The part of a lifetime that has passed since it was read, in seconds; 0 where the node's clock is not known. */
export function elapsedSeconds({ takenAt }: Displaced, { uptimeSeconds }: NodeSnapshot): number {
  return takenAt === undefined || uptimeSeconds === undefined ? 0 : Math.max(0, Math.floor(uptimeSeconds - takenAt));
}

function isExpired(entry: Displaced, node: NodeSnapshot): boolean {
  const seconds = lifetimeOf(entry.entity);
  return seconds !== undefined && elapsedSeconds(entry, node) >= seconds;
}

/**
 * Whether a device is in the VRF of its membership: `absent` if it was deleted and may be recreated, as long as the VRF exists; `ended`
 * if another program took it out, or the entry announces a change that was never made.
 */
function membershipState(
  { device, vrf, table }: Membership,
  { links }: Pick<EntryView, 'links'>,
): 'real' | 'absent' | 'ended' {
  const link = links.get(device);
  if (link !== undefined) return link.master === vrf ? 'real' : 'ended';
  return links.get(vrf)?.vrfTable === table ? 'absent' : 'ended';
}

/**
 * Entry of a displaced entity: one that is present counts as placed while the device is in the VRF that ovn-uplinks enslaved it to; one that is missing
 * was removed by its owner. When the device is taken out of the VRF or deleted, the kernel removes both, so they await their return again
 * (docs/design/ownership.md).
 */
function settledDisplaced(entry: Displaced, { node, links, isThere }: EntryView): Displaced | undefined {
  if (isExpired(entry, node)) return undefined;
  const membership = entryOf(node.ledger, 'membership', entry.device);
  const state = membership && membershipState(membership, { links });
  // Nothing can be restored on a missing device; once it is back, it is in no VRF.
  if (state === 'absent') return inState(entry, 'placed');
  const interfaceLink = links.get(entry.device);
  const device = displaceableKindOf(entry.entity).displaced.device(entry.entity);
  if (interfaceLink === undefined || (device !== undefined && !links.has(device))) return undefined;
  const vrfTable = tableOfMaster(interfaceLink, (name) => links.get(name));
  const there = isThere(placeIn(entry.entity, entry.device, vrfTable));
  // What is there outside of the VRF that we put the device into is where it came from.
  if (there) return state === 'real' && isKeptInPlace(entry.entity) ? inState(entry, 'placed') : undefined;
  // A stray, whose move is announced again: what is dropped in a link cycle is not in the main table any more.
  if (entry.state === 'awaiting') return state === 'real' && isThere(entry.entity) ? undefined : entry;
  return state === 'ended' ? inState(entry, 'awaiting') : undefined;
}

function inState(entry: Displaced, state: Displaced['state']): Displaced {
  return entry.state === state ? entry : { ...entry, state };
}

/** The meaning of the kind of an entry. */
function entryKindOf<Entry extends LedgerEntry>({ kind }: Entry): EntryKind<Entry> {
  // The table gives each name the kind of its own entries, which the compiler cannot follow through the index.
  return entryKinds[kind] as unknown as EntryKind<Entry>;
}

/** The key of an entry among all entries. Entries are sorted by it, so that one ledger has one text. */
export function entryKey(entry: LedgerEntry): string {
  return `${entry.kind} ${entryKindOf(entry).key(entry)}`;
}

/** An entry as it is true of a node; absent where what it describes is gone. */
export function settledEntry(entry: LedgerEntry, view: EntryView): LedgerEntry | undefined {
  return entryKindOf(entry).settled(entry, view);
}
