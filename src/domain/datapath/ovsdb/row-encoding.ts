/**
 * Rows of OVN's Northbound database in the notation of RFC 7047, 5.1.
 */
import {
  isList,
  type NamedReference,
  type NorthboundRow,
  GATEWAY_ROW_OWNER_KEY,
  LOGICAL_NETWORK_ROW_OWNER_KEY,
} from '../northbound/row.ts';
import {
  type Columns,
  type ColumnValue,
  isNamed,
  type NorthboundTables,
  northboundTables,
} from '../northbound/tables.ts';

/** A value of a column. */
export function encoded(value: ColumnValue): unknown {
  if (typeof value !== 'object') return value;
  return isList(value) ? ['set', value] : ['map', Object.entries(value)];
}

/** The external_ids of a row, with its signature; undefined if the table has no such column. */
export function externalIdsOf(
  { table, network, isOfZone, externalIds = {} }: NorthboundRow,
  tables: NorthboundTables = northboundTables,
): Readonly<Record<string, string>> | undefined {
  if (tables[table].ownedThrough !== undefined) return undefined;
  const key = isOfZone === true ? LOGICAL_NETWORK_ROW_OWNER_KEY : GATEWAY_ROW_OWNER_KEY;
  return { ...externalIds, ...(network !== undefined && { [key]: network }) };
}

/** The reference to a row that is known by its name. */
export type EncodeReference = (row: NamedReference) => readonly ['uuid' | 'named-uuid', string];

/** Some columns of a row. */
export function encodedColumns(
  { table }: Pick<NorthboundRow, 'table'>,
  columns: Columns,
  reference: EncodeReference,
  tables: NorthboundTables = northboundTables,
): Readonly<Record<string, unknown>> {
  const { references } = tables[table];
  const entries = Object.entries(columns).map(([column, value]) => {
    const referenced = references[column];
    if (referenced === undefined || (typeof value !== 'string' && !isList(value))) return [column, encoded(value)];
    const { table: to, isWeak = false } = referenced;
    const encodedReference = (name: string) => reference({ table: to, name, column, isWeak });
    return [column, typeof value === 'string' ? encodedReference(value) : ['set', value.map(encodedReference)]];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** All columns of a row, with its name, if it has one, and its external_ids. */
export function encodedRow(
  row: NorthboundRow,
  reference: EncodeReference,
  tables: NorthboundTables = northboundTables,
): Readonly<Record<string, unknown>> {
  const externalIds = externalIdsOf(row, tables);
  return {
    ...(isNamed(row.table, tables) && { name: row.name }),
    ...encodedColumns(row, row.columns, reference, tables),
    ...(externalIds && { external_ids: encoded(externalIds) }),
  };
}
