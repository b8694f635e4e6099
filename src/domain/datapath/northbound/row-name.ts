import { type Columns, type NorthboundTable, type NorthboundTables, northboundTables } from './tables.ts';

/** The columns that identify rows of a table, with their texts; none where column `name` does. */
function identifying(table: NorthboundTable, columns: Columns, tables: NorthboundTables) {
  const { identity } = tables[table];
  return identity === 'name' ? [] : identity(columns);
}

/**
 * The name of a row in a table without names: the name of the row that it is part of, and the columns that identify such rows.
 *
 * @param parent name of the first one in the order of keys; absent for rows that are part of none
 */
export function nameOfUnnamed(
  table: NorthboundTable,
  columns: Columns,
  parent?: string,
  tables: NorthboundTables = northboundTables,
): string {
  const texts = identifying(table, columns, tables).flatMap(([, text]) => text ?? []);
  return [...(parent === undefined ? [] : [parent]), ...texts].join(' ');
}

/** The columns of a row that its name consists of. */
export function identifyingColumns(
  table: NorthboundTable,
  columns: Columns,
  tables: NorthboundTables = northboundTables,
): Columns {
  const parts = identifying(table, columns, tables).flatMap(([column]) => {
    const value = columns[column];
    return value === undefined ? [] : [[column, value] as const];
  });
  return Object.fromEntries(parts);
}
