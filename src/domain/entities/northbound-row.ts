import { lazyByObject } from '../lazy.ts';
import { done } from '../node-model/change.ts';
import { deleteRow, putRow, rowKey, withChildren } from '../node-model/northbound.ts';
import { localnetNetwork } from '../node-model/patch-ports.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import { type ColumnValue, isReferredTo, type NorthboundRow } from '../snapshot/northbound-row.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { counted } from './parts.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import { dependencies, dependency } from './dependencies.ts';
import type { EntityChange, SetKind } from './entity-kind.ts';
import { northboundCommand } from './northbound-words.ts';

/** A row of OVN's Northbound database. */
export interface NorthboundRowEntity {
  readonly kind: 'northbound-row';
  readonly row: NorthboundRow;
}

/** A row as an entity. */
export const northboundRowEntity = lazyByObject((row: NorthboundRow): NorthboundRowEntity => ({
  kind: 'northbound-row',
  row,
}));

const keyOf = lazyByObject(rowKey);

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

/** ovn-controller adds the patch port of the network for its localnet port. */
function patchPortOf(row: NorthboundRow): readonly string[] {
  return localnetNetwork(row) === undefined ? [] : [portWord(patchPortName(row.name))];
}

const addition: Omit<EntityChange<NorthboundRowEntity>, 'name' | 'mark'> = {
  dependencies: ({ row }, networks) => ({
    makes: [
      ...(row.network === undefined ? [] : [dependency('rows', row.network)]),
      ...patchPortOf(row).map((port) => dependency('patch-port', port)),
    ],
    needs: [
      ...(row.network === undefined ? [] : [dependency('mapping', row.network)]),
      ...dependencies('network', networks),
    ],
  }),
  effect: ({ row }, node) => done(putRow(node, row)),
  command: ({ row }, node) => northboundCommand([{ verb: 'add', row }], node),
};

function found({ row }: NorthboundRowEntity, { northbound }: NodeSnapshot): NorthboundRow | undefined {
  return northbound.find((other) => keyOf(other) === keyOf(row));
}

export const northboundRow: SetKind<NorthboundRowEntity, 'northbound'> = {
  kind: 'northbound-row',
  parts: ['northbound'],
  identity: ({ row }) => keyOf(row),
  serves: (existing, desired) => servesRow(existing.row, desired.row),
  all: ({ northbound }) => northbound.map(northboundRowEntity),
  put: (node, entities) => {
    const taken = new Set(entities.map(({ row }) => keyOf(row)));
    return {
      ...node,
      northbound: [...node.northbound.filter((row) => !taken.has(keyOf(row))), ...entities.map(({ row }) => row)],
    };
  },
  take: (node, entities) => {
    const taken = new Set(entities.map(({ row }) => keyOf(row)));
    return { ...node, northbound: node.northbound.filter((row) => !taken.has(keyOf(row))) };
  },
  comparable: ({ row: { uuid: _, initial: __, ...row } }) => row,
  source: ({ row }) => row,
  isOurs: ({ row }) => row.network !== undefined,
  isOfAnother: ({ row: found }, { row: desired }) => found.network !== desired.network,
  conflictText: ({ row: { table, name, network } }) => {
    const owner = network === undefined ? 'is not managed by ovn-uplinks' : `belongs to network ${network}`;
    return `${table} ${name} in OVN's Northbound database has other content than expected and ${owner}`;
  },
  // Without it the router has nothing to leave by; the database keeps the row.
  undoneByOthers: ({ row }, node) => deleteRow(node, row),
  anchor: ({ row: { network = '' } }) => ({ networkName: network }),
  set: {
    of: ({ row: { network = '' } }) => network,
    name: 'change-northbound',
    // The database refuses to delete a row that others refer to, and those are changed with the additions.
    removesReplacedLast: ({ row }) => isReferredTo(row.table),
    summary: ({ length }, network) => `gateway router of ${network}: ${counted(length, 'row')}`,
    command: (changes, node) =>
      northboundCommand(
        changes.map(({ verb, entity }) => ({ verb, row: entity.row })),
        node,
      ),
  },
  port: 'northbound',
  failureReason: 'GatewayRouterFailed',
  capturedIn: () => [capturedFiles.northbound],
  text: ({ row: { table, name } }) => `${table} ${name}`,
  add: { ...addition, name: 'insert-row', mark: '+' },
  replace: {
    ...addition,
    name: 'update-row',
    mark: '~',
    inverse: (entity, before) => {
      const row = found(entity, before);
      return row === undefined ? [] : [{ verb: 'replace', entity: northboundRowEntity(row) }];
    },
  },
  remove: {
    name: 'delete-row',
    mark: '-',
    dependencies: ({ row }) => ({
      uses: row.network === undefined ? [] : [dependency('mapping', row.network)],
      ends: [
        ...(row.network === undefined ? [] : [dependency('rows', row.network)]),
        ...patchPortOf(row).map((port) => dependency('patch-port', port)),
      ],
    }),
    effect: ({ row }, node) => done(deleteRow(node, row)),
    inverse: (entity, before) => {
      const row = found(entity, before);
      if (row === undefined) return [];
      return [...withChildren(before.northbound, [row])].map((each) => ({
        verb: 'add',
        entity: northboundRowEntity(each),
      }));
    },
    command: ({ row }, node) => northboundCommand([{ verb: 'remove', row }], node),
  },
};
