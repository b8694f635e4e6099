/**
 * Conditions of a transaction on the Northbound database (RFC 7047, 5.2.6): it was decided on rows as they were read, and other programs may have
 * changed them.
 */
import { lazyByObject } from '../lazy.ts';
import { identifyingColumns } from '../snapshot/northbound-names.ts';
import {
  type Columns,
  isNamed,
  type NorthboundParent,
  type NorthboundRow,
  type NorthboundTable,
} from '../snapshot/northbound-row.ts';
import { encoded, encodedRow, type EncodeReference } from './northbound-encoding.ts';

/** An operation of a transaction (RFC 7047, 5.2). */
export type DatabaseOperation = Readonly<Record<string, unknown>>;

/** Requires, without waiting, that the rows that match a condition are the given ones. */
function wait(
  table: NorthboundTable,
  where: readonly (readonly unknown[])[],
  columns: readonly string[],
  rows: readonly DatabaseOperation[],
): DatabaseOperation {
  return { op: 'wait', table, timeout: 0, where, columns, until: '==', rows };
}

/** Requires that a row is as it was read. */
export function unchangedRow(row: NorthboundRow, uuid: string, reference: EncodeReference): DatabaseOperation {
  const values = encodedRow(row, reference);
  return wait(row.table, [['_uuid', '==', ['uuid', uuid]]], Object.keys(values), [values]);
}

/** Requires that the row that refers to an added one exists and has the same name. */
export function presentParent({ table, name }: NorthboundParent, uuid: string | undefined): DatabaseOperation {
  const where = uuid === undefined ? ['name', '==', name] : ['_uuid', '==', ['uuid', uuid]];
  return wait(table, [where], ['name'], [{ name }]);
}

const tableRows = lazyByObject((rows: readonly NorthboundRow[]) => Map.groupBy(rows, ({ table }) => table));

/** The columns by which equal rows are found. */
function keysOf({ table, name, columns }: NorthboundRow): Columns {
  return isNamed(table) ? { name } : identifyingColumns(table, columns);
}

/** Requires that no other program has added a row equal to one that is added: the rows with its columns, on any router, are those that were read. */
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
