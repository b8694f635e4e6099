/**
 * What becomes of rows where the Northbound database is of an older version of OVN, which has no such table or column.
 */
import type { ColumnValue, NorthboundRow } from '../../snapshot/northbound-row.ts';

type Columns = Readonly<Record<string, ColumnValue>>;

/** The rows without what the database does not have. */
export function withoutMissing(rows: readonly NorthboundRow[], missing: readonly string[]): readonly NorthboundRow[] {
  if (missing.length === 0) return rows;
  const isMissing = new Set(missing);
  return rows.flatMap((row) => {
    const { table, columns, initial } = row;
    if (isMissing.has(table)) return [];
    const present = (all: Columns) =>
      Object.fromEntries(Object.entries(all).filter(([column]) => !isMissing.has(`${table}.${column}`)));
    return [{ ...row, columns: present(columns), ...(initial && { initial: present(initial) }) }];
  });
}
