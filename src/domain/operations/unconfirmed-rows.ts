/**
 * The rows of OVN's Northbound database whose last change OVN has not confirmed. They are as desired and may have no effect, so a network is not ready by them:
 * their change is planned again, which then changes nothing and waits for the confirmation.
 */
import { rowChange } from '../entities/open-router-port.ts';
import { lastByObject } from '../lazy.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { NorthboundRow } from '../snapshot/northbound-row.ts';
import { type NorthboundOperation, operationsIn, type RowOperation } from './northbound-changes.ts';

/** Keys of changes: of rows, and of router ports that are opened. */
export type UnconfirmedChanges = ReadonlySet<string>;

const openingKey = (row: Pick<NorthboundRow, 'table' | 'name'>) => `open ${rowKey(row)}`;

function keyOf({ entity }: RowOperation): string {
  return entity.kind === 'open-router-port' ? openingKey(rowChange(entity, true).row) : rowKey(entity.row);
}

/** The keys of what an operation adds or changes. */
function putKeys(operation: NorthboundOperation): readonly string[] {
  return operationsIn(operation)
    .filter(({ verb }) => verb !== 'remove')
    .map(keyOf);
}

/** Whether an operation has been made before, and was not confirmed. */
export function isRepeated(operation: NorthboundOperation, unconfirmed: UnconfirmedChanges): boolean {
  return putKeys(operation).some((key) => unconfirmed.has(key));
}

/** What is not confirmed after an operation. */
export function unconfirmedAfter(
  operation: NorthboundOperation,
  isConfirmed: boolean,
  before: UnconfirmedChanges,
): UnconfirmedChanges {
  if (!isConfirmed) return new Set([...before, ...putKeys(operation)]);
  if (before.size === 0) return before;
  const confirmed = new Set(operationsIn(operation).map(keyOf));
  return new Set([...before].filter((key) => !confirmed.has(key)));
}

const lastMarked = lastByObject<NorthboundRow>();

function marked(row: NorthboundRow, unconfirmed: UnconfirmedChanges): NorthboundRow {
  const isUnconfirmed = unconfirmed.has(rowKey(row));
  const isOpeningUnconfirmed = unconfirmed.has(openingKey(row));
  if (row.network === undefined || (!isUnconfirmed && !isOpeningUnconfirmed)) return row;
  return lastMarked(row, [isUnconfirmed, isOpeningUnconfirmed], () => ({
    ...row,
    ...(isUnconfirmed && { isUnconfirmed }),
    ...(isOpeningUnconfirmed && { isOpeningUnconfirmed }),
  }));
}

/** Rows as they were read, with what is not confirmed of them. A row that did not change is the same object again. */
export function withUnconfirmed(
  rows: readonly NorthboundRow[],
  unconfirmed: UnconfirmedChanges,
): readonly NorthboundRow[] {
  return unconfirmed.size === 0 ? rows : rows.map((row) => marked(row, unconfirmed));
}
