/** One node at one moment: its parts, and the ledger. The order of lists has no meaning. */
import type { DatapathSnapshot } from './datapath.ts';
import type { Ledger } from './ledger.ts';
import type { Bridge, DevlinkPort, Link, Neighbour, NeighbourProxy, NextHopObject, Route, Rule } from './node-parts.ts';

export type * from './node-parts.ts';

/** A whole node. It must not be changed: values derived from it are cached. */
export interface NodeSnapshot extends DatapathSnapshot {
  /** Name of the Node object. */
  readonly nodeName: string;
  readonly links: readonly Link[];
  readonly routes: readonly Route[];
  readonly nextHopObjects: readonly NextHopObject[];
  readonly rules: readonly Rule[];
  readonly neighbours: readonly Neighbour[];
  readonly neighbourProxies: readonly NeighbourProxy[];
  /** external_ids of the Open_vSwitch row. */
  readonly switchExternalIds: Readonly<Record<string, string>>;
  readonly bridges: readonly Bridge[];
  readonly devlinkPorts: readonly DevlinkPort[];
  /**
   * Kernel settings by their dotted names, such as `net.ipv4.tcp_l3mdev_accept`, where they were read; a dot within a part is a slash, as
   * sysctl(8) prints it.
   */
  readonly sysctls: Readonly<Record<string, string>>;
  /** Changes that cannot be signed on the node. */
  readonly ledger: Ledger;
  /** The boot id (random(4), boot_id); absent if not read. */
  readonly bootId?: string;
  /** The kernel’s release (uname(2)), such as `6.1.0-18-amd64`; absent if not read. */
  readonly kernelRelease?: string;
  /** The version of Open vSwitch (ovs-vswitchd.conf.db(5), Open_vSwitch, ovs_version); absent if its database does not say it. */
  readonly openVSwitchVersion?: string;
  /** Seconds since boot, as lifetimes are counted; absent if not read. */
  readonly uptimeSeconds?: number;
}
