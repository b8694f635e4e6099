/**
 * Rows of OVN's Northbound database (ovn-nb(5)).
 */
import {
  type Columns,
  type ColumnValue,
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
} from './tables.ts';

/** A row that others are part of, and its column with the references to them. */
export interface NorthboundParent {
  readonly table: NorthboundTable;
  readonly name: string;
  readonly column: string;
}

/** A row that another one refers to, and the column of the other one with the reference. */
export interface NamedReference {
  readonly table: NorthboundTable;
  readonly name: string;
  readonly column: string;
  readonly isWeak: boolean;
}

/** A row, as found or as desired. */
export interface NorthboundRow {
  readonly table: NorthboundTable;
  /** Its UUID; absent for a desired row. */
  readonly uuid?: string;
  /** Identifies it in its table: its name, or in tables without names that of `nameOfUnnamed`. */
  readonly name: string;
  /**
   * The name in OVN of the network that it belongs to, from its signature in external_ids or, in tables without external_ids, from the router port
   * that it refers to. Absent for unmanaged rows.
   */
  readonly network?: string;
  /** Present if it is part of a network that ovn-uplinks provides. Otherwise a managed row belongs to the gateway router of its network. */
  readonly isOfZone?: true;
  /** Its columns without external_ids; an empty set for no value. Only the columns of the desired row are compared. */
  readonly columns: Columns;
  /** Further columns that it is inserted with, and that are changed later. */
  readonly initial?: Columns;
  /** The keys of its external_ids that are compared, without the signature. */
  readonly externalIds?: Readonly<Record<string, string>>;
  /**
   * The rows that it is part of, which refer to it, in the order of their keys; absent for none. The database deletes it with the last of them, unless its
   * table is a root.
   */
  readonly parents?: readonly NorthboundParent[];
  /** Present if OVN has not confirmed the last change of it: it is made again, and confirmed then, before the row is as desired. */
  readonly isUnconfirmed?: true;
  /** Likewise, for a router port that is opened. */
  readonly isOpeningUnconfirmed?: true;
}

/** external_ids key of the rows of gateway routers; the value is the network's name in OVN (docs/design/ownership.md, "Three rules"). */
export const GATEWAY_ROW_OWNER_KEY = 'ovn-uplinks-network';

/** external_ids key of the rows of networks that ovn-uplinks provides; the value is the network's name in OVN. */
export const LOGICAL_NETWORK_ROW_OWNER_KEY = 'ovn-uplinks-zone';

/** A key of a reference to a part. */
export function parentKey(parent: NorthboundParent): string {
  return `${rowKey(parent)} ${parent.column}`;
}

/** Whether a row is part of another one of that name. */
export function isPartOf({ parents = [] }: NorthboundRow, name: string): boolean {
  return parents.some((parent) => parent.name === name);
}

/** A key of a row, unique in the database. */
export function rowKey({ table, name }: Pick<NorthboundRow, 'table' | 'name'>): string {
  return `${table} ${name}`;
}

/** Whether two rows have the same key. */
export function isSameRow(
  left: Pick<NorthboundRow, 'table' | 'name'>,
  right: Pick<NorthboundRow, 'table' | 'name'>,
): boolean {
  return left.name === right.name && left.table === right.table;
}

/** Names of the rows that a column refers to. */
function namesIn(value: ColumnValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return isList(value) ? value : [];
}

/** Whether a value is a set. */
export function isList(value: ColumnValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

/** Whether a value is a map. */
export function isMap(value: ColumnValue | undefined): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && !isList(value);
}

/** The rows that a row refers to, by name, and the columns with the references. */
export function referencedRows(
  { table, columns }: Pick<NorthboundRow, 'table' | 'columns'>,
  tables: NorthboundTables = northboundTables,
): readonly NamedReference[] {
  return Object.entries(tables[table].references).flatMap(([column, { table: referenced, isWeak = false }]) =>
    namesIn(columns[column]).map((name) => ({ table: referenced, name, column, isWeak })),
  );
}
