import { lazyByObject } from '../lazy.ts';
import { done } from '../node-model/change.ts';
import { deleteRow, putRow, withChildren } from '../node-model/northbound.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import type { NorthboundRow } from '../snapshot/northbound-row.ts';
import { dependency } from './dependencies.ts';
import type { EntityChange, SetKind } from './entity-kind.ts';
import { northboundCommand } from './northbound-words.ts';
import { counted } from './parts.ts';
import { keyOfRow, rowConflictText, rowLike, servesRow, withoutRows, withRows } from './row-set.ts';

/**
 * A row of OVN's Northbound database that is part of a network that ovn-uplinks provides as a whole: switches, routers and routes between pods, on
 * this node and others. The rows by which the network leaves by an uplink are of kind `northbound-row`, and may be held while these change.
 */
export interface ZoneRowEntity {
  readonly kind: 'zone-row';
  readonly row: NorthboundRow;
}

/** A row as an entity. */
export const zoneRowEntity = lazyByObject((row: NorthboundRow): ZoneRowEntity => ({ kind: 'zone-row', row }));

const ofNetwork = ({ row: { network } }: ZoneRowEntity) => (network === undefined ? [] : [dependency('zone', network)]);

/** ovn-northd binds the port of another node to its chassis. The port may outlive it: then it is bound to none. */
function chassisOf({ row: { columns } }: ZoneRowEntity) {
  const { options } = columns;
  const requested = typeof options === 'object' && 'requested-chassis' in options ? options['requested-chassis'] : '';
  return requested === '' ? [] : [dependency('chassis', requested)];
}

const addition: Omit<EntityChange<ZoneRowEntity>, 'name' | 'mark'> = {
  dependencies: (entity) => ({ makes: ofNetwork(entity), needs: chassisOf(entity) }),
  effect: ({ row }, node) => done(putRow(node, row)),
  command: ({ row }, node) => northboundCommand([{ verb: 'add', row }], node),
};

export const zoneRow: SetKind<ZoneRowEntity, 'northbound'> = {
  kind: 'zone-row',
  parts: ['northbound'],
  identity: ({ row }) => keyOfRow(row),
  serves: (existing, desired) => servesRow(existing.row, desired.row),
  // An unmanaged row may have the name of one that a network needs.
  all: ({ northbound }) =>
    northbound.filter(({ network, isOfZone }) => isOfZone === true || network === undefined).map(zoneRowEntity),
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
  comparable: ({ row: { uuid: _, ...row } }) => row,
  source: ({ row }) => row,
  isOurs: ({ row }) => row.network !== undefined,
  isOfAnother: ({ row: found }, { row: desired }) => found.network !== desired.network,
  conflictText: ({ row }) => rowConflictText(row),
  // The database deletes what is part of a row with it.
  undoneByOthers: ({ row }, node) => deleteRow(node, row),
  anchor: ({ row: { network = '' } }) => ({ zone: network }),
  set: {
    of: ({ row: { network = '' } }) => network,
    name: 'change-zone',
    summary: ({ length }, network) => `network ${network} in OVN: ${counted(length, 'row')}`,
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
  add: { ...addition, name: 'insert-zone-row', mark: '+' },
  replace: {
    ...addition,
    name: 'update-zone-row',
    mark: '~',
    inverse: ({ row }, before) => {
      const found = rowLike(row, before);
      return found === undefined ? [] : [{ verb: 'replace', entity: zoneRowEntity(found) }];
    },
  },
  remove: {
    name: 'delete-zone-row',
    mark: '-',
    dependencies: (entity) => ({ ends: ofNetwork(entity) }),
    effect: ({ row }, node) => done(deleteRow(node, row)),
    inverse: ({ row }, before) => {
      const found = rowLike(row, before);
      if (found === undefined) return [];
      return [...withChildren(before.northbound, [found])].map((each) => ({
        verb: 'add',
        entity: zoneRowEntity(each),
      }));
    },
    command: ({ row }, node) => northboundCommand([{ verb: 'remove', row }], node),
  },
};
