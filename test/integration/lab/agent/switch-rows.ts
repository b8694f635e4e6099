import type { LabNode } from '../node.ts';

/**
 * Columns that a switch fills in over time from the kernel's state of a device, which snapshots contain too, and those that count writes.
 */
const VOLATILE = [
  ...['statistics', 'status', 'ifindex', 'link_resets', 'link_state', 'admin_state'],
  ...['link_speed', 'duplex', 'mtu', 'mac_in_use'],
  ...['cur_cfg', 'next_cfg'],
];

/** A table as printed by `ovsdb-client --format=json dump`. */
interface Table {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly data: readonly (readonly unknown[])[];
}

/** All rows of a node's switch database as lines, without what changes by itself. */
export async function switchRows(node: LabNode): Promise<readonly string[]> {
  const dump = await node.does(['ovsdb-client', '--format=json', 'dump', 'Open_vSwitch']);
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
