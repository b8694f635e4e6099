/**
 * Rows of OVN's Northbound database (ovn-nb(5)).
 */

/** Tables whose rows are told apart by their column `name`. */
const namedTables = [
  'Logical_Router',
  'Logical_Switch',
  'Logical_Router_Port',
  'Logical_Switch_Port',
  'Address_Set',
] as const;

/** Tables whose rows have no name. */
const unnamedTables = ['Logical_Router_Static_Route', 'Logical_Router_Policy', 'NAT', 'Static_MAC_Binding'] as const;

/** The tables that rows of ours are in. */
export const northboundTables = [...namedTables, ...unnamedTables] as const;

export type NamedTable = (typeof namedTables)[number];

export type UnnamedTable = (typeof unnamedTables)[number];

export type NorthboundTable = (typeof northboundTables)[number];

/** A value of a column: text, number, truth, a set, or a map. */
export type ColumnValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

const named: ReadonlySet<string> = new Set(namedTables);

/** Whether rows of a table are told apart by their column `name`. */
export function isNamed(table: NorthboundTable): table is NamedTable {
  return named.has(table);
}

/** Columns that refer to one row at most of a table that is a root; their value here is the name of that row (ovn-nb(5)). */
export const namedReferences: Readonly<Partial<Record<NorthboundTable, Readonly<Record<string, NamedTable>>>>> = {
  NAT: { allowed_ext_ips: 'Address_Set' },
};

/** A row that refers to others, and the column that it does so with. */
export interface NorthboundParent {
  readonly table: NorthboundTable;
  readonly name: string;
  readonly column: string;
}

/** A row that another refers to by a column whose value here is its name. */
export interface NamedReference {
  readonly table: NamedTable;
  readonly name: string;
  readonly column: string;
}

/** A row as it is, or as it has to be. */
export interface NorthboundRow {
  readonly table: NorthboundTable;
  /** Its number in the database; absent for a row as it has to be. */
  readonly uuid?: string;
  /** What tells it from the other rows of its table: its name, or where rows of the table have none, what `nameOfUnnamed` makes. */
  readonly name: string;
  /**
   * The network's name in OVN whose row it is: by its signature in external_ids, or where the table has none, by the router port that it
   * refers to. Absent for rows of others.
   */
  readonly network?: string;
  /** Its columns, external_ids aside; an empty set where a column has no value. Those of a row as it has to be are all that is compared. */
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Further columns that it is inserted with, and that are changed later. */
  readonly initial?: Readonly<Record<string, ColumnValue>>;
  /** The keys of its external_ids that are compared, without the signature. */
  readonly externalIds?: Readonly<Record<string, string>>;
  /** The row that refers to it, without which OVN would drop it; absent for those that stand by themselves. */
  readonly parent?: NorthboundParent;
}

/** external_ids key of the rows of ours; the value is the network's name in OVN (docs/design/ownership.md, "Three rules"). */
export const ROW_OWNER_KEY = 'ovn-uplinks-network';

/** Tables without external_ids: their rows belong to whoever owns what they refer to (ovn-nb(5)). */
export const unsignedTables: ReadonlySet<NorthboundTable> = new Set(['Static_MAC_Binding']);

/** The rows that a row refers to by name, and the columns that it does so with. */
export function referencedRows({ table, columns }: NorthboundRow): readonly NamedReference[] {
  return Object.entries(namedReferences[table] ?? {}).flatMap(([column, referenced]) => {
    const name = columns[column];
    return typeof name === 'string' ? [{ table: referenced, name, column }] : [];
  });
}
