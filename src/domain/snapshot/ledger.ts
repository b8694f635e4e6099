/**
 * The record of ovn-uplinks' changes that neither the kernel nor Open vSwitch can mark (docs/design/ownership.md, "Ledger").
 *
 * The ledger lives as long as what it describes: a reboot clears it together with the state of the kernel. An entry is written before its change, so
 * that a change that is announced and found later is managed.
 */
import { timelessText } from './timeless.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { FdbEntry } from './datapath.ts';
import type { Address, Neighbour, NeighbourProxy, NextHopObject, Route } from './node-parts.ts';

/** The version of the format that this program writes. */
export const LEDGER_VERSION = 2;

/** A VRF device that was created and is not signed yet, since its alias takes a second command. */
export interface UnsignedVrf {
  readonly kind: 'unsigned-vrf';
  readonly name: string;
  /** Its table, by which it differs from a VRF that another program creates meanwhile. */
  readonly table: number;
  /** Network name, for the alias. */
  readonly network: string;
}

/** A device that ovn-uplinks enslaved to a VRF. */
export interface Membership {
  readonly kind: 'membership';
  readonly device: string;
  readonly vrf: string;
  readonly table: number;
  /** Network name of the network that needs it. */
  readonly network: string;
}

/** A kernel setting that ovn-uplinks changed. */
export interface ChangedSysctl {
  readonly kind: 'sysctl';
  /** The device of the setting. */
  readonly device: string;
  readonly name: string;
  /** The value before ovn-uplinks' first change. */
  readonly before: string;
  /** The value that ovn-uplinks set. */
  readonly value: string;
}

/** An address that ovn-uplinks added to a device, possibly an unmanaged one. */
export interface OwnAddress {
  readonly kind: 'address';
  readonly device: string;
  readonly address: string;
  readonly prefixLength: number;
}

/** An entity of the administrator that the kernel drops on enslaving or release. */
export type DisplacedEntity =
  | { readonly kind: 'address'; readonly device: string; readonly address: Address }
  | { readonly kind: 'next-hop-object'; readonly object: NextHopObject }
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'neighbour'; readonly neighbour: Neighbour }
  | { readonly kind: 'neighbour-proxy'; readonly proxy: NeighbourProxy };

/**
 * A displaced entity, as it was before the first change.
 *
 * `awaiting`: to be restored, in the place that follows from the VRF of the device. `placed`: restored, while the device is in the VRF that
 * ovn-uplinks enslaved it to. The administrator may change or remove it; if the device is released or deleted, the kernel drops it, and it is
 * restored again (docs/design/ownership.md).
 */
export interface Displaced {
  readonly kind: 'displaced';
  /** The device that was enslaved or released: that of the entity, or the one under its VLAN device. */
  readonly device: string;
  readonly entity: DisplacedEntity;
  readonly state: 'awaiting' | 'placed';
  /** Seconds since boot when its lifetime was read; absent without a lifetime, or if the time was unknown. */
  readonly takenAt?: number;
}

/** A static entry that ovn-uplinks added to the MAC learning table of a bridge. */
export interface OwnFdbEntry extends FdbEntry {
  readonly kind: 'fdb-entry';
}

export type LedgerEntry = UnsignedVrf | Membership | ChangedSysctl | OwnAddress | OwnFdbEntry | Displaced;

/** The device of an entry, or the bridge. */
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
  /** The version of the file that it was read from, if newer, else that of this program. */
  readonly version: number;
  /** In the order of their keys, which are unique. */
  readonly entries: readonly LedgerEntry[];
  /** Entries of a newer version, which are kept unchanged. */
  readonly unknown: readonly unknown[];
  /** Why the file could not be used; absent if it could. */
  readonly problem?: string;
}

/** The ledger of a node that ovn-uplinks has not changed. */
export const emptyLedger: Ledger = { version: LEDGER_VERSION, entries: [], unknown: [] };

/** Whether two ledgers are equal. */
export function isSameLedger(one: Ledger, other: Ledger): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether two ledgers are equal apart from the time that has passed. */
export function isSameButForTime(one: Ledger, other: Ledger): boolean {
  if (one === other) return true;
  const [{ entries: ours, ...others }, { entries: theirs, ...theirOthers }] = [one, other];
  // Most entries of two ledgers that follow each other are the same objects.
  const isSame = (entry: LedgerEntry, index: number) =>
    entry === theirs[index] || timelessText(entry) === timelessText(theirs[index]);
  return ours.length === theirs.length && ours.every(isSame) && timelessText(others) === timelessText(theirOthers);
}

/** The name by which most entries of a kind differ: the setting, the bridge or the device. */
export function nameOfEntry(entry: LedgerEntry): string {
  return entry.kind === 'sysctl' ? entry.name : deviceOfEntry(entry);
}

const entriesByName = lazyByObject(({ entries }: Ledger) =>
  groupBy(entries, (entry) => `${entry.kind} ${nameOfEntry(entry)}`),
);

/**
 * The entry of a kind and name that satisfies a predicate; the cost does not depend on the size of the ledger.
 *
 * @param name of a sysctl the setting, of an FDB entry the bridge, otherwise the device
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
