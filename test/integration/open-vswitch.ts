import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { treeOf, type Userland } from './lab/userland.ts';
import { eventually } from '../unit/adapters/processes.ts';

/**
 * A real Open vSwitch of a test's own: ovsdb-server and ovs-vswitchd of Debian's openvswitch-switch, with its dummy datapath, in a
 * folder of its own. It needs no kernel module and no right, and makes no device of the kernel.
 */
export class OpenVSwitch {
  /** The environment that the tools need to find this switch. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory: string;
  /** In the order in which they were started first. */
  readonly #daemons = new Map<string, ChildProcess>();

  readonly #tree: string | undefined;

  private constructor(tree: string | undefined) {
    // Short, since the path of a socket may have 107 bytes only (unix(7)).
    this.#directory = mkdtempSync(join(tmpdir(), 'ovs-'));
    this.#tree = tree;
    const folders = {
      OVS_RUNDIR: this.#directory,
      OVN_RUNDIR: this.#directory,
      OVS_LOGDIR: this.#directory,
      OVS_DBDIR: this.#directory,
    };
    const path = `${this.#directory}/bin:${process.env['PATH'] ?? ''}`;
    this.environment = { ...folders, ...(tree !== undefined && { PATH: path }) };
  }

  /**
   * Starts a switch without bridges; rejects where a component is missing or does not come up, and then leaves nothing running.
   *
   * @param userland whose Open vSwitch it is
   */
  static async start(userland: Userland = 'host'): Promise<OpenVSwitch> {
    const self = new OpenVSwitch(treeOf(userland));
    try {
      await self.#start();
      return self;
    } catch (error) {
      await self.stop();
      throw error;
    }
  }

  /** Where the daemons have their sockets. */
  get runDirectory(): string {
    return this.#directory;
  }

  /** The socket of the database. */
  get socket(): string {
    return join(this.#directory, 'db.sock');
  }

  async #start(): Promise<void> {
    if (this.#tree !== undefined) addPrograms(this.#tree, join(this.#directory, 'bin'));
    const schema = `${this.#tree ?? ''}/usr/share/openvswitch/vswitch.ovsschema`;
    this.#run('ovsdb-tool', 'create', join(this.#directory, 'conf.db'), schema);
    await this.startDatabase();
    await eventually('ovsdb-server answers', () => this.#succeeds('ovs-vsctl', '--no-wait', '--timeout=1', 'init'));
    await this.startSwitch();
  }

  /** Starts ovs-vswitchd, also once it was killed, and waits until it answers. */
  async startSwitch(): Promise<void> {
    await this.#daemon('ovs-vswitchd', `unix:${this.socket}`, '--enable-dummy=override', '--disable-system');
    await eventually('ovs-vswitchd answers', () => this.#succeeds('ovs-appctl', '--timeout=1', 'version'));
  }

  /**
   * Starts ovn-controller, which finds in the switch how it is configured, with a Southbound database of OVN. Unless ovn-northd runs, that is given the row
   * which ovn-northd adds first: an ovn-controller that has its bridge and finds no SB_Global processes nothing any more (seen on OVN 23.03).
   */
  async startController(): Promise<void> {
    if (this.#serveOvn('sb')) this.transactOn('OVN_Southbound', { op: 'insert', table: 'SB_Global', row: {} });
    await this.#daemon('ovn-controller', `unix:${this.socket}`, '--log-file=/dev/null');
  }

  /**
   * Starts ovn-northd with both databases of OVN, and the row that the Northbound one must have; waits until it has initialized the Southbound one, for
   * `startController`.
   */
  async startNorthd(): Promise<void> {
    for (const name of ['nb', 'sb'] as const) this.#serveOvn(name);
    this.transactOn('OVN_Northbound', { op: 'insert', table: 'NB_Global', row: {} });
    const databases = ['nb', 'sb'].map((name) => `--ovn${name}-db=unix:${this.socket}`);
    await this.#daemon('ovn-northd', ...databases, '--log-file=/dev/null');
    const query = { op: 'select', table: 'SB_Global', where: [], columns: ['nb_cfg'] };
    await eventually('ovn-northd has begun', () => this.transactOn('OVN_Southbound', query).includes('nb_cfg'));
  }

  /** Has ovsdb-server serve a database of OVN besides, unless it does; returns whether it did not. */
  #serveOvn(name: 'nb' | 'sb'): boolean {
    if (existsSync(join(this.#directory, `${name}.db`))) return false;
    this.addDatabase(name, `${this.#tree ?? ''}/usr/share/ovn/ovn-${name}.ovsschema`);
    return true;
  }

  /** Kills ovs-vswitchd; its sockets stay behind, as after a crash. */
  async killSwitch(): Promise<void> {
    await end(this.#daemons.get('ovs-vswitchd'));
  }

  /** Sends a signal to ovs-vswitchd. */
  signalSwitch(signal: NodeJS.Signals): void {
    this.#daemons.get('ovs-vswitchd')?.kill(signal);
  }

  /** Has ovsdb-server serve another database besides, by its schema. */
  addDatabase(name: string, schema: string): void {
    const file = join(this.#directory, `${name}.db`);
    this.#run('ovsdb-tool', 'create', file, schema);
    this.#run('ovs-appctl', '-t', 'ovsdb-server', 'ovsdb-server/add-db', file);
  }

  /** Changes the switch and waits until ovs-vswitchd has done so; throws what ovs-vsctl says where it cannot be done. */
  configure(...command: readonly string[]): void {
    this.#run('ovs-vsctl', '--timeout=10', ...command);
  }

  /** The database as ovsdb-client prints it. */
  dump(): string {
    return this.#run('ovsdb-client', '--format=json', 'dump', `unix:${this.socket}`, 'Open_vSwitch');
  }

  /** Applies operations on the database (RFC 7047, section 5.2). */
  transact(...operations: readonly unknown[]): void {
    this.transactOn('Open_vSwitch', ...operations);
  }

  /** Applies operations on a database that is served, and gives what is printed. */
  transactOn(database: string, ...operations: readonly unknown[]): string {
    return this.#run('ovsdb-client', 'transact', `unix:${this.socket}`, JSON.stringify([database, ...operations]));
  }

  /** Runs a tool on this switch and gives what it prints; throws what it says where it fails. */
  #run(program: string, ...words: readonly string[]): string {
    const environment = { ...process.env, ...this.environment };
    return execFileSync(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  }

  #succeeds(program: string, ...words: readonly string[]): boolean {
    try {
      this.#run(program, ...words);
      return true;
    } catch {
      return false;
    }
  }

  /** Adds a flow to a bridge (ovs-ofctl(8)). */
  addFlow(bridge: string, flow: string): void {
    this.#run('ovs-ofctl', '-O', 'OpenFlow14', 'add-flow', bridge, flow);
  }

  /** Replaces all flows of a bridge in one bundle (ovs-ofctl(8)). */
  replaceFlows(bridge: string, flows: string): void {
    execFileSync('ovs-ofctl', ['-O', 'OpenFlow14', '--bundle', 'replace-flows', bridge, '-'], {
      env: { ...process.env, ...this.environment },
      input: flows,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** Deletes a flow of a bridge (ovs-ofctl(8), --strict). */
  deleteFlow(bridge: string, flow: string): void {
    this.#run('ovs-ofctl', '-O', 'OpenFlow14', '--strict', 'del-flows', bridge, flow);
  }

  /** Keeps frames for everyone from a port, by its OpenFlow number. OpenFlow 1.1 and later have no such setting (ovs-ofctl(8), mod-port). */
  setNoFlood(bridge: string, port: string, isNoFlood = true): void {
    this.#run('ovs-ofctl', '-O', 'OpenFlow10', 'mod-port', bridge, port, isNoFlood ? 'no-flood' : 'flood');
  }

  /** The flows of a bridge as ovs-ofctl prints them. */
  dumpFlows(bridge: string): string {
    return this.#run('ovs-ofctl', '-O', 'OpenFlow14', '--no-names', '--no-stats', 'dump-flows', bridge);
  }

  /** Has ovs-vswitchd run a command, and gives what it prints (ovs-appctl(8)). */
  control(...command: readonly string[]): string {
    return this.#run('ovs-appctl', ...command);
  }

  /** The socket at which ovs-vswitchd takes the commands of ovs-appctl(8). */
  get controlSocket(): string {
    return join(this.#directory, `ovs-vswitchd.${String(this.#daemons.get('ovs-vswitchd')?.pid)}.ctl`);
  }

  /** Starts ovsdb-server, also once it was killed. It need not answer yet. */
  async startDatabase(): Promise<void> {
    await this.#daemon('ovsdb-server', join(this.#directory, 'conf.db'), `--remote=punix:${this.socket}`);
  }

  /** Kills ovsdb-server; its socket stays behind, as after a crash. */
  async killDatabase(): Promise<void> {
    await end(this.#daemons.get('ovsdb-server'));
  }

  /** Sends a signal to ovsdb-server. */
  signalDatabase(signal: NodeJS.Signals): void {
    this.#daemons.get('ovsdb-server')?.kill(signal);
  }

  async #daemon(program: string, ...words: readonly string[]): Promise<void> {
    const daemon = spawn(program, [...words, '--pidfile'], {
      env: { ...process.env, ...this.environment },
      stdio: 'ignore',
    });
    this.#daemons.set(program, daemon);
    // Rejects where the program is not there.
    await once(daemon, 'spawn');
  }

  /** Ends the daemon that was started last: first ovs-vswitchd, then ovsdb-server. */
  async stopLast(): Promise<void> {
    const [program, daemon] = [...this.#daemons].at(-1) ?? [];
    if (program !== undefined) this.#daemons.delete(program);
    await end(daemon);
  }

  /** Ends everything that was started and removes its folder. */
  async stop(): Promise<void> {
    while (this.#daemons.size > 0) await this.stopLast();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** The programs of Open vSwitch and OVN that tests need, below the root of a userland. */
const PROGRAMS = ['sbin/ovsdb-server', 'sbin/ovs-vswitchd', 'bin/ovsdb-tool', 'bin/ovsdb-client'].concat(
  ['ovs-vsctl', 'ovs-ofctl', 'ovs-appctl', 'ovn-controller', 'ovn-northd'].map((name) => `bin/${name}`),
);

/** The file of a userland that a path leads to there: links such as those of update-alternatives(1) begin at its root. */
function fileIn(tree: string, path: string): string {
  const file = join(tree, path);
  return lstatSync(file).isSymbolicLink() ? fileIn(tree, resolve(dirname(path), readlinkSync(file))) : file;
}

/** Adds programs to a folder that run those of a userland, with its libraries (ld.so(8)). */
function addPrograms(tree: string, folder: string): void {
  mkdirSync(folder);
  const loader = `${tree}/lib64/ld-linux-x86-64.so.2`;
  for (const program of PROGRAMS) {
    const name = basename(program);
    const options = `--argv0 ${name} --library-path ${tree}/usr/lib/x86_64-linux-gnu`;
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${loader} ${options} ${fileIn(tree, `/usr/${program}`)} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

async function end(daemon: ChildProcess | undefined): Promise<void> {
  if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await exit;
}
