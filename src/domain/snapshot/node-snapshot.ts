/**
 * What one node looks like at one moment: the parts that it consists of, and what this project has written down about its own changes. A list's
 * order means nothing.
 */
import type { DatapathSnapshot } from './datapath.ts';
import type { Ledger } from './ledger.ts';
import type { Bridge, DevlinkPort, Link, Neighbour, NeighbourProxy, NextHopObject, Route, Rule } from './node-parts.ts';

export type * from './node-parts.ts';

/** One node, whole. It is never changed once it is made: what follows from it is remembered with it. */
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
  /** What this project has written down about changes that the kernel has no place to sign. */
  readonly ledger: Ledger;
  /** The kernel's name of this boot (random(4), boot_id); absent where it was not read. */
  readonly bootId?: string;
  /** Seconds since this boot, which lifetimes are counted by; absent where they were not read. */
  readonly uptimeSeconds?: number;
}
