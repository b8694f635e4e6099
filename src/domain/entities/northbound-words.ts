/**
 * Changes of rows of OVN's Northbound database as operations of RFC 7047, 5.2.
 */
import { type ColumnValue, type NorthboundRow, ROW_OWNER_KEY, unsignedTables } from '../snapshot/northbound-row.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { Command } from './command.ts';

/** An operation of a transaction. */
export type DatabaseOperation = Readonly<Record<string, unknown>>;

/** A change of a row. */
export interface RowChange {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly row: NorthboundRow;
}

function mapValue(map: Readonly<Record<string, string>>): unknown {
  return ['map', Object.entries(map)];
}

/** A value as RFC 7047, 5.1 writes it. */
function encoded(value: ColumnValue): unknown {
  if (typeof value !== 'object') return value;
  return isList(value) ? ['set', value] : mapValue(value);
}

function isList(value: ColumnValue): value is readonly string[] {
  return Array.isArray(value);
}

/** The external_ids of a row, with its signature where the table has the column. */
function externalIdsOf({
  table,
  network,
  externalIds = {},
}: NorthboundRow): Readonly<Record<string, string>> | undefined {
  if (unsignedTables.has(table)) return undefined;
  return { ...externalIds, ...(network !== undefined && { [ROW_OWNER_KEY]: network }) };
}

function insertion(row: NorthboundRow, name: string): readonly DatabaseOperation[] {
  const { table, columns, initial, parent } = row;
  const externalIds = externalIdsOf(row);
  const values = Object.entries({ ...columns, ...initial }).map(([column, value]) => [column, encoded(value)] as const);
  const named = hasName(row) ? { name: row.name } : {};
  return [
    {
      op: 'insert',
      table,
      'uuid-name': name,
      row: { ...named, ...Object.fromEntries(values), ...(externalIds && { external_ids: mapValue(externalIds) }) },
    },
    ...(parent === undefined
      ? []
      : [
          {
            op: 'mutate',
            table: parent.table,
            where: [['name', '==', parent.name]],
            mutations: [[parent.column, 'insert', ['set', [['named-uuid', name]]]]],
          },
        ]),
  ];
}

/** Whether rows of its table have names that a column holds. */
function hasName({ table }: NorthboundRow): boolean {
  switch (table) {
    case 'Logical_Router':
    case 'Logical_Switch':
    case 'Logical_Router_Port':
    case 'Logical_Switch_Port':
      return true;
    case 'Logical_Router_Static_Route':
    case 'Logical_Router_Policy':
    case 'NAT':
    case 'Static_MAC_Binding':
      return false;
  }
}

/** Others' keys of a map stay. */
function update(row: NorthboundRow, uuid: string): readonly DatabaseOperation[] {
  const { table } = row;
  const where = [['_uuid', '==', ['uuid', uuid]]];
  const isMap = (value: ColumnValue) => typeof value === 'object' && !isList(value);
  const plain = Object.entries(row.columns).filter(([, value]) => !isMap(value));
  const externalIds = externalIdsOf(row);
  const maps = [
    ...Object.entries(row.columns).filter(([, value]) => isMap(value)),
    ...(externalIds === undefined ? [] : [['external_ids', externalIds] as const]),
  ];
  return [
    ...(plain.length === 0
      ? []
      : [
          {
            op: 'update',
            table,
            where,
            row: Object.fromEntries(plain.map(([column, value]) => [column, encoded(value)])),
          },
        ]),
    ...(maps.length === 0
      ? []
      : [
          {
            op: 'mutate',
            table,
            where,
            mutations: maps.flatMap(([column, value]) => [
              [column, 'delete', ['set', Object.keys(value)]],
              [column, 'insert', encoded(value)],
            ]),
          },
        ]),
  ];
}

/** Rows of tables that are no root go with the last reference to them. */
function deletion({ table, parent }: NorthboundRow, uuid: string): DatabaseOperation {
  if (parent === undefined) return { op: 'delete', table, where: [['_uuid', '==', ['uuid', uuid]]] };
  return {
    op: 'mutate',
    table: parent.table,
    where: [['name', '==', parent.name]],
    mutations: [[parent.column, 'delete', ['set', [['uuid', uuid]]]]],
  };
}

/**
 * The transaction that makes changes of rows.
 *
 * @param changes in an order in which a row comes after the one that refers to it
 * @param northbound the rows as they were read, for their numbers
 */
export function northboundTransaction(
  changes: readonly RowChange[],
  { northbound }: Pick<NodeSnapshot, 'northbound'>,
): readonly DatabaseOperation[] {
  const known = new Map(northbound.map((row) => [rowKey(row), row]));
  return changes.flatMap(({ verb, row }, index): readonly DatabaseOperation[] => {
    const found = known.get(rowKey(row));
    if (verb === 'remove') return found?.uuid === undefined ? [] : [deletion(found, found.uuid)];
    return found?.uuid === undefined ? insertion(row, `row${String(index)}`) : update(row, found.uuid);
  });
}

/** The program that carries such a transaction out. */
export function northboundCommand(changes: readonly RowChange[], node: Pick<NodeSnapshot, 'northbound'>): Command {
  const transaction = ['OVN_Northbound', ...northboundTransaction(changes, node)];
  return {
    program: 'ovsdb-client',
    arguments: ['transact', 'unix:/var/run/ovn/ovnnb_db.sock', JSON.stringify(transaction)],
  };
}
