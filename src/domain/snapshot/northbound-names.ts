import type { ColumnValue, UnnamedTable } from './northbound-row.ts';

type Columns = Readonly<Record<string, ColumnValue>>;

/** A column by which OVN tells rows apart, and the text that stands for its value in the name of a row; absent where it makes no difference. */
type Part = readonly [column: string, text: string | undefined];

function text(columns: Columns, column: string): string | undefined {
  const value = columns[column];
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? undefined : String(value);
}

/** By what OVN tells the rows apart that one router has, or in a table that is a root all of them (ovn-nbctl(8), lr-route-add, lr-policy-add, lr-nat-add). */
function partsOf(table: UnnamedTable, columns: Columns): readonly Part[] {
  const part = (column: string): Part => [column, text(columns, column)];
  switch (table) {
    case 'Logical_Router_Static_Route':
      return [
        ['policy', text(columns, 'policy') ?? 'dst-ip'],
        part('ip_prefix'),
        part('nexthop'),
        // Empty for the main one.
        part('route_table'),
      ];
    case 'Logical_Router_Policy':
      return [part('priority'), part('match')];
    case 'NAT':
      return [part('type'), part(columns['type'] === 'snat' ? 'logical_ip' : 'external_ip')];
    case 'Static_MAC_Binding':
      return [part('logical_port'), part('ip')];
  }
}

/**
 * The name of a row whose table has no column for one: the name of the router that refers to it, and the columns that OVN tells such rows apart by.
 *
 * @param router absent for rows that nothing refers to
 */
export function nameOfUnnamed(table: UnnamedTable, columns: Columns, router?: string): string {
  const texts = partsOf(table, columns).flatMap(([, each]) => each ?? []);
  return [...(router === undefined ? [] : [router]), ...texts].join(' ');
}

/** Those columns of a row that such a name is made from. */
export function identifyingColumns(table: UnnamedTable, columns: Columns): Columns {
  const parts = partsOf(table, columns).flatMap(([column]) => {
    const value = columns[column];
    return value === undefined ? [] : [[column, value] as const];
  });
  return Object.fromEntries(parts);
}
