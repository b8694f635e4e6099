/**
 * Conditions of a transaction on the Northbound database (RFC 7047, 5.2.6): it was decided on rows as they were read, and other programs may have
 * changed them.
 */
import { groupBy } from '../../basics/names/grouping.ts';
import { lazyByObjectAndKey } from '../../basics/incremental/by-identity.ts';
import { identifyingColumns } from '../northbound/row-name.ts';
import type { NorthboundParent, NorthboundRow } from '../northbound/row.ts';
import {
  type Columns,
  isNamed,
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
} from '../northbound/tables.ts';
import type { DatabaseOperation } from './database-operation.ts';
import { encoded, encodedRow, type EncodeReference } from './row-encoding.ts';

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
export function unchangedRow(
  row: NorthboundRow,
  uuid: string,
  reference: EncodeReference,
  tables: NorthboundTables = northboundTables,
): DatabaseOperation {
  const values = encodedRow(row, reference, tables);
  return wait(row.table, [['_uuid', '==', ['uuid', uuid]]], Object.keys(values), [values]);
}

/** Requires that the row that refers to an added one exists and has the same name. */
export function presentParent({ table, name }: NorthboundParent, uuid: string | undefined): DatabaseOperation {
  const where = uuid === undefined ? ['name', '==', name] : ['_uuid', '==', ['uuid', uuid]];
  return wait(table, [where], ['name'], [{ name }]);
}

/** A table and some of its columns, and the values of these in a row, as texts. */
const columnsKey = (table: NorthboundTable, columns: readonly string[]) => JSON.stringify([table, ...columns]);
const valuesKey = (values: readonly unknown[]) => JSON.stringify(values);

/** The rows of a table by the values of some columns: a network on thousands of nodes has tens of thousands of rows. */
const rowsByValues = lazyByObjectAndKey(
  (rows: readonly NorthboundRow[], key: string): ReadonlyMap<string, readonly NorthboundRow[]> => {
    const [table, ...columns] = JSON.parse(key) as [NorthboundTable, ...string[]];
    const valueOf = (row: NorthboundRow, column: string) => (column === 'name' ? row.name : row.columns[column]);
    return groupBy(
      rows.filter((row) => row.table === table),
      (row) => valuesKey(columns.map((column) => valueOf(row, column))),
    );
  },
);

/** The columns by which equal rows are found. */
function keysOf({ table, name, columns }: NorthboundRow, tables: NorthboundTables): Columns {
  return isNamed(table, tables) ? { name } : identifyingColumns(table, columns, tables);
}

/** Requires that no other program has added a row equal to one that is added: the rows with its columns, on any router, are those that were read. */
export function nothingAdded(
  row: NorthboundRow,
  rows: readonly NorthboundRow[],
  tables: NorthboundTables = northboundTables,
): DatabaseOperation {
  const { table } = row;
  const keys = Object.entries(keysOf(row, tables));
  const ofTable = rowsByValues(
    rows,
    columnsKey(
      table,
      keys.map(([column]) => column),
    ),
  );
  const alike = (ofTable.get(valuesKey(keys.map(([, value]) => value))) ?? []).flatMap(({ uuid }) => uuid ?? []);
  const where = keys.map(([column, value]) => [column, '==', encoded(value)]);
  return wait(
    table,
    where,
    ['_uuid'],
    alike.map((uuid) => ({ _uuid: ['uuid', uuid] })),
  );
}
