import type { Table } from '../../domain/snapshot/node-snapshot.ts';

/** Names of the kernel's tables (rtnetlink.h, enum rt_class_t), the same in every rt_tables file. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['default', 253],
  ['main', 254],
  ['local', 255],
]);

/**
 * A routing table as ip prints it: a number in a string, or a name without -N; main if absent. A name from the machine's rt_tables file stays a name.
 */
export function routingTable(printed = 'main'): Table {
  return /^\d+$/.test(printed) ? Number(printed) : (NUMBERS.get(printed) ?? printed);
}
