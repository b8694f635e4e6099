/**
 * What forwards packets on a node besides the kernel: flows and settings of Open vSwitch's bridges, and rows of OVN's Northbound database.
 */
import type { FlowEntry } from '../openflow/flow-entry.ts';
import type { NorthboundRow } from './northbound-row.ts';

/**
 * One flow of a bridge. Match and actions name ports as OVSDB does, and a port that has no name by its number; `LOCAL` is the bridge's own.
 */
export type BridgeFlow = Pick<FlowEntry, 'cookie' | 'table' | 'priority' | 'match' | 'actions'> & {
  readonly bridge: string;
};

/** A static entry of a bridge's MAC learning table (ovs-vswitchd(8), fdb/add). */
export interface FdbEntry {
  readonly bridge: string;
  /** Name of the port; the bridge's own goes by the bridge's name. */
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

/** The part of a node snapshot that is read from switches and from OVN. */
export interface DatapathSnapshot {
  /** Flows of the bridges that may be uplinks, whoever added them. */
  readonly flows: readonly BridgeFlow[];
  readonly fdbEntries: readonly FdbEntry[];
  readonly noFloodPorts: readonly NoFloodPort[];
  /**
   * Bridges of which nothing can be read or changed at present, by name, as ovs-vswitchd does not run or does not let itself be programmed. Absent where
   * there are none.
   */
  readonly bridgesWithoutSwitch?: readonly string[];
  /** Rows of the tables that ovn-uplinks writes to, whoever added them. */
  readonly northbound: readonly NorthboundRow[];
  /** Whether the Northbound database was read; absent where it was not, so that nothing follows from a row that is missing. */
  readonly isNorthboundRead?: true;
  /** Whether the Northbound database cannot be read at present: its rows are those that were read last. Absent where it can. */
  readonly isNorthboundOutdated?: true;
  /**
   * Which tables and columns of `northbound` the database does not have, as it is of an older version of OVN: `Static_MAC_Binding` for a whole table,
   * `NAT.match` for a column. Absent where there are none.
   */
  readonly missingNorthboundColumns?: readonly string[];
}
