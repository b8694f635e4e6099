/**
 * The parts of a node that are read one by one, so that an observation costs what has changed.
 */
import type { PortName } from '../../../domain/entities/entity-kind.ts';
import type { DatapathSnapshot, PacketFilterSnapshot } from '../../../domain/snapshot/datapath.ts';
import type { Ledger } from '../../../domain/snapshot/ledger.ts';
import type { FlowSnapshot } from '../../../ports/node/flow-tables.ts';
import type { HostSnapshot } from '../../../ports/node/host-network.ts';
import type { KernelSnapshot } from '../../../ports/node/kernel-settings.ts';
import type { NorthboundSnapshot } from '../../../ports/node/northbound.ts';
import type { SouthboundSnapshot } from '../../../ports/node/southbound.ts';
import type { SwitchSnapshot } from '../../../ports/node/switch-database.ts';

/** A node in parts, by the ports that they are read from. */
export interface NodeParts extends Readonly<Record<PortName, object>> {
  readonly hostNetwork: HostSnapshot;
  readonly kernelSettings: KernelSnapshot;
  readonly switchDatabase: SwitchSnapshot;
  readonly flowTables: FlowSnapshot;
  /** With rows that were read before where they cannot be read at present. */
  readonly northbound: NorthboundSnapshot & Pick<DatapathSnapshot, 'isNorthboundOutdated'>;
  /** The devices whose settings are among the kernel's settings. */
  readonly devicesWithSettings: ReadonlySet<string>;
  /** With chassis that were read before, likewise. */
  readonly southbound: SouthboundSnapshot & Pick<DatapathSnapshot, 'isSouthboundOutdated'>;
  /** With tables that were read before where they cannot be read at present. */
  readonly packetFilters: PacketFilterSnapshot;
}

/** A part of a node, or the neighbours in one, which change most. */
export type NodePart = PortName | 'neighbours';

export const everyPart: ReadonlySet<NodePart> = new Set<NodePart>([
  'hostNetwork',
  'kernelSettings',
  'switchDatabase',
  'flowTables',
  'northbound',
  'southbound',
  'packetFilters',
]);

/**
 * The parts to read after a change of one. The kernel changes settings without notice when devices come and go; and what Open vSwitch's database says
 * of a bridge belongs to its devices and flows of the same time.
 */
const readWith: Readonly<Record<NodePart, readonly NodePart[]>> = {
  neighbours: ['neighbours'],
  hostNetwork: ['hostNetwork', 'kernelSettings'],
  kernelSettings: ['hostNetwork', 'kernelSettings'],
  switchDatabase: ['hostNetwork', 'kernelSettings', 'switchDatabase', 'flowTables'],
  flowTables: ['flowTables'],
  northbound: ['northbound'],
  southbound: ['southbound'],
  packetFilters: ['packetFilters'],
};

/** The outdated parts after another one has changed. */
export function outdatedBy(part: NodePart, outdated: ReadonlySet<NodePart>): ReadonlySet<NodePart> {
  return readWith[part].every((each) => outdated.has(each)) ? outdated : new Set([...outdated, ...readWith[part]]);
}

/** The outdated parts after an operation through a port: OVN adds and removes ports of bridges as its database says. */
export function outdatedByOperation(port: PortName, outdated: ReadonlySet<NodePart>): ReadonlySet<NodePart> {
  const changed = outdatedBy(port, outdated);
  return port === 'northbound' ? outdatedBy('switchDatabase', changed) : changed;
}

/** The parts to read: those that are outdated, or all where the lifetime of something that has to be restored runs on. */
export function partsToRead(outdated: ReadonlySet<NodePart>, ledger: Ledger | undefined): ReadonlySet<NodePart> {
  const isTimed = ledger?.entries.some((entry) => entry.kind === 'displaced' && entry.takenAt !== undefined);
  return isTimed === true ? everyPart : outdated;
}
