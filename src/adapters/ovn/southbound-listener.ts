/**
 * Whether ovn-controller may connect to the Southbound database of the node's zone.
 *
 * ovn-controller removes the flows of everything that it does not find there. So a new database listens at no address that it knows, and it keeps its flows,
 * until everything is in the database again: then the address becomes a row of it (ovsdb-server(1), --remote=db:), which is lost with the database.
 */
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ControllerAccess, ControllerAccessState } from '../../ports/cluster/controller-access.ts';
import { INTEGRATION_BRIDGE } from '../../domain/basics/conventions.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
import { transactOnce } from '../ovsdb/transact-once.ts';
import { selectedRows } from '../ovsdb/transaction-result.ts';
import { readValue } from '../ovsdb/values.ts';

const select = (table: string, where: readonly unknown[], columns: readonly string[]) => ({
  op: 'select',
  table,
  where,
  columns,
});

/** The addresses at which the Southbound database listens, as rows of it. */
export class SouthboundListener implements ControllerAccess {
  readonly #southbound: DatabaseServer;
  readonly #ovsdb: DatabaseServer;
  readonly #address: string;

  /**
   * @param southbound where it listens always
   * @param ovsdb Open vSwitch's database
   * @param address where ovn-controller finds it, such as `punix:/run/ovn/ovnsb_db.sock` (ovsdb(7), Passive Database Connection Methods)
   */
  constructor(southbound: DatabaseServer, ovsdb: DatabaseServer, address: string) {
    this.#southbound = southbound;
    this.#ovsdb = ovsdb;
    this.#address = address;
  }

  async state(): Promise<ControllerAccessState> {
    const found = await this.#select(this.#southbound, 'OVN_Southbound', [
      select('SB_Global', [], ['nb_cfg', 'connections']),
      select('Connection', [['target', '==', this.#address]], ['target']),
    ]);
    if (typeof found === 'string') return { kind: 'unknown', error: found };
    const [globals, connections] = found;
    if (connections?.length !== 0) return { kind: 'given' };
    // Nothing was written since the database is new.
    if (globals?.[0]?.['nb_cfg'] === 0 || globals?.length === 0) return { kind: 'withheld', missing: [], isNew: true };
    const missing = await this.#missingPorts();
    return typeof missing === 'string'
      ? { kind: 'unknown', error: missing }
      : { kind: 'withheld', missing, isNew: false };
  }

  async give(): Promise<ApplyResult> {
    const result = await transactOnce(this.#southbound, 'OVN_Southbound', [
      {
        op: 'wait',
        table: 'Connection',
        timeout: 0,
        columns: ['target'],
        where: [['target', '==', this.#address]],
        until: '==',
        rows: [],
      },
      { op: 'insert', table: 'Connection', 'uuid-name': 'connection', row: { target: this.#address } },
      {
        op: 'mutate',
        table: 'SB_Global',
        where: [],
        mutations: [['connections', 'insert', ['named-uuid', 'connection']]],
      },
    ]);
    if (result.outcome === 'done') return { done: true };
    return { done: false, error: this.#failure(this.#southbound, 'reason' in result ? result.reason : result.error) };
  }

  /** The ports of the integration bridge that the Southbound database does not know; or why that is not known. */
  async #missingPorts(): Promise<readonly string[] | string> {
    const found = await this.#select(this.#ovsdb, 'Open_vSwitch', [
      select('Bridge', [['name', '==', INTEGRATION_BRIDGE]], ['ports']),
      select('Port', [], ['_uuid', 'interfaces']),
      select('Interface', [], ['_uuid', 'external_ids']),
    ]);
    if (typeof found === 'string') return found;
    const [bridges = [], ports = [], interfaces = []] = found;
    const onBridge = new Set(bridges.flatMap((row) => uuidsOf(row['ports'])));
    const used = new Set(
      ports
        .filter((row) => uuidsOf(row['_uuid']).some((uuid) => onBridge.has(uuid)))
        .flatMap((row) => uuidsOf(row['interfaces'])),
    );
    const names = interfaces
      .filter((row) => uuidsOf(row['_uuid']).some((uuid) => used.has(uuid)))
      .flatMap((row) => logicalPortOf(row['external_ids']) ?? []);
    const bindings = await this.#select(
      this.#southbound,
      'OVN_Southbound',
      names.map((name) => select('Port_Binding', [['logical_port', '==', name]], ['logical_port'])),
    );
    return typeof bindings === 'string' ? bindings : names.filter((_, index) => bindings[index]?.length === 0);
  }

  async #select(server: DatabaseServer, database: string, operations: readonly unknown[]) {
    if (operations.length === 0) return [];
    const result = await transactOnce(server, database, operations);
    if (result.outcome !== 'done') return this.#failure(server, 'reason' in result ? result.reason : result.error);
    return result.results.map((each) => selectedRows(each));
  }

  #failure(server: DatabaseServer, reason: string): string {
    return `${serverText(server)}: ovsdb-server ${reason}`;
  }
}

function uuidsOf(notation: unknown): readonly string[] {
  const value = readValue(notation);
  if (value?.kind !== 'set') return [];
  return value.atoms.flatMap((atom) => (typeof atom === 'object' ? [atom.uuid] : []));
}

/** The logical port that an interface is for (ovn-architecture(7), Life Cycle of a VIF). */
function logicalPortOf(externalIds: unknown): string | undefined {
  const value = readValue(externalIds);
  const name = value?.kind === 'map' ? new Map(value.pairs).get('iface-id') : undefined;
  return typeof name === 'string' ? name : undefined;
}
