/**
 * Transactions on management ports in the database of Open vSwitch (RFC 7047, 5.2). Each begins with conditions: if another program has changed what it
 * was decided on, the server refuses it and changes nothing.
 */
import { LOGICAL_PORT_KEY, MANAGEMENT_PORT_KEY } from '../../basics/conventions.ts';
import type { Command } from '../command.ts';
import type { DatabaseOperation } from '../../datapath/ovsdb/database-operation.ts';

/** A management port in the database. */
export interface ManagementPort {
  /** Name of the port, of its interface and of the device. */
  readonly device: string;
  /** The bridge; empty for a device that is no port of one. */
  readonly bridge: string;
  /** Type of the interface: `internal`. */
  readonly type: string;
  /** The logical port that it is; empty for none. */
  readonly logicalPort: string;
  /** The MAC address that is requested; empty for none. */
  readonly macAddress: string;
  /** The MTU in bytes that is requested; 0 for none. */
  readonly mtu: number;
  /** Name in OVN of the network that it is managed for; absent if it is not managed. */
  readonly network?: string;
}

const named = (name: string) => [['name', '==', name]] as const;

/** The interface of a managed port: that of another program is never changed. */
const managed = ({ device, network = '' }: ManagementPort) => [
  ...named(device),
  ['external_ids', 'includes', ['map', [[MANAGEMENT_PORT_KEY, network]]]],
];

const wait = { op: 'wait', timeout: 0, columns: ['name'], until: '==' } as const;

function isManaged(entity: ManagementPort): DatabaseOperation {
  return { ...wait, table: 'Interface', where: managed(entity), rows: [{ name: entity.device }] };
}

function isOn({ bridge }: ManagementPort): DatabaseOperation {
  return { ...wait, table: 'Bridge', where: named(bridge), rows: [{ name: bridge }] };
}

function idsOf({ logicalPort, network = '' }: ManagementPort): readonly (readonly [string, string])[] {
  return [
    [LOGICAL_PORT_KEY, logicalPort],
    [MANAGEMENT_PORT_KEY, network],
  ];
}

function addition(entity: ManagementPort): readonly DatabaseOperation[] {
  const { device, bridge, type, macAddress, mtu } = entity;
  const row = { name: device, type, mac: macAddress, mtu_request: mtu, external_ids: ['map', idsOf(entity)] };
  return [
    isOn(entity),
    { op: 'insert', table: 'Interface', 'uuid-name': 'interface', row },
    {
      op: 'insert',
      table: 'Port',
      'uuid-name': 'port',
      row: { name: device, interfaces: ['named-uuid', 'interface'] },
    },
    {
      op: 'mutate',
      table: 'Bridge',
      where: named(bridge),
      mutations: [['ports', 'insert', ['named-uuid', 'port']]],
    },
  ];
}

function replacement(entity: ManagementPort): readonly DatabaseOperation[] {
  const ids = idsOf(entity);
  const where = managed(entity);
  return [
    isManaged(entity),
    {
      op: 'mutate',
      table: 'Interface',
      where,
      mutations: [
        ['external_ids', 'delete', ['set', [LOGICAL_PORT_KEY]]],
        ['external_ids', 'insert', ['map', ids]],
      ],
    },
    {
      op: 'update',
      table: 'Interface',
      where,
      row: { type: entity.type, mac: entity.macAddress, mtu_request: entity.mtu },
    },
  ];
}

/** The transaction that adds a port to its bridge, or sets what is known of it. */
export function managementPortTransaction(
  verb: 'add' | 'replace',
  entity: ManagementPort,
): readonly DatabaseOperation[] {
  return verb === 'add' ? addition(entity) : replacement(entity);
}

/** The transaction that deletes a port. @param uuid of its row in table Port, which a bridge refers to */
export function managementPortDeletion(entity: ManagementPort, uuid: string): readonly DatabaseOperation[] {
  return [
    isManaged(entity),
    // Whatever bridge it is on. The server deletes what nothing refers to.
    { op: 'mutate', table: 'Bridge', where: [], mutations: [['ports', 'delete', ['uuid', uuid]]] },
  ];
}

/** The command that makes a change. */
export function managementPortCommand(verb: 'add' | 'replace' | 'remove', entity: ManagementPort): Command {
  const { device, bridge } = entity;
  // By name: the transaction needs the identifier of the row.
  if (verb === 'remove') return { program: 'ovs-vsctl', arguments: ['del-port', bridge, device] };
  const transaction = ['Open_vSwitch', ...managementPortTransaction(verb, entity)];
  return { program: 'ovsdb-client', arguments: ['transact', JSON.stringify(transaction)] };
}
