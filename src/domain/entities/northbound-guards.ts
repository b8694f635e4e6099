/**
 * What must still hold of the Northbound database for a transaction to be made (RFC 7047, 5.2.6): other programs change rows too, and what was
 * decided on the rows as they were read may be wrong of the rows as they are.
 */
import { lazyByObject } from '../lazy.ts';
import { identifyingColumns } from '../snapshot/northbound-names.ts';
import {
  type ColumnValue,
  isNamed,
  type NorthboundParent,
  type NorthboundRow,
  type NorthboundTable,
} from '../snapshot/northbound-row.ts';
import { encoded, encodedRow, type EncodeReference } from './northbound-encoding.ts';

/** An operation of a transaction (RFC 7047, 5.2). */
export type DatabaseOperation = Readonly<Record<string, unknown>>;

type Columns = Readonly<Record<string, ColumnValue>>;

/** Waits for no time at all until the rows that fulfil a condition are some. */
function wait(
  table: NorthboundTable,
  where: readonly (readonly unknown[])[],
  columns: readonly string[],
  rows: readonly DatabaseOperation[],
): DatabaseOperation {
  return { op: 'wait', table, timeout: 0, where, columns, until: '==', rows };
}

/** That a row is as it was read. */
export function unchangedRow(row: NorthboundRow, uuid: string, reference: EncodeReference): DatabaseOperation {
  const values = encodedRow(row, reference);
  return wait(row.table, [['_uuid', '==', ['uuid', uuid]]], Object.keys(values), [values]);
}

/** That the row that others are to be added to is there, and still bears its name. */
export function presentParent({ table, name }: NorthboundParent, uuid: string | undefined): DatabaseOperation {
  const where = uuid === undefined ? ['name', '==', name] : ['_uuid', '==', ['uuid', uuid]];
  return wait(table, [where], ['name'], [{ name }]);
}

const tableRows = lazyByObject((rows: readonly NorthboundRow[]) => Map.groupBy(rows, ({ table }) => table));

/** By what rows are found that may be the same as one. */
function keysOf({ table, name, columns }: NorthboundRow): Columns {
  return isNamed(table) ? { name } : identifyingColumns(table, columns);
}

/** That no row has been added that is the same as one which is to be: those with its columns, on whatever router, are those that were read. */
export function nothingAdded(row: NorthboundRow, rows: readonly NorthboundRow[]): DatabaseOperation {
  const { table } = row;
  const keys = Object.entries(keysOf(row));
  const isAlike = (other: NorthboundRow) =>
    keys.every(([column, value]) => (isNamed(table) ? other.name : other.columns[column]) === value);
  const alike = (tableRows(rows).get(table) ?? []).filter(isAlike).flatMap(({ uuid }) => uuid ?? []);
  const where = keys.map(([column, value]) => [column, '==', encoded(value)]);
  return wait(
    table,
    where,
    ['_uuid'],
    alike.map((uuid) => ({ _uuid: ['uuid', uuid] })),
  );
}
