/**
 * Models OVN's Northbound database: a row that nothing refers to any more goes, unless its table is a root (ovn-nb(5), "Root set").
 */
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { Columns, ColumnValue, NorthboundRow } from '../snapshot/northbound-row.ts';
import { localnetNetwork, withoutPatchPort, withPatchPortsOf } from './patch-ports.ts';

/** A unique key of a row in the database. */
export function rowKey({ table, name }: Pick<NorthboundRow, 'table' | 'name'>): string {
  return `${table} ${name}`;
}

/** Tells whether a row has the key of another one; a database has thousands, so no key is made. */
function isRow({ table, name }: Pick<NorthboundRow, 'table' | 'name'>): (other: NorthboundRow) => boolean {
  return (other) => other.name === name && other.table === table;
}

function isMap(value: ColumnValue | undefined): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Columns with some of them changed: of maps the keys that are named. */
function changedColumns(found: Columns, changes: Columns): Columns {
  const merged = Object.entries(changes).map(([column, value]): readonly [string, ColumnValue] => {
    const before = found[column];
    return [column, isMap(value) && isMap(before) ? { ...before, ...value } : value];
  });
  return { ...found, ...Object.fromEntries(merged) };
}

function changedRow({ isUnconfirmed: _, ...found }: NorthboundRow, row: NorthboundRow): NorthboundRow {
  return {
    ...found,
    ...row,
    ...(found.uuid !== undefined && { uuid: found.uuid }),
    columns: changedColumns(found.columns, row.columns),
    ...((row.externalIds ?? found.externalIds) && {
      externalIds: { ...found.externalIds, ...row.externalIds },
    }),
  };
}

/** The node with a row inserted, or changed where there is one. */
export function putRow(node: NodeSnapshot, { initial, ...row }: NorthboundRow): NodeSnapshot {
  const found = node.northbound.find(isRow(row));
  const put: NorthboundRow =
    found === undefined ? { ...row, columns: { ...row.columns, ...initial } } : changedRow(found, row);
  const northbound =
    found === undefined ? [...node.northbound, put] : node.northbound.map((other) => (other === found ? put : other));
  const network = localnetNetwork(put);
  return network === undefined ? { ...node, northbound } : withPatchPortsOf({ ...node, northbound }, network);
}

/** Rows with those that go with them, which nothing else refers to; each after the one that refers to it. */
export function withChildren(
  northbound: readonly NorthboundRow[],
  rows: readonly NorthboundRow[],
): ReadonlySet<NorthboundRow> {
  const gone = new Set(rows);
  let keys = new Set(rows.map(rowKey));
  while (keys.size > 0) {
    const children = northbound.filter(
      (row) => !gone.has(row) && row.parent !== undefined && keys.has(rowKey(row.parent)),
    );
    for (const child of children) gone.add(child);
    keys = new Set(children.map(rowKey));
  }
  return gone;
}

/** The node without a row, and without the rows that only it refers to. */
export function deleteRow(node: NodeSnapshot, row: Pick<NorthboundRow, 'table' | 'name'>): NodeSnapshot {
  const rows = node.northbound.filter(isRow(row));
  const gone = withChildren(node.northbound, rows);
  const left = { ...node, northbound: node.northbound.filter((other) => !gone.has(other)) };
  const localnetPorts = [...gone].filter((each) => localnetNetwork(each) !== undefined);
  return localnetPorts.reduce<NodeSnapshot>((before, { name }) => withoutPatchPort(before, name), left);
}
