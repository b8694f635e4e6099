/**
 * Sets of rows of OVN's Northbound database: when a row is as desired, and rows put into a node or taken out of it.
 */
import { lazyByObject } from '../lazy.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { ColumnValue, NorthboundRow } from '../snapshot/northbound-row.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** Identifies a row in the database. */
export const keyOfRow = lazyByObject(rowKey);

function isList(value: ColumnValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const isInOrder = left.every((item, index) => item === right[index]);
  return isInOrder || [...left].sort().join() === [...right].sort().join();
}

/** Whether a column has its desired value: sets have no order, and maps may have keys of other programs. */
function isServed(found: ColumnValue | undefined, desired: ColumnValue): boolean {
  if (isList(desired)) return isList(found) && isSameSet(found, desired);
  if (typeof desired !== 'object') return found === desired;
  if (typeof found !== 'object' || isList(found)) return false;
  return Object.entries(desired).every(([key, value]) => found[key] === value);
}

/** Whether every column of a row has its desired value. */
export function servesRow(found: NorthboundRow, desired: NorthboundRow): boolean {
  return (
    Object.entries(desired.columns).every(([column, value]) => isServed(found.columns[column], value)) &&
    isServed(found.externalIds ?? {}, desired.externalIds ?? {}) &&
    found.parent?.name === desired.parent?.name
  );
}

/** The node with rows, in place of those with the same keys. */
export function withRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const left = withoutRows(node, rows);
  return { ...left, northbound: [...left.northbound, ...rows] };
}

/** The node without rows with some keys, and with everything else. */
export function withoutRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const taken = new Set(rows.map(keyOfRow));
  return { ...node, northbound: node.northbound.filter((row) => !taken.has(keyOfRow(row))) };
}

/** The row of a node with the key of another one. */
export function rowLike(row: NorthboundRow, { northbound }: NodeSnapshot): NorthboundRow | undefined {
  return northbound.find((other) => keyOfRow(other) === keyOfRow(row));
}

/** What is wrong if a row of another program or network has the name of a desired one. */
export function rowConflictText({ table, name, network }: NorthboundRow): string {
  const owner = network === undefined ? 'is not managed by ovn-uplinks' : `belongs to network ${network}`;
  return `${table} ${name} in OVN's Northbound database has other content than expected and ${owner}`;
}
