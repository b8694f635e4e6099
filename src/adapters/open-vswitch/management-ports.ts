import { isSamePort, managementPortsOn } from '../../domain/entities/switch/management-port.ts';
import {
  managementPortDeletion,
  managementPortTransaction,
} from '../../domain/entities/switch/management-port-command.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import { mapReading, thenRead } from '../../ports/readings.ts';
import type { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import type { Tables } from '../ovsdb/row.ts';
import { seconds } from '../ovsdb/timing.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { portWithInterface, switchOf } from './switch.ts';

/** The database, and what is said of it. */
interface SwitchDatabase {
  readonly database: ReplicatedDatabase;
  /** Its socket, named in errors. */
  readonly socket: string;
  /** Milliseconds for a reply. */
  readonly deadline: number;
}

type ManagementPortOperation = EntityOperation<'management-port'>;

/** The operations of the transaction; none if it is done already. */
function operationsOf({ verb, entity }: ManagementPortOperation, tables: Tables): Reading<readonly unknown[]> {
  if (verb === 'remove') {
    const port = portWithInterface(tables, entity.device);
    return { read: true, value: port === undefined ? [] : managementPortDeletion(entity, port) };
  }
  return mapReading(switchOf(tables), ({ bridges }) => {
    const ports = bridges.flatMap(managementPortsOn);
    return ports.some((found) => found.device === entity.device && isSamePort(found, entity))
      ? []
      : managementPortTransaction(verb, entity);
  });
}

/** Asks ovs-vswitchd to confirm a transaction, as ovs-vsctl does (ovs-vswitchd.conf.db(5), Open_vSwitch, next_cfg). */
const requestConfirmation = [
  { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['next_cfg', '+=', 1]] },
  { op: 'select', table: 'Open_vSwitch', where: [], columns: ['next_cfg'] },
];

/** Waits at the server until ovs-vswitchd has confirmed a transaction, and reads the interface. */
function confirmation(number: number, device: string, timeout: number): readonly unknown[] {
  return [
    {
      op: 'wait',
      timeout,
      table: 'Open_vSwitch',
      where: [['cur_cfg', '<', number]],
      columns: ['cur_cfg'],
      until: '==',
      rows: [],
    },
    { op: 'select', table: 'Interface', where: [['name', '==', device]], columns: ['error'] },
  ];
}

/** The failure, in one line. */
function failed({ socket }: SwitchDatabase, message: string) {
  return { done: false, error: `${socket}: ${message}` } as const;
}

/** Waits until ovs-vswitchd has added or removed the device of a port. */
async function confirmed(number: number, device: string, server: SwitchDatabase): Promise<ApplyResult> {
  // Within the time for a reply.
  const timeout = Math.floor(server.deadline * 0.8);
  const result = transactionResult(await server.database.transact(confirmation(number, device, timeout)));
  switch (result.outcome) {
    case 'done': {
      const [row] = selectedRows(result.results[1]);
      const error = row?.['error'];
      return typeof error === 'string' ? failed(server, `ovs-vswitchd cannot add ${device}: ${error}`) : { done: true };
    }
    case 'unknown':
      return { ...failed(server, `ovsdb-server ${result.reason}`), isUnavailable: true };
    case 'failed':
    case 'refused': {
      const message =
        result.outcome === 'failed' && result.isWait
          ? `ovs-vswitchd has not processed the change of ${device} within ${seconds(timeout)}`
          : `ovsdb-server refused to wait for ovs-vswitchd after the change of ${device}: ${result.error}`;
      return { ...failed(server, message), isUnavailable: true };
    }
  }
}

/**
 * Adds, sets or deletes a management port. When it returns that this is done, the device is there, or gone: ovs-vswitchd has confirmed it. Never rejects.
 */
export async function changeManagementPort(
  operation: ManagementPortOperation,
  server: SwitchDatabase,
): Promise<ApplyResult> {
  const { database, socket } = server;
  const changes = thenRead(await database.content(), (tables) => operationsOf(operation, tables));
  if (!changes.read) {
    return { done: false, error: changes.problems.map(describeProblem).join('; '), isUnavailable: true };
  }
  const result = transactionResult(await database.transact([...changes.value, ...requestConfirmation]));
  const { device } = operation.entity;
  switch (result.outcome) {
    case 'done': {
      const number = selectedRows(result.results.at(-1))[0]?.['next_cfg'];
      if (typeof number === 'number') return await confirmed(number, device, server);
      return failed(server, `ovsdb-server has no row of Open_vSwitch: start ovs-vswitchd, or run ovs-vsctl init`);
    }
    case 'unknown':
      return { ...failed(server, `ovsdb-server ${result.reason}`), isUnavailable: true };
    case 'refused':
      return { ...failed(server, `ovsdb-server refused the change: ${result.error}`), isRefused: true };
    case 'failed': {
      const message = result.isWait
        ? `port ${device} or its bridge was changed by another program; nothing is changed`
        : `ovsdb-server refused the change: ${result.error}`;
      return { done: false, error: `${socket}: ${message}`, isRefused: true };
    }
  }
}
