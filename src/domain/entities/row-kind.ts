/**
 * Common parts of the kinds of rows of OVN's Northbound database: when a row is as desired, how it is changed, and what the node is after that.
 */
import { done } from '../node-model/change.ts';
import { deleteRows, putRows, withParts } from '../node-model/northbound.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import { isList, keyOfRow, type NorthboundParent, type NorthboundRow, parentKey } from '../northbound/row.ts';
import type { ColumnValue } from '../northbound/tables.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { EntityChange, EntitySet, EntityStep, SetKind } from './entity-kind.ts';
import { northboundCommand } from './northbound-command.ts';

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

/** Whether the desired parents refer to a row, and no others. */
function isPartOfThese(found: readonly NorthboundParent[] = [], desired: readonly NorthboundParent[] = []): boolean {
  return isSameSet(found.map(parentKey), desired.map(parentKey));
}

/** Whether every column of a row has its desired value, and OVN has confirmed that. */
export function servesRow(found: NorthboundRow, desired: NorthboundRow): boolean {
  return (
    found.isUnconfirmed !== true &&
    Object.entries(desired.columns).every(([column, value]) => isServed(found.columns[column], value)) &&
    isServed(found.externalIds ?? {}, desired.externalIds ?? {}) &&
    isPartOfThese(found.parents, desired.parents)
  );
}

/** The part of a row that is compared when nodes are compared. */
export function comparableRow({ uuid: _, isUnconfirmed: __, isOpeningUnconfirmed: ___, ...row }: NorthboundRow) {
  return row;
}

/** The node with rows, in place of those with the same keys. */
function withRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const left = withoutRows(node, rows);
  return { ...left, northbound: [...left.northbound, ...rows] };
}

/** The node without rows with some keys, and with everything else. */
function withoutRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const taken = new Set(rows.map(keyOfRow));
  return { ...node, northbound: node.northbound.filter((row) => !taken.has(keyOfRow(row))) };
}

/** The row of a node with the key of another one. */
function rowLike(row: NorthboundRow, { northbound }: NodeSnapshot): NorthboundRow | undefined {
  return northbound.find((other) => keyOfRow(other) === keyOfRow(row));
}

/** The obstacle if a row of another program or network has the name of a desired one. */
function rowConflictText({ table, name, network }: NorthboundRow): string {
  const owner = network === undefined ? 'is not managed by ovn-uplinks' : `belongs to network ${network}`;
  return `${table} ${name} in OVN's Northbound database has other content than expected and ${owner}`;
}

/** An entity that is a row. */
interface RowEntity {
  readonly kind: string;
  readonly row: NorthboundRow;
}

type CommonToRows<Entity extends RowEntity> = Omit<
  SetKind<Entity, 'northbound'>,
  'kind' | 'all' | 'comparable' | 'anchor' | 'failureReason' | 'set' | 'add' | 'replace' | 'remove'
>;

/** The parts of a change that are the same for all kinds of rows. */
type ChangeOfRow<Entity extends RowEntity> = Pick<EntityChange<Entity>, 'effect' | 'command' | 'inverse'>;

/** Common parts of all kinds of rows. The changes of the rows of a network are one set. */
export interface RowKind<Entity extends RowEntity> {
  readonly common: CommonToRows<Entity>;
  readonly set: Pick<EntitySet<Entity>, 'of' | 'command' | 'effect'>;
  readonly addition: ChangeOfRow<Entity>;
  readonly replacement: ChangeOfRow<Entity>;
  readonly removal: ChangeOfRow<Entity>;
}

const rowsOf = (entities: readonly RowEntity[]) => entities.map(({ row }) => row);

/** The node after changes of rows in their order: thousands at once, with one step for each run of removals, or of other changes. */
function withChangedRows(node: NodeSnapshot, changes: readonly EntityStep<RowEntity>[]): NodeSnapshot {
  let after = node;
  for (let start = 0; start < changes.length;) {
    const isRemoval = changes[start]?.verb === 'remove';
    const others = changes.findIndex(({ verb }, index) => index > start && (verb === 'remove') !== isRemoval);
    const end = others === -1 ? changes.length : others;
    const rows = rowsOf(changes.slice(start, end).map(({ entity }) => entity));
    after = isRemoval ? deleteRows(after, rows) : putRows(after, rows);
    start = end;
  }
  return after;
}

/** Returns what a kind of rows has in common with others. @param entityOf the row as an entity of the kind */
export function rowKind<Entity extends RowEntity>(entityOf: (row: NorthboundRow) => Entity): RowKind<Entity> {
  const addition: ChangeOfRow<Entity> = {
    effect: ({ row }, node) => done(putRows(node, [row])),
    command: ({ row }, node) => northboundCommand([{ verb: 'add', row }], node.northbound),
  };
  return {
    common: {
      parts: ['northbound'],
      identity: ({ row }) => keyOfRow(row),
      serves: (existing, desired) => servesRow(existing.row, desired.row),
      put: (node, entities) => withRows(node, rowsOf(entities)),
      take: (node, entities) => withoutRows(node, rowsOf(entities)),
      source: ({ row }) => row,
      isOurs: ({ row }) => row.network !== undefined,
      isOfAnother: ({ row: found }, { row: desired }) => found.network !== desired.network,
      conflictText: ({ row }) => rowConflictText(row),
      // The database keeps a row that loses what it needs, and deletes what is part of a row with it.
      undoneByOthers: ({ row }, node) => deleteRows(node, [row]),
      port: 'northbound',
      capturedIn: () => [capturedFiles.northbound],
      text: ({ row: { table, name } }) => `${table} ${name}`,
    },
    set: {
      of: ({ row: { network = '' } }) => network,
      command: (changes, node) =>
        northboundCommand(
          changes.map(({ verb, entity }) => ({ verb, row: entity.row })),
          node.northbound,
        ),
      effect: (changes, node) => done(withChangedRows(node, changes)),
    },
    addition,
    replacement: {
      ...addition,
      inverse: ({ row }, before) => {
        const found = rowLike(row, before);
        return found === undefined ? [] : [{ verb: 'replace', entity: entityOf(found) }];
      },
    },
    removal: {
      effect: ({ row }, node) => done(deleteRows(node, [row])),
      inverse: ({ row }, before) => {
        const found = rowLike(row, before);
        if (found === undefined) return [];
        return [...withParts(before.northbound, [found])].map((each) => ({ verb: 'add', entity: entityOf(each) }));
      },
      command: ({ row }, node) => northboundCommand([{ verb: 'remove', row }], node.northbound),
    },
  };
}
