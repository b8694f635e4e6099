/**
 * Rows of OVN's Northbound database (ovn-nb(5)).
 */

/** Tables whose rows are identified by column `name`. */
const namedTables = [
  'Logical_Router',
  'Logical_Switch',
  'Logical_Router_Port',
  'Logical_Switch_Port',
  'Address_Set',
] as const;

/** Tables whose rows have no name. */
const unnamedTables = ['Logical_Router_Static_Route', 'Logical_Router_Policy', 'NAT', 'Static_MAC_Binding'] as const;

/** The tables of managed rows. */
export const northboundTables = [...namedTables, ...unnamedTables] as const;

export type NamedTable = (typeof namedTables)[number];

export type UnnamedTable = (typeof unnamedTables)[number];

export type NorthboundTable = (typeof northboundTables)[number];

/** A value of a column: string, number, boolean, set or map. */
export type ColumnValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Columns of a row, by name. */
export type Columns = Readonly<Record<string, ColumnValue>>;

const named: ReadonlySet<string> = new Set(namedTables);

/** Whether rows of a table are identified by column `name`. */
export function isNamed(table: NorthboundTable): table is NamedTable {
  return named.has(table);
}

/** Columns with at most one reference to a row of a root table; their value here is the name of that row (ovn-nb(5)). */
export const namedReferences: Readonly<Partial<Record<NorthboundTable, Readonly<Record<string, NamedTable>>>>> = {
  NAT: { allowed_ext_ips: 'Address_Set' },
};

const referredTo: ReadonlySet<NorthboundTable> = new Set(
  Object.values(namedReferences).flatMap((references) => Object.values(references)),
);

/** Whether columns of other rows may refer to rows of a table. */
export function isReferredTo(table: NorthboundTable): boolean {
  return referredTo.has(table);
}

/** A row that refers to others, and the column with the reference. */
export interface NorthboundParent {
  readonly table: NorthboundTable;
  readonly name: string;
  readonly column: string;
}

/** A row that another refers to by name. */
export interface NamedReference {
  readonly table: NamedTable;
  readonly name: string;
  readonly column: string;
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
  /** Present if it is part of a network that ovn-uplinks provides as a whole. Otherwise a managed row belongs to the gateway router of its network. */
  readonly isOfZone?: true;
  /** Its columns without external_ids; an empty set for no value. Only the columns of the desired row are compared. */
  readonly columns: Columns;
  /** Further columns that it is inserted with, and that are changed later. */
  readonly initial?: Columns;
  /** The keys of its external_ids that are compared, without the signature. */
  readonly externalIds?: Readonly<Record<string, string>>;
  /** The row that refers to it, without which the database would delete it; absent for rows of root tables. */
  readonly parent?: NorthboundParent;
  /** Present if OVN has not confirmed the last change of it: it is made again, and confirmed then, before the row is as desired. */
  readonly isUnconfirmed?: true;
  /** Likewise, for a router port that is opened. */
  readonly isOpeningUnconfirmed?: true;
}

/** external_ids key of the rows of gateway routers; the value is the network's name in OVN (docs/design/ownership.md, "Three rules"). */
export const ROW_OWNER_KEY = 'ovn-uplinks-network';

/** external_ids key of the rows of networks that ovn-uplinks provides as a whole; the value is the network's name in OVN. */
export const ZONE_ROW_OWNER_KEY = 'ovn-uplinks-zone';

/** Tables without external_ids: their rows have the owner of the row that they refer to (ovn-nb(5)). */
export const unsignedTables: ReadonlySet<NorthboundTable> = new Set(['Static_MAC_Binding']);

/** The rows that a row refers to by name, and the columns with the references. */
export function referencedRows({ table, columns }: NorthboundRow): readonly NamedReference[] {
  return Object.entries(namedReferences[table] ?? {}).flatMap(([column, referenced]) => {
    const name = columns[column];
    return typeof name === 'string' ? [{ table: referenced, name, column }] : [];
  });
}
