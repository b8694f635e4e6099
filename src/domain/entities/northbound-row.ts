import { lazyByObject } from '../lazy.ts';
import { done } from '../node-model/change.ts';
import { deleteRow, putRow, withChildren } from '../node-model/northbound.ts';
import { localnetNetwork } from '../node-model/patch-ports.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import { isReferredTo, type NorthboundRow } from '../snapshot/northbound-row.ts';
import { counted } from './parts.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import { dependencies, dependency } from './dependencies.ts';
import type { EntityChange, SetKind } from './entity-kind.ts';
import { northboundCommand } from './northbound-words.ts';
import { keyOfRow, rowConflictText, rowLike, servesRow, withoutRows, withRows } from './row-set.ts';

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
      ...(row.network === undefined ? [] : [dependency('mapping', row.network), dependency('zone', row.network)]),
      ...dependencies('network', networks),
    ],
  }),
  effect: ({ row }, node) => done(putRow(node, row)),
  command: ({ row }, node) => northboundCommand([{ verb: 'add', row }], node),
};

export const northboundRow: SetKind<NorthboundRowEntity, 'northbound'> = {
  kind: 'northbound-row',
  parts: ['northbound'],
  identity: ({ row }) => keyOfRow(row),
  serves: (existing, desired) => servesRow(existing.row, desired.row),
  all: ({ northbound }) => northbound.filter(({ isOfZone }) => isOfZone !== true).map(northboundRowEntity),
  put: (node, entities) =>
    withRows(
      node,
      entities.map(({ row }) => row),
    ),
  take: (node, entities) =>
    withoutRows(
      node,
      entities.map(({ row }) => row),
    ),
  comparable: ({ row: { uuid: _, initial: __, ...row } }) => row,
  source: ({ row }) => row,
  isOurs: ({ row }) => row.network !== undefined,
  isOfAnother: ({ row: found }, { row: desired }) => found.network !== desired.network,
  conflictText: ({ row }) => rowConflictText(row),
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
      const row = rowLike(entity.row, before);
      return row === undefined ? [] : [{ verb: 'replace', entity: northboundRowEntity(row) }];
    },
  },
  remove: {
    name: 'delete-row',
    mark: '-',
    dependencies: ({ row }) => ({
      uses: row.network === undefined ? [] : [dependency('mapping', row.network), dependency('zone', row.network)],
      ends: [
        ...(row.network === undefined ? [] : [dependency('rows', row.network)]),
        ...patchPortOf(row).map((port) => dependency('patch-port', port)),
      ],
    }),
    effect: ({ row }, node) => done(deleteRow(node, row)),
    inverse: (entity, before) => {
      const row = rowLike(entity.row, before);
      if (row === undefined) return [];
      return [...withChildren(before.northbound, [row])].map((each) => ({
        verb: 'add',
        entity: northboundRowEntity(each),
      }));
    },
    command: ({ row }, node) => northboundCommand([{ verb: 'remove', row }], node),
  },
};
