/**
 * The rows of OVN's Northbound database whose last change OVN has not confirmed. They are as desired and may have no effect, so a network is not ready by them:
 * their change is planned again, which then changes nothing and waits for the confirmation.
 */
import { rowChange } from '../ovn/open-router-port.ts';
import { lastByObject } from '../../basics/incremental/by-identity.ts';
import { type NorthboundRow, rowKey } from '../../datapath/northbound/row.ts';
import { type NorthboundOperation, operationsIn, type RowOperation } from './northbound-changes.ts';

/**
 * Changes that are not confirmed, by key – of rows, and of router ports that are opened –, with the number by which OVN confirms them (ovn-nb(5), NB_Global,
 * nb_cfg); undefined where that is not known.
 */
export type UnconfirmedChanges = ReadonlyMap<string, number | undefined>;

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

/** Whether all that an operation adds or changes has been made before, and was not confirmed. */
export function isRepeated(operation: NorthboundOperation, unconfirmed: UnconfirmedChanges): boolean {
  const keys = putKeys(operation);
  return keys.length > 0 && keys.every((key) => unconfirmed.has(key));
}

/** The number by which all is confirmed that an operation has changed before; undefined where it is not known. */
export function awaitedNumber(operation: NorthboundOperation, unconfirmed: UnconfirmedChanges): number | undefined {
  const numbers = putKeys(operation).map((key) => unconfirmed.get(key) ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...numbers);
  return Number.isFinite(last) ? last : undefined;
}

/** The changes that are not confirmed after an operation that was made. @param number which confirms it, where that is known */
export function unconfirmedAfter(
  operation: NorthboundOperation,
  isConfirmed: boolean,
  before: UnconfirmedChanges,
  number?: number,
): UnconfirmedChanges {
  if (isConfirmed && before.size === 0) return before;
  const changed = new Set(operationsIn(operation).map(keyOf));
  const others = [...before].filter(([key]) => !changed.has(key));
  return new Map([...others, ...(isConfirmed ? [] : putKeys(operation).map((key) => [key, number] as const))]);
}

/** The changes of rows that are there: others may have been deleted by other programs. */
export function unconfirmedAmong(rows: readonly NorthboundRow[], unconfirmed: UnconfirmedChanges): UnconfirmedChanges {
  if (unconfirmed.size === 0) return unconfirmed;
  const there = new Set(rows.flatMap((row) => [rowKey(row), openingKey(row)]));
  return new Map([...unconfirmed].filter(([key]) => there.has(key)));
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
