/** The part of a node that forwards packets besides the kernel: flows and settings of Open vSwitch's bridges, and rows of OVN's Northbound database. */
import type { FlowEntry } from '../datapath/openflow/flow-entry.ts';
import type { Chassis, RemotePort } from './chassis.ts';
import type { NorthboundRow } from '../datapath/northbound/row.ts';

/** A flow of a bridge. Match and actions name ports as OVSDB does, and use numbers for ports without a name; `LOCAL` is the bridge's own. */
export type BridgeFlow = Pick<FlowEntry, 'cookie' | 'table' | 'priority' | 'match' | 'actions'> & {
  readonly bridge: string;
};

/** A static entry of a bridge's MAC learning table (ovs-vswitchd(8), fdb/add). */
export interface FdbEntry {
  readonly bridge: string;
  /** Name of the port; the bridge's own port has the name of the bridge. */
  readonly port: string;
  /** 0 for untagged frames. */
  readonly vlan: number;
  readonly macAddress: string;
}

/** A port that the bridge does not flood packets to (ovs-ofctl(8), no-flood). */
export interface NoFloodPort {
  readonly bridge: string;
  /** Name of the interface. */
  readonly port: string;
}

/** A table of nftables of ovn-uplinks that filters packets (nft(8)). */
export interface FilterTable {
  readonly name: string;
  /** The elements of its sets, by their names, each in order: addresses, subnets, devices; parts of one are separated by ` . `. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** Whether its chains and sets are as this version makes them, whatever elements the sets have. */
  readonly isIntact: boolean;
}

/**
 * A chain of another program that drops what passes the node and no rule of it accepts: a base chain of nftables at hook forward. Or one that may do so:
 * chains of iptables-legacy cannot be read.
 */
export interface ForwardDrop {
  readonly family: string;
  readonly table: string;
  readonly chain: string;
  /** Present where it is one of iptables-legacy, of which only the table is known. */
  readonly isLegacy?: true;
}

/** The part of a node snapshot that is read from nftables, and from the names of the tables of iptables-legacy. */
export interface PacketFilterSnapshot {
  readonly filterTables: readonly FilterTable[];
  readonly forwardDrops: readonly ForwardDrop[];
}

/** The part of a node snapshot that is read from switches and from OVN. */
export interface DatapathSnapshot extends PacketFilterSnapshot {
  /** Flows of the bridges that may be uplinks, including those of other programs. */
  readonly flows: readonly BridgeFlow[];
  readonly fdbEntries: readonly FdbEntry[];
  readonly noFloodPorts: readonly NoFloodPort[];
  /** Bridges that cannot be read or changed at present, by name: ovs-vswitchd does not run or refuses OpenFlow connections. Absent for none. */
  readonly bridgesWithoutSwitch?: readonly string[];
  /** Rows of the tables that ovn-uplinks writes to, including those of other programs. */
  readonly northbound: readonly NorthboundRow[];
  /** The chassis in OVN's Southbound database, including those of other programs. */
  readonly chassis: readonly Chassis[];
  /** The ports of other nodes there that are bound to a chassis, including those of other programs. */
  readonly remotePorts: readonly RemotePort[];
  /** Present if the Northbound database was read. Otherwise nothing follows from a missing row. */
  readonly isNorthboundRead?: true;
  /** Present if the Northbound database cannot be read at present: its rows are those that were read last. */
  readonly isNorthboundOutdated?: true;
  /** Present if the Southbound database cannot be read at present: its chassis and ports are those that were read last. */
  readonly isSouthboundOutdated?: true;
  /** Tables and columns that the Northbound database lacks because OVN is older, such as `Static_MAC_Binding` and `NAT.match`. Absent for none. */
  readonly missingNorthboundColumns?: readonly string[];
}
