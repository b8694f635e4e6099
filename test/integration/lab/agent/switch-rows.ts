import type { LabNode } from '../node.ts';

/**
 * Columns that a switch fills in over time from the kernel's state of a device, which snapshots contain too, and those that count writes, in OVN with
 * the time.
 */
const VOLATILE = [
  ...['statistics', 'status', 'ifindex', 'link_resets', 'link_state', 'admin_state'],
  ...['link_speed', 'duplex', 'mtu', 'mac_in_use'],
  ...['cur_cfg', 'next_cfg'],
  ...['nb_cfg', 'sb_cfg', 'hv_cfg', 'nb_cfg_timestamp', 'sb_cfg_timestamp', 'hv_cfg_timestamp'],
];

/** A table as printed by `ovsdb-client --format=json dump`. */
interface Table {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly data: readonly (readonly unknown[])[];
}

/** All rows of a node's switch database as lines, without what changes by itself. */
export function switchRows(node: LabNode): Promise<readonly string[]> {
  return databaseRows(node, 'Open_vSwitch');
}

/**
 * All rows of any database as lines, without what changes by itself.
 *
 * @param words address and name of the database, or the name of one of the node's Open vSwitch
 */
export async function databaseRows(node: LabNode, ...words: readonly string[]): Promise<readonly string[]> {
  const dump = await node.does(['ovsdb-client', '--format=json', 'dump', ...words]);
  return dump
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { caption, headings, data } = JSON.parse(line) as Table;
      const entries = data.map((row) => headings.map((heading, index) => [heading, row[index]] as const));
      return entries.map((row) => {
        const stable = row.filter(([heading]) => !VOLATILE.includes(heading));
        return `${caption} ${JSON.stringify(Object.fromEntries(stable))}`;
      });
    })
    .sort();
}
