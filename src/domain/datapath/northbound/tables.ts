/**
 * The tables of OVN's Northbound database whose rows are managed (ovn-nb(5)). Each is described once: what is read, how a row is named, written, and
 * referred to follows from its entry.
 */

/** The form of a column: one value; at most one; any number of strings; strings by strings. */
export type ColumnForm = 'value' | 'optional' | 'set' | 'map';

/** A value of a column: string, number, boolean, set or map. */
export type ColumnValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Columns of a row, by name. */
export type Columns = Readonly<Record<string, ColumnValue>>;

/** A column that identifies rows, and the text for its value in the name of a row; undefined if it makes no difference. */
type IdentifyingColumn = readonly [column: string, text: string | undefined];

/** A column with references to rows of a table. */
interface ReferenceColumn<Table extends string> {
  readonly table: Table;
  /** `one`: at most one reference; the value of the column is the name of that row. `many`: any number; the value is the list of names. */
  readonly number: 'one' | 'many';
  /** Whether a reference goes with the row that it leads to. Otherwise the database refuses to delete a row that is referred to (RFC 7047, 3.2). */
  readonly isWeak?: true;
}

/** A table, among others with these names. */
export interface TableDescription<Table extends string = NorthboundTable> {
  /** Identity of rows: column `name`, or other columns, among the rows of one parent where they are part of one. */
  readonly identity: 'name' | ((columns: Columns) => readonly IdentifyingColumn[]);
  /** Whether rows stay that nothing refers to. The database deletes others with the last reference to them. */
  readonly isRoot: boolean;
  /** The columns by which rows are compared, or named. */
  readonly columns: Readonly<Record<string, ColumnForm>>;
  /** Columns by which rows refer to those that are part of them. These name the rows that they are part of as their parents. */
  readonly parts: readonly string[];
  /** Columns with the rows that a row refers to, which have names. */
  readonly references: Readonly<Record<string, ReferenceColumn<Table>>>;
  /** For tables without external_ids: the column with the name of the row whose network a row has, and the table of that. */
  readonly ownedThrough?: { readonly column: string; readonly table: Table };
  /** A key and value that rows have in external_ids. Others of the table are of other programs, which may have very many, and are not read. */
  readonly mark?: readonly [key: string, value: string];
  /** Whether supported versions of OVN lack the table. */
  readonly mayBeMissing?: true;
}

/** Properties of most tables. */
const usual = { parts: [], references: {} } as const;

function textOf(columns: Columns, column: string): string | undefined {
  const value = columns[column];
  if (value === undefined || value === '') return undefined;
  return typeof value === 'object' ? undefined : String(value);
}

/** Identifies rows by columns. */
const columnsAlone =
  (...names: readonly string[]) =>
  (columns: Columns): readonly IdentifyingColumn[] =>
    names.map((column) => [column, textOf(columns, column)]);

/** All tables, in an order in which rows come after those that they are part of. */
export const northboundTables = {
  Logical_Router: {
    ...usual,
    identity: 'name',
    isRoot: true,
    columns: { options: 'map' },
    parts: ['ports', 'static_routes', 'policies', 'nat'],
  },
  Logical_Switch: {
    ...usual,
    identity: 'name',
    isRoot: true,
    columns: { other_config: 'map' },
    parts: ['ports', 'acls'],
  },
  Logical_Router_Port: {
    ...usual,
    identity: 'name',
    isRoot: false,
    columns: { mac: 'value', networks: 'set', options: 'map', peer: 'optional', enabled: 'optional' },
    parts: ['gateway_chassis'],
  },
  Gateway_Chassis: {
    ...usual,
    identity: 'name',
    isRoot: false,
    columns: { chassis_name: 'value', priority: 'value' },
  },
  Logical_Switch_Port: {
    ...usual,
    identity: 'name',
    isRoot: false,
    columns: { type: 'value', addresses: 'set', options: 'map', tag_request: 'optional' },
  },
  Address_Set: { ...usual, identity: 'name', isRoot: true, columns: { addresses: 'set' } },
  Logical_Router_Static_Route: {
    ...usual,
    // ovn-nbctl(8), lr-route-add. The main route table has no name.
    identity: (columns) => [
      ['policy', textOf(columns, 'policy') ?? 'dst-ip'],
      ...columnsAlone('ip_prefix', 'nexthop', 'route_table')(columns),
    ],
    isRoot: false,
    columns: {
      ip_prefix: 'value',
      nexthop: 'value',
      output_port: 'optional',
      policy: 'optional',
      route_table: 'value',
    },
  },
  Logical_Router_Policy: {
    ...usual,
    // ovn-nbctl(8), lr-policy-add.
    identity: columnsAlone('priority', 'match'),
    isRoot: false,
    columns: { priority: 'value', match: 'value', action: 'value', nexthops: 'set' },
  },
  ACL: {
    ...usual,
    // ovn-nbctl(8), acl-add.
    identity: columnsAlone('direction', 'priority', 'match'),
    isRoot: false,
    columns: { direction: 'value', priority: 'value', match: 'value', action: 'value', options: 'map' },
    mark: ['ovn-uplinks-acl', 'services'],
  },
  NAT: {
    ...usual,
    // ovn-nbctl(8), lr-nat-add.
    identity: (columns) => columnsAlone('type', columns['type'] === 'snat' ? 'logical_ip' : 'external_ip')(columns),
    isRoot: false,
    columns: { type: 'value', logical_ip: 'value', external_ip: 'value' },
    references: { allowed_ext_ips: { table: 'Address_Set', number: 'one' } },
  },
  Static_MAC_Binding: {
    ...usual,
    identity: columnsAlone('logical_port', 'ip'),
    isRoot: true,
    columns: { logical_port: 'value', ip: 'value', mac: 'value', override_dynamic_mac: 'value' },
    ownedThrough: { column: 'logical_port', table: 'Logical_Router_Port' },
    // Since OVN 22.03 (ovn, NEWS).
    mayBeMissing: true,
  },
} as const satisfies Readonly<Record<string, TableDescription<string>>>;

/** The name of a table of managed rows. */
export type NorthboundTable = keyof typeof northboundTables;

/** The description of each table. */
export type NorthboundTables = Readonly<Record<NorthboundTable, TableDescription>>;

/** Names of the tables. */
export function tableNames(tables: NorthboundTables): readonly NorthboundTable[] {
  // The compiler knows the keys of an object as texts only.
  return Object.keys(tables) as readonly NorthboundTable[];
}

/** Whether rows of a table are identified by column `name`. */
export function isNamed(table: NorthboundTable, tables: NorthboundTables = northboundTables): boolean {
  return tables[table].identity === 'name';
}

/** Whether rows of a table cannot be deleted while others refer to them. */
export function isReferredTo(table: NorthboundTable): boolean {
  const tables: NorthboundTables = northboundTables;
  return Object.values(tables).some(({ references }) =>
    Object.values(references).some((reference) => reference.table === table && reference.isWeak !== true),
  );
}

/** The columns that are read, by table. */
export function columnsByTable(
  tables: NorthboundTables = northboundTables,
): Readonly<Record<NorthboundTable, readonly string[]>> {
  const entries = tableNames(tables).map((table) => [table, columnsOf(table, tables)] as const);
  return Object.fromEntries(entries) as Record<NorthboundTable, readonly string[]>;
}

/** The conditions by which rows of some tables are read, in the notation of RFC 7047, section 5.1. */
export function conditionsByTable(
  tables: NorthboundTables = northboundTables,
): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(
    tableNames(tables).flatMap((table) => {
      const { mark } = tables[table];
      return mark === undefined ? [] : [[table, [['external_ids', 'includes', ['map', [mark]]]]]];
    }),
  );
}

function columnsOf(table: NorthboundTable, tables: NorthboundTables): readonly string[] {
  const { columns, references, ownedThrough, parts } = tables[table];
  return [
    ...(isNamed(table, tables) ? ['name'] : []),
    ...Object.keys(columns),
    ...Object.keys(references),
    ...(ownedThrough === undefined ? ['external_ids'] : []),
    ...parts,
  ];
}
