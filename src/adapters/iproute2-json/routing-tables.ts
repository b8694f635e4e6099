import type { Table } from '../../domain/snapshot/node-snapshot.ts';

/** Names of the kernel's own tables (rtnetlink.h, enum rt_class_t), as every rt_tables file has them. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['default', 253],
  ['main', 254],
  ['local', 255],
]);

/**
 * A routing table of what ip prints: a number in a string, or without -N perhaps a name; main where there is none. A name that the
 * machine's rt_tables file gave to another table stays a name: which number it has, only that file knows.
 */
export function routingTable(printed = 'main'): Table {
  return /^\d+$/.test(printed) ? Number(printed) : (NUMBERS.get(printed) ?? printed);
}
