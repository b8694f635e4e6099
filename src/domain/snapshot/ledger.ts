/**
 * What this project writes down about its own changes, because neither the kernel nor Open vSwitch has a place to sign them
 * (docs/design/ownership.md, "Ledger").
 *
 * The ledger lives exactly as long as what it describes: it is gone after a reboot, as the state of the kernel is. An entry is written before the change
 * that it describes is made: a change that an entry announces and that is found later is managed.
 */
import { groupBy } from '../grouping.ts';
import { lazyByObject } from '../lazy.ts';
import type { FdbEntry } from './datapath.ts';
import type { Address, Neighbour, NeighbourProxy, NextHopObject, Route } from './node-parts.ts';

/** The format's version that this program writes. */
export const LEDGER_VERSION = 2;

/** A VRF device that is made and not yet signed: its alias takes a second command. */
export interface UnsignedVrf {
  readonly kind: 'unsigned-vrf';
  readonly name: string;
  /** Its table, which distinguishes it from a VRF that another program creates meanwhile. */
  readonly table: number;
  /** Network name, as the alias will say it. */
  readonly network: string;
}

/** A device that ovn-uplinks enslaved to a VRF. */
export interface Membership {
  readonly kind: 'membership';
  readonly device: string;
  readonly vrf: string;
  readonly table: number;
  /** Network name of the network that wanted it. */
  readonly network: string;
}

/** A kernel setting that we changed. */
export interface ChangedSysctl {
  readonly kind: 'sysctl';
  /** The device that the setting is of. */
  readonly device: string;
  readonly name: string;
  /** The value before our first change. */
  readonly before: string;
  /** The value that we set. */
  readonly value: string;
}

/** An address that we put on a device which may be another's. */
export interface OwnAddress {
  readonly kind: 'address';
  readonly device: string;
  readonly address: string;
  readonly prefixLength: number;
}

/** An entity of the administrator that a change of ours makes the kernel drop. */
export type DisplacedEntity =
  | { readonly kind: 'address'; readonly device: string; readonly address: Address }
  | { readonly kind: 'next-hop-object'; readonly object: NextHopObject }
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'neighbour'; readonly neighbour: Neighbour }
  | { readonly kind: 'neighbour-proxy'; readonly proxy: NeighbourProxy };

/**
 * Such an entity, as it was before our first change.
 *
 * `awaiting`: it has to be restored, into the place that the device's VRF makes right. `placed`: that is done, and the device is in the VRF that we
 * put it into. It is the administrator's to change or remove; if the device is taken out of the VRF or deleted, the kernel removes it, and it has
 * to be restored again (docs/design/ownership.md).
 */
export interface Displaced {
  readonly kind: 'displaced';
  /** The device that we moved into a VRF or out of one, which the thing is on or whose VLAN device it is on. */
  readonly device: string;
  readonly entity: DisplacedEntity;
  readonly state: 'awaiting' | 'placed';
  /** Seconds since boot when its lifetime was read; absent where the thing has none or the time was not known. */
  readonly takenAt?: number;
}

/** A static entry of a bridge's MAC learning table that we added. */
export interface OwnFdbEntry extends FdbEntry {
  readonly kind: 'fdb-entry';
}

export type LedgerEntry = UnsignedVrf | Membership | ChangedSysctl | OwnAddress | OwnFdbEntry | Displaced;

/** The device that an entry is about, or the bridge. */
export function deviceOfEntry(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'unsigned-vrf':
      return entry.name;
    case 'fdb-entry':
      return entry.bridge;
    case 'membership':
    case 'sysctl':
    case 'address':
    case 'displaced':
      return entry.device;
  }
}

/** The whole ledger. */
export interface Ledger {
  /** The version of the file that it was read from, where that is newer, else that of this program. */
  readonly version: number;
  /** In the order of their keys; no two of one key. */
  readonly entries: readonly LedgerEntry[];
  /** Entries of a newer version that this one does not understand, kept as they are. */
  readonly unknown: readonly unknown[];
  /** Why what stood in the file could not be used; absent where it could. */
  readonly problem?: string;
}

/** The ledger of a node that this project has done nothing to. */
export const emptyLedger: Ledger = { version: LEDGER_VERSION, entries: [], unknown: [] };

/** Whether two ledgers of this program's say the same, in the same words. */
export function isSameLedger(one: Ledger, other: Ledger): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** What is another number with every look. */
const PASSING: ReadonlySet<string> = new Set(['validSeconds', 'preferredSeconds', 'expiresSeconds', 'takenAt']);

function timelessText(ledger: Ledger): string {
  return JSON.stringify(ledger, (key, value: unknown) => (PASSING.has(key) ? 'some' : value));
}

/** Whether they say the same but for the time that has passed between them. */
export function isSameButForTime(one: Ledger, other: Ledger): boolean {
  return one === other || timelessText(one) === timelessText(other);
}

/** What most entries of a kind differ in: the setting, or the device. */
function nameOf(entry: LedgerEntry): string {
  return entry.kind === 'sysctl' ? entry.name : deviceOfEntry(entry);
}

const entriesByName = lazyByObject(({ entries }: Ledger) =>
  groupBy(entries, (entry) => `${entry.kind} ${nameOf(entry)}`),
);

/**
 * The ledger's entry of a kind and a name for which something holds, at the same cost however much is in the ledger.
 *
 * @param name of a sysctl the setting's, of an FDB entry the bridge's, of everything else the device's
 */
export function entryOf<Kind extends LedgerEntry['kind']>(
  ledger: Ledger,
  kind: Kind,
  name: string,
  matches: (entry: Extract<LedgerEntry, { kind: Kind }>) => boolean = () => true,
): Extract<LedgerEntry, { kind: Kind }> | undefined {
  return entriesByName(ledger)
    .get(`${kind} ${name}`)
    ?.find(
      (entry): entry is Extract<LedgerEntry, { kind: Kind }> =>
        entry.kind === kind && matches(entry as Extract<LedgerEntry, { kind: Kind }>),
    );
}

/** The entries of a kind. */
export function entriesOf<Kind extends LedgerEntry['kind']>(
  { entries }: Ledger,
  kind: Kind,
): readonly Extract<LedgerEntry, { kind: Kind }>[] {
  return entries.filter((entry): entry is Extract<LedgerEntry, { kind: Kind }> => entry.kind === kind);
}
