import type { LabNode } from '../node.ts';

/** Columns that a switch fills by and by with what the kernel says of a device, which snapshots tell as well, and those that count who has written. */
const VOLATILE = [
  ...['statistics', 'status', 'ifindex', 'link_resets', 'link_state', 'admin_state'],
  ...['link_speed', 'duplex', 'mtu', 'mac_in_use'],
  ...['cur_cfg', 'next_cfg'],
];

/** A table as `ovsdb-client --format=json dump` prints it. */
interface Table {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly data: readonly (readonly unknown[])[];
}

/** Everything that a node's switch database holds, a line for each row, but what changes by itself. */
export async function switchRows(node: LabNode): Promise<readonly string[]> {
  const dump = await node.does(['ovsdb-client', '--format=json', 'dump', 'Open_vSwitch']);
  return dump
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { caption, headings, data } = JSON.parse(line) as Table;
      const entries = data.map((row) => headings.map((heading, index) => [heading, row[index]] as const));
      return entries.map((row) => {
        const lasting = row.filter(([heading]) => !VOLATILE.includes(heading));
        return `${caption} ${JSON.stringify(Object.fromEntries(lasting))}`;
      });
    })
    .sort();
}
