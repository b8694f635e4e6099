/**
 * Rows of OVN's Northbound database in the notation of RFC 7047, 5.1.
 */
import {
  type ColumnValue,
  isNamed,
  type NamedReference,
  namedReferences,
  type NorthboundRow,
  ROW_OWNER_KEY,
  unsignedTables,
  ZONE_ROW_OWNER_KEY,
} from '../snapshot/northbound-row.ts';

function isList(value: ColumnValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Whether a value is a map. */
export function isMap(value: ColumnValue): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && !isList(value);
}

/** A value of a column. */
export function encoded(value: ColumnValue): unknown {
  if (typeof value !== 'object') return value;
  return isList(value) ? ['set', value] : ['map', Object.entries(value)];
}

/** The external_ids of a row, with its signature; undefined if the table has no such column. */
export function externalIdsOf({
  table,
  network,
  isOfZone,
  externalIds = {},
}: NorthboundRow): Readonly<Record<string, string>> | undefined {
  if (unsignedTables.has(table)) return undefined;
  const key = isOfZone === true ? ZONE_ROW_OWNER_KEY : ROW_OWNER_KEY;
  return { ...externalIds, ...(network !== undefined && { [key]: network }) };
}

/** The reference to a row that is known by its name. */
export type EncodeReference = (row: NamedReference) => readonly ['uuid' | 'named-uuid', string];

/** Some columns of a row. */
export function encodedColumns(
  { table }: Pick<NorthboundRow, 'table'>,
  columns: NorthboundRow['columns'],
  reference: EncodeReference,
): Readonly<Record<string, unknown>> {
  const referenced = namedReferences[table] ?? {};
  const entries = Object.entries(columns).map(([column, value]) => {
    const other = referenced[column];
    const isReference = other !== undefined && typeof value === 'string';
    return [column, isReference ? reference({ table: other, name: value, column }) : encoded(value)] as const;
  });
  return Object.fromEntries(entries);
}

/** All columns of a row, with its name, if it has one, and its external_ids. */
export function encodedRow(row: NorthboundRow, reference: EncodeReference): Readonly<Record<string, unknown>> {
  const externalIds = externalIdsOf(row);
  return {
    ...(isNamed(row.table) && { name: row.name }),
    ...encodedColumns(row, row.columns, reference),
    ...(externalIds && { external_ids: encoded(externalIds) }),
  };
}
