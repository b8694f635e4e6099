/**
 * Models OVN's Northbound database: a row that nothing refers to any more goes, unless its table is a root (ovn-nb(5), "Root set").
 */
import { isList, isMap, type NorthboundRow, referencedRows, rowKey } from '../../datapath/northbound/row.ts';
import {
  type Columns,
  type ColumnValue,
  type NorthboundTables,
  northboundTables,
} from '../../datapath/northbound/tables.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { localnetNetwork, withoutPatchPort, withPatchPortsOf } from './patch-ports.ts';

/** Columns with some of them changed: of maps the keys that are named. */
function changedColumns(found: Columns, changes: Columns): Columns {
  const merged = Object.entries(changes).map(([column, value]): readonly [string, ColumnValue] => {
    const before = found[column];
    return [column, isMap(value) && before !== undefined && isMap(before) ? { ...before, ...value } : value];
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

/** The node with rows inserted, or changed where they are, in one pass over those that there are. */
export function putRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const northbound = [...node.northbound];
  const places = new Map<string, number>();
  // Of several rows with one key the first one is meant.
  for (const [place, row] of northbound.entries()) if (!places.has(rowKey(row))) places.set(rowKey(row), place);
  const networks = new Set<string>();
  for (const { initial, ...row } of rows) {
    const place = places.get(rowKey(row));
    const found = place === undefined ? undefined : northbound[place];
    const put: NorthboundRow =
      found === undefined ? { ...row, columns: { ...row.columns, ...initial } } : changedRow(found, row);
    northbound[place ?? northbound.length] = put;
    if (place === undefined) places.set(rowKey(row), northbound.length - 1);
    const network = localnetNetwork(put);
    if (network !== undefined) networks.add(network);
  }
  return [...networks].reduce(withPatchPortsOf, { ...node, northbound });
}

/** Rows with those that go with them, as they are not in a root table and part of nothing else; each after the one that it is part of. */
export function withParts(
  northbound: readonly NorthboundRow[],
  rows: readonly NorthboundRow[],
  tables: NorthboundTables = northboundTables,
): ReadonlySet<NorthboundRow> {
  const gone = new Set(rows);
  const keys = new Set(rows.map(rowKey));
  for (;;) {
    const parts = northbound.filter((row) => {
      const { table, parents = [] } = row;
      const isPart = parents.length > 0 && !tables[table].isRoot && !gone.has(row);
      return isPart && parents.every((parent) => keys.has(rowKey(parent)));
    });
    if (parts.length === 0) return gone;
    for (const part of parts) {
      gone.add(part);
      keys.add(rowKey(part));
    }
  }
}

/** A row without the parents that are gone. */
function withoutParents(row: NorthboundRow, gone: ReadonlySet<string>): NorthboundRow {
  const { parents = [], ...alone } = row;
  const left = parents.filter((parent) => !gone.has(rowKey(parent)));
  if (left.length === parents.length) return row;
  return left.length === 0 ? alone : { ...alone, parents: left };
}

/** A row without its weak references to rows that are gone. With other references, the database would have refused to delete those. */
function withoutReferences(row: NorthboundRow, gone: ReadonlySet<string>, tables: NorthboundTables): NorthboundRow {
  const lost = referencedRows(row, tables).filter((other) => other.isWeak && gone.has(rowKey(other)));
  if (lost.length === 0) return row;
  const columns = Object.entries(row.columns).map(([column, value]): readonly [string, ColumnValue] => {
    const names = lost.filter((other) => other.column === column).map(({ name }) => name);
    return [column, isList(value) ? value.filter((name) => !names.includes(name)) : names.length > 0 ? [] : value];
  });
  return { ...row, columns: Object.fromEntries(columns) };
}

/** The node without rows, and without those that were part of them only. */
export function deleteRows(
  node: NodeSnapshot,
  rows: readonly Pick<NorthboundRow, 'table' | 'name'>[],
  tables: NorthboundTables = northboundTables,
): NodeSnapshot {
  const keys = new Set(rows.map(rowKey));
  const found = node.northbound.filter((row) => keys.has(rowKey(row)));
  const gone = withParts(node.northbound, found, tables);
  const goneKeys = new Set([...gone].map(rowKey));
  const northbound = node.northbound
    .filter((row) => !gone.has(row))
    .map((row) => withoutReferences(withoutParents(row, goneKeys), goneKeys, tables));
  const localnetPorts = [...gone].filter((each) => localnetNetwork(each) !== undefined);
  return localnetPorts.reduce<NodeSnapshot>((before, { name }) => withoutPatchPort(before, name), {
    ...node,
    northbound,
  });
}
