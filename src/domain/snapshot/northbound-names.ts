import type { Columns, UnnamedTable } from './northbound-row.ts';

/** A column that identifies rows, and the text for its value in the name of a row; absent if it makes no difference. */
type Part = readonly [column: string, text: string | undefined];

function text(columns: Columns, column: string): string | undefined {
  const value = columns[column];
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? undefined : String(value);
}

/** The columns that identify rows of one router, or of a root table (ovn-nbctl(8), lr-route-add, lr-policy-add, lr-nat-add). */
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
 * The name of a row in a table without names: the name of the router that refers to it, and the columns that identify such rows.
 *
 * @param router absent for rows without a reference
 */
export function nameOfUnnamed(table: UnnamedTable, columns: Columns, router?: string): string {
  const texts = partsOf(table, columns).flatMap(([, each]) => each ?? []);
  return [...(router === undefined ? [] : [router]), ...texts].join(' ');
}

/** The columns of a row that its name consists of. */
export function identifyingColumns(table: UnnamedTable, columns: Columns): Columns {
  const parts = partsOf(table, columns).flatMap(([column]) => {
    const value = columns[column];
    return value === undefined ? [] : [[column, value] as const];
  });
  return Object.fromEntries(parts);
}
