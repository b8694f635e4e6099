/**
 * Changes of rows of OVN's Northbound database as operations of RFC 7047, 5.2.
 */
import { lazyByObject } from '../incremental/by-identity.ts';
import {
  type NamedReference,
  type NorthboundParent,
  type NorthboundRow,
  referencedRows,
} from '../snapshot/northbound-row.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { Command } from './command.ts';
import { encoded, encodedColumns, encodedRow, externalIdsOf, isMap } from './northbound-encoding.ts';
import type { DatabaseOperation } from './database-operation.ts';
import { nothingAdded, presentParent, unchangedRow } from './northbound-guards.ts';

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

function parentGuard(parent: NorthboundParent | undefined, transaction: Transaction): readonly TransactionStep[] {
  if (parent === undefined || transaction.added.has(rowKey(parent))) return [];
  return [{ row: parent, operation: presentParent(parent, knownRow(parent, transaction)?.uuid) }];
}

/** The conditions of a change. */
function guardsOf({ verb, row }: RowChange, transaction: Transaction): readonly TransactionStep[] {
  const found = knownRow(row, transaction);
  if (found?.uuid !== undefined) {
    return [{ row, operation: unchangedRow(found, found.uuid, (other) => referenceTo(other, transaction)) }];
  }
  if (verb === 'remove') return [];
  return [...parentGuard(row.parent, transaction), { row, operation: nothingAdded(row, transaction.northbound) }];
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
  const { table, initial = {}, parent } = row;
  const name = temporaryName(index);
  const values = encodedRow({ ...row, columns: { ...row.columns, ...initial } }, (other) =>
    referenceTo(other, transaction),
  );
  return [
    { op: 'insert', table, 'uuid-name': name, row: values },
    ...(parent === undefined ? [] : [reference('insert', parent, ['named-uuid', name], transaction)]),
  ];
}

/** Keys of other programs stay in a map. */
function update(row: NorthboundRow, uuid: string, transaction: Transaction): readonly DatabaseOperation[] {
  const { table } = row;
  const where = [['_uuid', '==', ['uuid', uuid]]];
  const columns = Object.entries({ ...row.columns, external_ids: externalIdsOf(row) ?? {} });
  const plain = encodedColumns(row, Object.fromEntries(columns.filter(([, value]) => !isMap(value))), (other) =>
    referenceTo(other, transaction),
  );
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
  ];
}

/** Rows of tables that are not root tables are deleted with the last reference to them. */
function deletion(row: NorthboundRow, uuid: string, transaction: Transaction): readonly DatabaseOperation[] {
  const { table, parent } = row;
  const itself = { op: 'delete', table, where: [['_uuid', '==', ['uuid', uuid]]] };
  if (parent === undefined) return [itself];
  // Until its last reference is dropped, a row keeps what it refers to from being deleted in the same transaction.
  return [
    reference('delete', parent, ['uuid', uuid], transaction),
    ...(referencedRows(row).length === 0 ? [] : [itself]),
  ];
}

function operationsOf({ verb, row }: RowChange, index: number, transaction: Transaction): readonly DatabaseOperation[] {
  const found = knownRow(row, transaction);
  if (verb === 'remove') return found?.uuid === undefined ? [] : deletion(found, found.uuid, transaction);
  return found?.uuid === undefined ? insertion(row, index, transaction) : update(row, found.uuid, transaction);
}

/**
 * The transaction that makes changes of rows. It fails as a whole if one of the rows has changed since it was read, if a row with the key of an added
 * one exists, or if the row that must refer to an added one is missing: the database would silently delete a row without references.
 *
 * @param changes in an order in which a row comes after the one that refers to it
 * @param northbound the rows as they were read, with their UUIDs
 */
export function northboundTransaction(
  changes: readonly RowChange[],
  { northbound }: Pick<NodeSnapshot, 'northbound'>,
): readonly TransactionStep[] {
  const known = rowsByKey(northbound);
  const added = changes.flatMap(({ verb, row }, index): readonly (readonly [string, string])[] => {
    const key = rowKey(row);
    return verb === 'remove' || known.has(key) ? [] : [[key, temporaryName(index)]];
  });
  const transaction: Transaction = { northbound, added: new Map(added) };
  const guards = changes.flatMap((change) => guardsOf(change, transaction));
  const distinctGuards = new Map(guards.map((step) => [JSON.stringify(step.operation), step]));
  const steps = changes.flatMap((change, index) =>
    operationsOf(change, index, transaction).map((operation): TransactionStep => ({ row: change.row, operation })),
  );
  return [...distinctGuards.values(), ...steps];
}

/** The command that runs such a transaction. */
export function northboundCommand(changes: readonly RowChange[], node: Pick<NodeSnapshot, 'northbound'>): Command {
  return northboundProgram(northboundTransaction(changes, node).map(({ operation }) => operation));
}

/** The command that applies operations on the Northbound database in one transaction. */
export function northboundProgram(operations: readonly DatabaseOperation[]): Command {
  return {
    program: 'ovsdb-client',
    arguments: ['transact', 'unix:/var/run/ovn/ovnnb_db.sock', JSON.stringify(['OVN_Northbound', ...operations])],
  };
}
