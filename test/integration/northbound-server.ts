import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countersOf } from '../../src/adapters/ovn/confirmation.ts';
import { ReplicatedDatabase } from '../../src/adapters/ovsdb/replicated-database.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { USUAL_TIMING } from '../../src/adapters/ovsdb/timing.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import { type ColumnValue, isNamed } from '../../src/domain/datapath/northbound/tables.ts';
import { eventually } from '../unit/adapters/processes.ts';

/** The schema of OVN_Northbound that Debian's ovn-common brings. */
export const NORTHBOUND_SCHEMA = '/usr/share/ovn/ovn-nb.ovsschema';

/** The options that a server is started with. */
export interface ServerOptions {
  /** File with the schema of the database. */
  readonly schema?: string;
  /** Further options of ovsdb-server. */
  readonly options?: readonly string[];
  /** A command that the server is run by, such as one that limits it. */
  readonly launcher?: readonly string[];
}

/** Where a limit of the size of files stands for a full disk: 40 KiB are enough for the schema and some rows. */
export const onFullDisk: ServerOptions = { launcher: ['sh', '-c', 'trap "" XFSZ; ulimit -f 80; exec "$@"', 'sh'] };

/** A real Northbound database of a test's own: ovsdb-server with OVN's schema, and on request ovn-northd, in a folder of its own. */
export class NorthboundServer {
  readonly directory: string;
  readonly #options: ServerOptions;
  readonly #daemons = new Map<string, ChildProcess>();
  readonly #confirmers: Confirmer[] = [];

  private constructor(options: ServerOptions) {
    // Short, since the path of a socket may have 107 bytes only (unix(7)).
    this.directory = mkdtempSync(join(tmpdir(), 'ovn-'));
    this.#options = options;
  }

  /** Starts a server with an initialized database; rejects where a component is missing or does not come up, and then leaves nothing running. */
  static async start(options: ServerOptions = {}): Promise<NorthboundServer> {
    const self = new NorthboundServer(options);
    try {
      self.run('ovsdb-tool', 'create', self.#file('nb.db'), options.schema ?? NORTHBOUND_SCHEMA);
      await self.startDatabase();
      self.transact({ op: 'insert', table: 'NB_Global', row: {} });
      return self;
    } catch (error) {
      await self.stop();
      throw error;
    }
  }

  /** The socket of the database. */
  get socket(): string {
    return this.#file('nb.sock');
  }

  /** The socket of the Southbound database of `startNorthd`. */
  get southboundSocket(): string {
    return this.#file('sb.sock');
  }

  /** The TCP port that it listens on, where its options have it choose one: `--remote=ptcp:0` or `--remote=pssl:0` (ovsdb(7)). */
  get port(): number {
    const [, port] = /listening on port (\d+)/.exec(readFileSync(this.#file('nb.log'), 'utf8')) ?? [];
    return Number(port);
  }

  /** Confirms changes as ovn-northd and ovn-controller do. */
  confirm(): Confirmer {
    const confirmer = new Confirmer(this.socket);
    this.#confirmers.push(confirmer);
    return confirmer;
  }

  /** Starts ovsdb-server, also once it was killed, and waits until it answers. */
  async startDatabase(): Promise<void> {
    await this.#serve('nb', ...(this.#options.options ?? []));
  }

  /** Kills ovsdb-server; its socket stays behind, as after a crash. */
  async killDatabase(): Promise<void> {
    await end(this.#daemons.get('nb'));
  }

  /** Sends a signal to ovsdb-server. */
  signalDatabase(signal: NodeJS.Signals): void {
    this.#daemons.get('nb')?.kill(signal);
  }

  /** Starts ovn-northd with a Southbound database of its own. */
  async startNorthd(): Promise<void> {
    this.run('ovsdb-tool', 'create', this.#file('sb.db'), '/usr/share/ovn/ovn-sb.ovsschema');
    await this.#serve('sb');
    await this.#daemon('ovn-northd', [
      'ovn-northd',
      `--ovnnb-db=unix:${this.socket}`,
      `--ovnsb-db=unix:${this.#file('sb.sock')}`,
      `--log-file=${this.#file('northd.log')}`,
      '-vconsole:off',
      `--unixctl=${this.#file('northd.ctl')}`,
    ]);
  }

  /** The log of ovn-northd. */
  get northdLog(): string {
    return readFileSync(this.#file('northd.log'), 'utf8');
  }

  /** Runs ovn-sbctl on the Southbound database. */
  southbound(...words: readonly string[]): string {
    return this.run('ovn-sbctl', `--db=unix:${this.#file('sb.sock')}`, '--timeout=10', ...words);
  }

  /** Runs ovs-appctl on ovsdb-server. */
  control(...words: readonly string[]): string {
    return this.run('ovs-appctl', '-t', this.#file('nb.ctl'), ...words);
  }

  /** Runs operations in one transaction (RFC 7047, section 5.2), and gives their results; throws where one fails. */
  transact(...operations: readonly unknown[]): readonly { readonly rows?: readonly unknown[] }[] {
    const printed = this.run(
      'ovsdb-client',
      'transact',
      `unix:${this.socket}`,
      JSON.stringify(['OVN_Northbound', ...operations]),
    );
    const results = JSON.parse(printed) as readonly { readonly error?: string; readonly rows?: readonly unknown[] }[];
    if (results.some((result) => result.error !== undefined)) throw new Error(printed);
    return results;
  }

  /** Inserts rows as another program does. */
  insert(...rows: readonly NorthboundRow[]): void {
    this.transact(
      ...rows.flatMap(({ table, name, columns, externalIds, parents = [] }, index) => [
        {
          op: 'insert',
          table,
          'uuid-name': `row${index}`,
          row: {
            ...(isNamed(table) && { name }),
            ...Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, notation(value)])),
            ...(externalIds && { external_ids: notation(externalIds) }),
          },
        },
        ...parents.map((parent) => ({
          op: 'mutate',
          table: parent.table,
          where: [['name', '==', parent.name]],
          mutations: [[parent.column, 'insert', ['named-uuid', `row${index}`]]],
        })),
      ]),
    );
  }

  /** Sets a column as another program does. */
  setColumn({ table, uuid }: NorthboundRow, column: string, value: ColumnValue): void {
    this.transact({
      op: 'update',
      table,
      where: [['_uuid', '==', ['uuid', uuid]]],
      row: { [column]: notation(value) },
    });
  }

  /** Deletes a row as another program does. */
  delete({ table, uuid, parents }: NorthboundRow): void {
    if (parents === undefined) this.transact({ op: 'delete', table, where: [['_uuid', '==', ['uuid', uuid]]] });
    for (const parent of parents ?? []) {
      this.transact({
        op: 'mutate',
        table: parent.table,
        where: [['name', '==', parent.name]],
        mutations: [[parent.column, 'delete', ['uuid', uuid]]],
      });
    }
  }

  /** The whole database as ovsdb-client prints it. */
  dump(): string {
    return this.run('ovsdb-client', '--format=json', 'dump', `unix:${this.socket}`, 'OVN_Northbound');
  }

  /** Runs a program and gives what it prints; throws what it says where it fails. */
  run(program: string, ...words: readonly string[]): string {
    const environment = { ...process.env, OVS_RUNDIR: this.directory, OVN_RUNDIR: this.directory };
    return execFileSync(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  }

  /** Ends everything that was started and removes its folder. */
  async stop(): Promise<void> {
    for (const confirmer of this.#confirmers) confirmer.close();
    await Promise.all([...this.#daemons.values()].map(end));
    rmSync(this.directory, { recursive: true, force: true });
  }

  #file(name: string): string {
    return join(this.directory, name);
  }

  async #serve(name: string, ...options: readonly string[]): Promise<void> {
    const words = [
      ...(this.#options.launcher ?? []),
      'ovsdb-server',
      this.#file(`${name}.db`),
      `--remote=punix:${this.#file(`${name}.sock`)}`,
      `--unixctl=${this.#file(`${name}.ctl`)}`,
      `--log-file=${this.#file(`${name}.log`)}`,
      '-vconsole:off',
      ...options,
    ];
    await this.#daemon(name, words);
    await eventually(`ovsdb-server answers for ${name}`, () => {
      try {
        this.run('ovsdb-client', '--timeout=1', 'list-dbs', `unix:${this.#file(`${name}.sock`)}`);
        return true;
      } catch {
        return false;
      }
    });
  }

  async #daemon(name: string, [program = '', ...words]: readonly string[]): Promise<void> {
    const daemon = spawn(program, words, { env: { ...process.env, OVS_RUNDIR: this.directory }, stdio: 'ignore' });
    this.#daemons.set(name, daemon);
    // Rejects where the program is not there.
    await once(daemon, 'spawn');
  }
}

/** Confirms changes of a Northbound database in the place of ovn-northd and ovn-controller. */
export class Confirmer {
  /** Whether it does, from the next change on. */
  isConfirming = true;
  readonly #database: ReplicatedDatabase;

  constructor(socket: string) {
    const columns = { NB_Global: ['nb_cfg', 'sb_cfg', 'hv_cfg'] };
    this.#database = new ReplicatedDatabase('OVN_Northbound', columns, unixServer(socket, 'OVN'), USUAL_TIMING);
    this.#database.onChange(() => void this.confirm());
  }

  /** Confirms what was asked for so far; only some of the counters, where they are named. */
  async confirm(counters: readonly string[] = ['sb_cfg', 'hv_cfg']): Promise<void> {
    const content = await this.#database.content();
    const found = content.read ? countersOf(content.value) : undefined;
    if (!this.isConfirming || found === undefined || found.done === found.requested) return;
    const row = Object.fromEntries(counters.map((counter) => [counter, found.requested]));
    await this.#database.transact([{ op: 'update', table: 'NB_Global', where: [], row }]);
  }

  close(): void {
    this.#database.close();
  }
}

function notation(value: ColumnValue): unknown {
  if (typeof value !== 'object') return value;
  return Array.isArray(value) ? ['set', value] : ['map', Object.entries(value)];
}

async function end(daemon: ChildProcess | undefined): Promise<void> {
  if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await exit;
}
