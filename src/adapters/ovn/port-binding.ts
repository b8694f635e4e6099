/** Bindings of ports of other nodes to chassis (ovn-sb(5), Port_Binding). */
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../domain/datapath/northbound/row.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { mapOf, referencesOf, textOf } from './southbound-rows.ts';

/** A change of a binding. */
export type PortChange = EntityOperation<'remote-port'>;

/** Needs of a change: operations of RFC 7047, 5.2, none where it is done already; or why it cannot be made. */
export type PortBinding =
  | { readonly operations: readonly unknown[] }
  /** Whether it may be a matter of moments. */
  | { readonly error: string; readonly isPending: boolean };

function rowNamed(tables: Tables, table: string, column: string, name: string): Row | undefined {
  return (tables.get(table) ?? []).find((row) => textOf(row, column) === name);
}

/** The guarded operations that set the chassis of a port. */
function update(row: Row, chassis: unknown): readonly unknown[] {
  const place = { table: 'Port_Binding', where: [['_uuid', '==', ['uuid', row.uuid]]] };
  const before = ['set', referencesOf(row, 'chassis').map((uuid) => ['uuid', uuid])];
  return [
    { op: 'wait', ...place, timeout: 0, columns: ['chassis'], until: '==', rows: [{ chassis: before }] },
    { op: 'update', ...place, row: { chassis } },
  ];
}

/** Needs of a change of a binding. */
export function bindingOf({ verb, entity: { port, chassis, network } }: PortChange, tables: Tables): PortBinding {
  const row = rowNamed(tables, 'Port_Binding', 'logical_port', port);
  const isOurs = row !== undefined && mapOf(row, 'external_ids').get(LOGICAL_NETWORK_ROW_OWNER_KEY) === network;
  const [bound] = row === undefined ? [] : referencesOf(row, 'chassis');
  if (verb === 'remove') {
    return { operations: isOurs && bound !== undefined ? update(row, ['set', []]) : [] };
  }
  if (row === undefined) {
    const error = `ovn-northd has not added port ${port} to the Southbound database; check that ovn-northd runs`;
    return { error, isPending: true };
  }
  if (!isOurs) return { error: `port ${port} is not managed by ovn-uplinks`, isPending: false };
  const target = rowNamed(tables, 'Chassis', 'name', chassis);
  if (target === undefined) return { error: `chassis ${chassis} does not exist any more`, isPending: false };
  return { operations: bound === target.uuid ? [] : update(row, ['uuid', target.uuid]) };
}
