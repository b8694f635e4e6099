import { INTERCONNECTION_KEY } from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { counted } from '../../basics/names/counted.ts';
import { done } from '../../node-model/change.ts';
import { deleteRows, putRows, withParts } from '../../node-model/switch/northbound.ts';
import { localnetNetwork } from '../../node-model/switch/patch-ports.ts';
import {
  isList,
  isSameRow,
  type NorthboundParent,
  type NorthboundRow,
  parentKey,
  rowKey,
} from '../../datapath/northbound/row.ts';
import { type ColumnValue, isReferredTo } from '../../datapath/northbound/tables.ts';
import { portWord } from '../../datapath/openflow/port-word.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { patchPortName } from '../../snapshot/patch-ports.ts';
import { type Dependencies, dependencies, dependency, type DependencyKey } from '../dependencies.ts';
import type { EntityChange, EntityStep, SetKind } from '../entity-kind.ts';
import { northboundCommand } from './northbound-command.ts';

/**
 * A row of OVN's Northbound database. It is part of a network that ovn-uplinks provides (`isOfZone`): switches, routers and routes between pods, on this node and
 * others. Or it is part of its gateway router, by which it leaves by an uplink, and may be held while the others change.
 */
export interface NorthboundRowEntity {
  readonly kind: 'northbound-row';
  readonly row: NorthboundRow;
}

/** A row as a new entity. */
export function newRowEntity(row: NorthboundRow): NorthboundRowEntity {
  return { kind: 'northbound-row', row };
}

/** A row as an entity: the same one for a row that is read by several. */
export const northboundRowEntity = lazyByObject(newRowEntity);

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
export function satisfiesRow(found: NorthboundRow, desired: NorthboundRow): boolean {
  return (
    found.isUnconfirmed !== true &&
    Object.entries(desired.columns).every(([column, value]) => isServed(found.columns[column], value)) &&
    isServed(found.externalIds ?? {}, desired.externalIds ?? {}) &&
    isPartOfThese(found.parents, desired.parents)
  );
}

/** The node with rows, in place of those with the same keys. */
function withRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const left = withoutRows(node, rows);
  return { ...left, northbound: [...left.northbound, ...rows] };
}

/** The node without rows with some keys, and with everything else. */
function withoutRows(node: NodeSnapshot, rows: readonly NorthboundRow[]): NodeSnapshot {
  const taken = new Set(rows.map(rowKey));
  return { ...node, northbound: node.northbound.filter((row) => !taken.has(rowKey(row))) };
}

/** The row of a node with the key of another one. */
function rowLike(row: NorthboundRow, { northbound }: NodeSnapshot): NorthboundRow | undefined {
  return northbound.find((other) => isSameRow(other, row));
}

/** The obstacle if a row of another program or network has the name of a desired one. */
function rowConflictText({ table, name, network }: NorthboundRow): string {
  const owner = network === undefined ? 'is not managed by ovn-uplinks' : `belongs to network ${network}`;
  return `${table} ${name} in OVN's Northbound database has other content than expected and ${owner}`;
}

const rowsOf = (entities: readonly NorthboundRowEntity[]) => entities.map(({ row }) => row);

/** The node after changes of rows in their order: thousands at once, with one step for each run of removals, or of other changes. */
function withChangedRows(node: NodeSnapshot, changes: readonly EntityStep<NorthboundRowEntity>[]): NodeSnapshot {
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

/** The chassis that ovn-northd binds the port of another node to (ovn-nb(5), Logical_Switch_Port, requested-chassis); undefined for other rows. */
export function requestedChassis({ columns: { options } }: NorthboundRow): string | undefined {
  return typeof options === 'object' && 'requested-chassis' in options ? options['requested-chassis'] : undefined;
}

/** The setting by which there are tunnels to other nodes. */
const tunnels = dependency('interconnection', INTERCONNECTION_KEY);

/** ovn-controller adds the patch port of the network for its localnet port. */
function patchPortOf(row: NorthboundRow): readonly DependencyKey[] {
  return localnetNetwork(row) === undefined ? [] : [dependency('patch-port', portWord(patchPortName(row.name)))];
}

function ofNetwork(kind: 'logical-network' | 'rows' | 'mapping', { network }: NorthboundRow): readonly DependencyKey[] {
  return network === undefined ? [] : [dependency(kind, network)];
}

/** Dependencies of adding or changing a row. */
function dependenciesOfAddition({ row }: NorthboundRowEntity, networks: readonly string[]): Dependencies {
  if (row.isOfZone === true) {
    // The port may outlive the chassis: then it is bound to none.
    const chassis = requestedChassis(row) ?? '';
    return {
      makes: ofNetwork('logical-network', row),
      needs: [tunnels, ...(chassis === '' ? [] : [dependency('chassis', chassis)])],
    };
  }
  return {
    makes: [...ofNetwork('rows', row), ...patchPortOf(row)],
    needs: [...ofNetwork('mapping', row), ...ofNetwork('logical-network', row), ...dependencies('network', networks)],
  };
}

/** Dependencies of deleting a row. */
function dependenciesOfRemoval({ row }: NorthboundRowEntity): Dependencies {
  if (row.isOfZone === true) return { ends: ofNetwork('logical-network', row), uses: [tunnels] };
  return {
    uses: [...ofNetwork('mapping', row), ...ofNetwork('logical-network', row)],
    ends: [...ofNetwork('rows', row), ...patchPortOf(row)],
  };
}

const addition: Pick<EntityChange<NorthboundRowEntity>, 'dependencies' | 'effect' | 'command'> = {
  dependencies: dependenciesOfAddition,
  effect: ({ row }, node) => done(putRows(node, [row])),
  command: ({ row }, node) => northboundCommand([{ verb: 'add', row }], node.northbound),
};

export const northboundRow: SetKind<NorthboundRowEntity, 'northbound'> = {
  kind: 'northbound-row',
  parts: ['northbound'],
  identity: ({ row }) => rowKey(row),
  index: { nameOf: ({ row: { name } }) => name, isAlike: (left, right) => isSameRow(left.row, right.row) },
  satisfies: (existing, desired) => satisfiesRow(existing.row, desired.row),
  all: ({ northbound }) => northbound.map(northboundRowEntity),
  put: (node, entities) => withRows(node, rowsOf(entities)),
  take: (node, entities) => withoutRows(node, rowsOf(entities)),
  comparable: ({ row: { uuid: _, isUnconfirmed: __, isOpeningUnconfirmed: ___, initial, ...row } }) => ({
    ...row,
    ...(row.isOfZone === true && initial !== undefined && { initial }),
  }),
  source: ({ row }) => row,
  isOurs: ({ row }) => row.network !== undefined,
  isOfAnother: ({ row: found }, { row: desired }) => found.network !== desired.network,
  conflictText: ({ row }) => rowConflictText(row),
  anchor: ({ row: { network: networkName = '', isOfZone } }) => ({
    networkName,
    part: isOfZone === true ? 'network' : 'uplink',
  }),
  // The database keeps a row that loses what it needs, and deletes what is part of a row with it.
  undoneByOthers: ({ row }, node) => deleteRows(node, [row]),
  set: {
    of: ({ row: { network = '', isOfZone } }) =>
      isOfZone === true ? `network ${network} in OVN` : `gateway router of ${network}`,
    names: ['change-zone', 'change-northbound'],
    nameOf: ({ row }) => (row.isOfZone === true ? 'change-zone' : 'change-northbound'),
    // The database refuses to delete a row that others refer to, and those are changed with the additions.
    removesReplacedLast: ({ row }) => row.isOfZone !== true && isReferredTo(row.table),
    summary: ({ length }, set) => `${set}: ${counted(length, 'row')}`,
    command: (changes, node) =>
      northboundCommand(
        changes.map(({ verb, entity }) => ({ verb, row: entity.row })),
        node.northbound,
      ),
    effect: (changes, node) => done(withChangedRows(node, changes)),
  },
  port: 'northbound',
  capturedIn: () => [capturedFiles.northbound],
  text: ({ row: { table, name } }) => `${table} ${name}`,
  add: { ...addition, name: 'insert-row', mark: '+' },
  replace: {
    ...addition,
    name: 'update-row',
    mark: '~',
    inverse: ({ row }, before) => {
      const found = rowLike(row, before);
      return found === undefined ? [] : [{ verb: 'replace', entity: northboundRowEntity(found) }];
    },
  },
  remove: {
    name: 'delete-row',
    mark: '-',
    dependencies: dependenciesOfRemoval,
    effect: ({ row }, node) => done(deleteRows(node, [row])),
    inverse: ({ row }, before) => {
      const found = rowLike(row, before);
      if (found === undefined) return [];
      return [...withParts(before.northbound, [found])].map((each) => ({
        verb: 'add',
        entity: northboundRowEntity(each),
      }));
    },
    command: ({ row }, node) => northboundCommand([{ verb: 'remove', row }], node.northbound),
  },
};
