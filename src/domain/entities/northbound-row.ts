import { lazyByObject } from '../incremental/by-identity.ts';
import { localnetNetwork } from '../node-model/patch-ports.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import type { NorthboundRow } from '../northbound/row.ts';
import { isReferredTo } from '../northbound/tables.ts';
import { counted } from '../names/counted.ts';
import { dependencies, dependency } from './dependencies.ts';
import type { EntityChange, SetKind } from './entity-kind.ts';
import { comparableRow, rowKind } from './row-kind.ts';

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

const addition: Pick<EntityChange<NorthboundRowEntity>, 'dependencies'> = {
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
};

const ofRows = rowKind(northboundRowEntity);

export const northboundRow: SetKind<NorthboundRowEntity, 'northbound'> = {
  ...ofRows.common,
  kind: 'northbound-row',
  all: ({ northbound }) => northbound.filter(({ isOfZone }) => isOfZone !== true).map(northboundRowEntity),
  comparable: ({ row: { initial: _, ...row } }) => comparableRow(row),
  anchor: ({ row: { network = '' } }) => ({ networkName: network, part: 'uplink' }),
  failureReason: 'GatewayRouterFailed',
  set: {
    ...ofRows.set,
    name: 'change-northbound',
    // The database refuses to delete a row that others refer to, and those are changed with the additions.
    removesReplacedLast: ({ row }) => isReferredTo(row.table),
    summary: ({ length }, network) => `gateway router of ${network}: ${counted(length, 'row')}`,
  },
  add: { ...ofRows.addition, ...addition, name: 'insert-row', mark: '+' },
  replace: { ...ofRows.replacement, ...addition, name: 'update-row', mark: '~' },
  remove: {
    ...ofRows.removal,
    name: 'delete-row',
    mark: '-',
    dependencies: ({ row }) => ({
      uses: row.network === undefined ? [] : [dependency('mapping', row.network), dependency('zone', row.network)],
      ends: [
        ...(row.network === undefined ? [] : [dependency('rows', row.network)]),
        ...patchPortOf(row).map((port) => dependency('patch-port', port)),
      ],
    }),
  },
};
