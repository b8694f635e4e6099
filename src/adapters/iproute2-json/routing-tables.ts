/** Names of the kernel's own tables (rtnetlink.h, enum rt_class_t), as every rt_tables file has them. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['default', 253],
  ['main', 254],
  ['local', 255],
]);

/**
 * The number of a routing table as ip prints it: a number in a string, or a name; main where there is none.
 *
 * @returns absent for a name that the machine's rt_tables file gave to another table: which one, only that file knows
 */
export function routingTableNumber(printed = 'main'): number | undefined {
  return /^\d+$/.test(printed) ? Number(printed) : NUMBERS.get(printed);
}
