import { isJsonObject } from '../json/json-object.ts';

/** The type of a column, as far as needed to apply changes. */
export interface ColumnType {
  /** Whether it is a map. */
  readonly isMap: boolean;
  /** Whether it can hold more than one value. */
  readonly isMany: boolean;
  /** The default value, in the notation of RFC 7047. */
  readonly initially: unknown;
}

/** The columns of each table of a database, by name. */
export type DatabaseSchema = ReadonlyMap<string, ReadonlyMap<string, ColumnType>>;

/** Names of columns, by table. */
export type ColumnsByTable = Readonly<Record<string, readonly string[]>>;

/** Those of some tables, as `Table`, and columns, as `Table.column`, that a database does not have. */
export function missingColumns(
  tables: ReadonlyMap<string, { has(column: string): boolean }>,
  wanted: ColumnsByTable,
): readonly string[] {
  return Object.entries(wanted).flatMap(([table, names]) => {
    const columns = tables.get(table);
    return columns === undefined
      ? [table]
      : names.filter((name) => !columns.has(name)).map((name) => `${table}.${name}`);
  });
}

const NO_ROW = '00000000-0000-0000-0000-000000000000';

/** The default of an atom (RFC 7047, section 5.2.1). */
const INITIAL_ATOMS: Readonly<Record<string, unknown>> = {
  integer: 0,
  real: 0,
  boolean: false,
  string: '',
  uuid: ['uuid', NO_ROW],
};

/** Reads a `<database-schema>` (RFC 7047, section 3.2); absent if invalid. */
export function readSchema(notation: unknown): DatabaseSchema | undefined {
  if (!isJsonObject(notation) || !isJsonObject(notation['tables'])) return undefined;
  const tables = Object.entries(notation['tables']).map(([name, table]) => [name, readColumns(table)] as const);
  return new Map(tables);
}

function readColumns(table: unknown): ReadonlyMap<string, ColumnType> {
  const columns = isJsonObject(table) && isJsonObject(table['columns']) ? table['columns'] : {};
  return new Map(
    Object.entries(columns).map(([name, column]) => [
      name,
      readType(isJsonObject(column) ? column['type'] : undefined),
    ]),
  );
}

/** Reads a `<type>`, which may be an atomic type. */
function readType(type: unknown): ColumnType {
  const { key = type, value, min = 1, max = 1 } = isJsonObject(type) ? type : {};
  const isMap = value !== undefined;
  const isMany = max === 'unlimited' || (typeof max === 'number' && max > 1);
  const isOptional = min === 0 || isMany || isMap;
  return { isMap, isMany, initially: isOptional ? [isMap ? 'map' : 'set', []] : INITIAL_ATOMS[nameOf(key)] };
}

function nameOf(baseType: unknown): string {
  const name = isJsonObject(baseType) ? baseType['type'] : baseType;
  return typeof name === 'string' ? name : '';
}
