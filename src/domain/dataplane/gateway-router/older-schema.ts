/** Rows for the Northbound database of an older version of OVN, which lacks some tables or columns. */
import { type NorthboundRow, referencedRows } from '../../datapath/northbound/row.ts';
import type { Columns } from '../../datapath/northbound/tables.ts';

/**
 * The rows without the tables and columns that the database lacks. A row is left out if it lacks the column by which it refers to another: without
 * it, a translation towards some addresses would be one towards all.
 */
export function withoutMissing(rows: readonly NorthboundRow[], missing: readonly string[]): readonly NorthboundRow[] {
  if (missing.length === 0) return rows;
  const isMissing = new Set(missing);
  return rows.flatMap((row) => {
    const { table, columns, initial } = row;
    const isLimited = referencedRows(row).every(
      (other) => !isMissing.has(other.table) && !isMissing.has(`${table}.${other.column}`),
    );
    if (isMissing.has(table) || !isLimited) return [];
    const present = (all: Columns) =>
      Object.fromEntries(Object.entries(all).filter(([column]) => !isMissing.has(`${table}.${column}`)));
    return [{ ...row, columns: present(columns), ...(initial && { initial: present(initial) }) }];
  });
}
