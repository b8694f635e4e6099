/**
 * Changes of rows of OVN's Northbound database as operations of RFC 7047, 5.2.
 */
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import {
  isMap,
  type NamedReference,
  type NorthboundParent,
  type NorthboundRow,
  parentKey,
  referencedRows,
  rowKey,
} from '../northbound/row.ts';
import { type NorthboundTables, northboundTables } from '../northbound/tables.ts';
import type { DatabaseOperation } from './database-operation.ts';
import { encoded, encodedColumns, encodedRow, externalIdsOf } from './row-encoding.ts';
import { nothingAdded, presentParent, unchangedRow } from './row-guards.ts';

/** A change of a row. */
export interface RowChange {
  readonly verb: 'add' | 'replace' | 'remove';
  readonly row: NorthboundRow;
}

/** An operation of a transaction, and the row that it is about. */
export interface TransactionStep {
  readonly row: Pick<NorthboundRow, 'table' | 'name'>;
  readonly operation: DatabaseOperation;
}

/** The rows as they were read, by key; of two rows with the same key, the managed one. */
export const rowsByKey = lazyByObject((rows: readonly NorthboundRow[]): ReadonlyMap<string, NorthboundRow> => {
  const byKey = new Map<string, NorthboundRow>();
  for (const row of rows) {
    const key = rowKey(row);
    if (row.network !== undefined || !byKey.has(key)) byKey.set(key, row);
  }
  return byKey;
});

/** The input of a transaction. */
interface Transaction {
  readonly tables: NorthboundTables;
  readonly northbound: readonly NorthboundRow[];
  /** The rows that it adds, by the names that stand for their UUIDs in it. */
  readonly added: ReadonlyMap<string, string>;
}

/** A row as it was read. */
function knownRow(row: Pick<NorthboundRow, 'table' | 'name'>, { northbound }: Transaction): NorthboundRow | undefined {
  return rowsByKey(northbound).get(rowKey(row));
}

/** The name of a row in the transaction that adds it. */
function temporaryName(index: number): string {
  return `row${String(index)}`;
}

/** A reference to a row. The database refuses one to a row that neither exists nor is added. */
function referenceTo(row: NamedReference, transaction: Transaction): readonly ['uuid' | 'named-uuid', string] {
  const uuid = knownRow(row, transaction)?.uuid;
  return uuid === undefined ? ['named-uuid', transaction.added.get(rowKey(row)) ?? 'missing'] : ['uuid', uuid];
}

function parentGuard(parent: NorthboundParent, transaction: Transaction): readonly TransactionStep[] {
  if (transaction.added.has(rowKey(parent))) return [];
  return [{ row: parent, operation: presentParent(parent, knownRow(parent, transaction)?.uuid) }];
}

/** The conditions of a change. */
function guardsOf({ verb, row }: RowChange, transaction: Transaction): readonly TransactionStep[] {
  const { tables, northbound } = transaction;
  const found = knownRow(row, transaction);
  if (found?.uuid !== undefined) {
    const operation = unchangedRow(found, found.uuid, (other) => referenceTo(other, transaction), tables);
    const added = verb === 'remove' ? [] : parentsOfFirst(row, found);
    return [...added.flatMap((parent) => parentGuard(parent, transaction)), { row, operation }];
  }
  if (verb === 'remove') return [];
  const { parents = [] } = row;
  return [
    ...parents.flatMap((parent) => parentGuard(parent, transaction)),
    { row, operation: nothingAdded(row, northbound, tables) },
  ];
}

/** Adds a reference to a row, or drops it. */
function reference(
  mutator: 'insert' | 'delete',
  parent: NorthboundParent,
  row: readonly [tag: 'uuid' | 'named-uuid', value: string],
  transaction: Transaction,
): DatabaseOperation {
  const uuid = knownRow(parent, transaction)?.uuid;
  // A row that the same transaction adds has no UUID yet.
  const where = uuid === undefined ? ['name', '==', parent.name] : ['_uuid', '==', ['uuid', uuid]];
  return { op: 'mutate', table: parent.table, where: [where], mutations: [[parent.column, mutator, ['set', [row]]]] };
}

function insertion(row: NorthboundRow, index: number, transaction: Transaction): readonly DatabaseOperation[] {
  const { table, initial = {}, parents = [] } = row;
  const name = temporaryName(index);
  const inserted = { ...row, columns: { ...row.columns, ...initial } };
  const values = encodedRow(inserted, (other) => referenceTo(other, transaction), transaction.tables);
  return [
    { op: 'insert', table, 'uuid-name': name, row: values },
    ...parents.map((parent) => reference('insert', parent, ['named-uuid', name], transaction)),
  ];
}

/** The parents that only the first of two rows has. */
function parentsOfFirst({ parents = [] }: NorthboundRow, { parents: others = [] }: NorthboundRow) {
  const known = new Set(others.map(parentKey));
  return parents.filter((parent) => !known.has(parentKey(parent)));
}

/** Makes a row part of those that it should be part of, and of no others. A change that says nothing of them leaves them. */
function changedParents(
  row: NorthboundRow,
  found: NorthboundRow,
  transaction: Transaction,
): readonly DatabaseOperation[] {
  if (row.parents === undefined) return [];
  const itself = ['uuid', found.uuid ?? ''] as const;
  return [
    ...parentsOfFirst(row, found).map((parent) => reference('insert', parent, itself, transaction)),
    ...parentsOfFirst(found, row).map((parent) => reference('delete', parent, itself, transaction)),
  ];
}

/** Keys of other programs stay in a map. */
function update(row: NorthboundRow, found: NorthboundRow, transaction: Transaction): readonly DatabaseOperation[] {
  const { table } = row;
  const where = [['_uuid', '==', ['uuid', found.uuid]]];
  const columns = Object.entries({ ...row.columns, external_ids: externalIdsOf(row, transaction.tables) ?? {} });
  const values = Object.fromEntries(columns.filter(([, value]) => !isMap(value)));
  const plain = encodedColumns(row, values, (other) => referenceTo(other, transaction), transaction.tables);
  const mutations = columns.flatMap(([column, value]) =>
    isMap(value) && Object.keys(value).length > 0
      ? [
          [column, 'delete', ['set', Object.keys(value)]],
          [column, 'insert', encoded(value)],
        ]
      : [],
  );
  return [
    ...(Object.keys(plain).length === 0 ? [] : [{ op: 'update', table, where, row: plain }]),
    ...(mutations.length === 0 ? [] : [{ op: 'mutate', table, where, mutations }]),
    ...changedParents(row, found, transaction),
  ];
}

/** Rows of tables that are not root tables are deleted with the last reference to them. */
function deletion(row: NorthboundRow, uuid: string, transaction: Transaction): readonly DatabaseOperation[] {
  const { table, parents = [] } = row;
  const { tables } = transaction;
  const itself = { op: 'delete', table, where: [['_uuid', '==', ['uuid', uuid]]] };
  // Until its last reference is dropped, a row keeps what it refers to from being deleted in the same transaction.
  const isDeleted = parents.length === 0 || tables[table].isRoot || referencedRows(row, tables).length > 0;
  return [
    ...parents.map((parent) => reference('delete', parent, ['uuid', uuid], transaction)),
    ...(isDeleted ? [itself] : []),
  ];
}

function operationsOf({ verb, row }: RowChange, index: number, transaction: Transaction): readonly DatabaseOperation[] {
  const found = knownRow(row, transaction);
  if (verb === 'remove') return found?.uuid === undefined ? [] : deletion(found, found.uuid, transaction);
  return found?.uuid === undefined ? insertion(row, index, transaction) : update(row, found, transaction);
}

/**
 * The transaction that makes changes of rows. It fails as a whole if one of the rows has changed since it was read, if a row with the key of an added
 * one exists, or if a row that another one is to be part of is missing: the database would silently delete a row without references.
 *
 * @param changes in an order in which a row comes after those that it is part of, or refers to
 * @param northbound the rows as they were read, with their UUIDs
 */
export function northboundTransaction(
  changes: readonly RowChange[],
  northbound: readonly NorthboundRow[],
  tables: NorthboundTables = northboundTables,
): readonly TransactionStep[] {
  const known = rowsByKey(northbound);
  const added = changes.flatMap(({ verb, row }, index): readonly (readonly [string, string])[] => {
    const key = rowKey(row);
    return verb === 'remove' || known.has(key) ? [] : [[key, temporaryName(index)]];
  });
  const transaction: Transaction = { tables, northbound, added: new Map(added) };
  const guards = changes.flatMap((change) => guardsOf(change, transaction));
  const distinctGuards = new Map(guards.map((step) => [JSON.stringify(step.operation), step]));
  const steps = changes.flatMap((change, index) =>
    operationsOf(change, index, transaction).map((operation): TransactionStep => ({ row: change.row, operation })),
  );
  return [...distinctGuards.values(), ...steps];
}
