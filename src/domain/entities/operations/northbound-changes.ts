/** The changes of rows in OVN's Northbound database that an operation makes. */
import type { KindNameOfPort, SetKindName } from '../entity-kinds.ts';
import { type RowChange, rowsByKey } from '../../datapath/ovsdb/row-transaction.ts';
import { rowChange } from '../ovn/open-router-port.ts';
import { satisfiesRow } from '../ovn/northbound-row.ts';
import { type NorthboundRow, referencedRows, rowKey } from '../../datapath/northbound/row.ts';
import type { EntityOperation, SetOperation } from './operation.ts';

/** An operation on one entity of the Northbound database. */
export type RowOperation = EntityOperation<KindNameOfPort<'northbound'>>;

/** An operation on rows of the Northbound database. */
export type NorthboundOperation = RowOperation | SetOperation<KindNameOfPort<'northbound'> & SetKindName>;

/** The operations on single entities that an operation consists of. */
export function operationsIn(operation: NorthboundOperation): readonly RowOperation[] {
  return operation.verb === 'change' ? operation.changes : [operation];
}

type RowLookup = (row: Pick<NorthboundRow, 'table' | 'name'>) => NorthboundRow | undefined;

function foundIn(northbound: readonly NorthboundRow[]): RowLookup {
  const known = rowsByKey(northbound);
  return (row) => known.get(rowKey(row));
}

/** A change of a row; undefined if the row is as desired. Rows that are not managed are not removed. */
function changeOfRow(verb: RowOperation['verb'], row: NorthboundRow, found: NorthboundRow | undefined): RowChange[] {
  const isOurs = found !== undefined && found.network === row.network;
  const isDone = verb === 'remove' ? !isOurs : isOurs && satisfiesRow(found, row);
  return isDone ? [] : [{ verb, row }];
}

/** The changes of rows that an operation makes, in its order, without those that are already made. */
export function rowChanges(operation: NorthboundOperation, northbound: readonly NorthboundRow[]): readonly RowChange[] {
  const find = foundIn(northbound);
  return operationsIn(operation).flatMap(({ verb, entity }): readonly RowChange[] => {
    switch (entity.kind) {
      case 'northbound-row':
        return changeOfRow(verb, entity.row, find(entity.row));
      case 'open-router-port': {
        const isOpen = verb !== 'remove';
        const change = rowChange(entity, isOpen);
        const found = find(change.row);
        const isDone = found === undefined ? !isOpen : found.columns['enabled'] === isOpen;
        return isDone ? [] : [change];
      }
    }
  });
}

/** Why changes cannot be made, in one line; undefined if they can. */
export function changesRefusal(
  changes: readonly RowChange[],
  northbound: readonly NorthboundRow[],
): string | undefined {
  const find = foundIn(northbound);
  const added = new Set<string>();
  for (const { verb, row } of changes) {
    const found = find(row);
    const text = `${row.table} ${row.name}`;
    if (found !== undefined && found.network !== row.network) return `${text} exists and is not managed by ovn-uplinks`;
    if (found === undefined && verb === 'replace') return `${text} does not exist any more`;
    if (verb === 'remove') continue;
    const isMissing = (other: Pick<NorthboundRow, 'table' | 'name'>) =>
      find(other) === undefined && !added.has(rowKey(other));
    const parent = row.parents?.find(isMissing);
    if (parent !== undefined) {
      return `${parent.table} ${parent.name} does not exist, which ${text} is a part of; it is added with the network`;
    }
    if (found === undefined) added.add(rowKey(row));
    const lost = referencedRows(row).find(isMissing);
    if (lost !== undefined) return `${lost.table} ${lost.name} does not exist any more, which ${text} refers to`;
  }
  return undefined;
}

/** Whether a router port of some networks is closed once changes are made. */
function isClosed(networks: ReadonlySet<string>, changes: readonly RowChange[], northbound: readonly NorthboundRow[]) {
  const find = foundIn(northbound);
  const isClosedPort = ({ table, network, columns }: NorthboundRow) =>
    table === 'Logical_Router_Port' && network !== undefined && networks.has(network) && columns['enabled'] === false;
  const added = changes.flatMap(({ verb, row }) =>
    verb === 'add' && find(row) === undefined ? [{ ...row, columns: { ...row.columns, ...row.initial } }] : [],
  );
  return [...added, ...northbound].some(isClosedPort);
}

/**
 * Whether an operation affects packets as soon as OVN has applied it. Operations on a router whose port to the bridge is closed do not, until the
 * port is opened.
 *
 * @param changes of `rowChanges`
 */
export function isInForce(
  operation: NorthboundOperation,
  changes: readonly RowChange[],
  northbound: readonly NorthboundRow[],
): boolean {
  const networks = new Set<string>();
  for (const { entity } of operationsIn(operation)) {
    // Opening or closing a port affects packets, and so do pods of a network on other nodes.
    if (entity.kind !== 'northbound-row' || entity.row.isOfZone === true) return true;
    if (entity.row.network !== undefined) networks.add(entity.row.network);
  }
  return !isClosed(networks, changes, northbound);
}
