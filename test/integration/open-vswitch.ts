import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../unit/adapters/processes.ts';

/**
 * A real Open vSwitch of a test's own: ovsdb-server and ovs-vswitchd of Debian's openvswitch-switch, with its dummy datapath, in a
 * folder of its own. It needs no kernel module and no right, and makes no device of the kernel.
 */
export class OpenVSwitch {
  /** What the tools need to find this switch. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory: string;
  readonly #daemons: ChildProcess[] = [];

  private constructor() {
    // Short, since the path of a socket may have 107 bytes only (unix(7)).
    this.#directory = mkdtempSync(join(tmpdir(), 'ovs-'));
    this.environment = { OVS_RUNDIR: this.#directory, OVS_LOGDIR: this.#directory, OVS_DBDIR: this.#directory };
  }

  /** Starts a switch without bridges; rejects where a component is missing or does not come up, and then leaves nothing running. */
  static async start(): Promise<OpenVSwitch> {
    const self = new OpenVSwitch();
    try {
      await self.#start();
      return self;
    } catch (error) {
      await self.stop();
      throw error;
    }
  }

  async #start(): Promise<void> {
    const socket = `unix:${this.#directory}/db.sock`;
    this.#run('ovsdb-tool', 'create', join(this.#directory, 'conf.db'), '/usr/share/openvswitch/vswitch.ovsschema');
    await this.#daemon('ovsdb-server', join(this.#directory, 'conf.db'), `--remote=p${socket}`);
    await eventually('ovsdb-server answers', () => this.#succeeds('ovs-vsctl', '--no-wait', '--timeout=1', 'init'));
    await this.#daemon('ovs-vswitchd', socket, '--enable-dummy=override', '--disable-system');
    await eventually('ovs-vswitchd answers', () => this.#succeeds('ovs-appctl', '--timeout=1', 'version'));
  }

  /** Changes the switch and waits until ovs-vswitchd has done so; throws what ovs-vsctl says where it cannot be done. */
  configure(...command: readonly string[]): void {
    this.#run('ovs-vsctl', '--timeout=10', ...command);
  }

  /** Runs a tool on this switch; throws what it says where it fails. */
  #run(program: string, ...words: readonly string[]): void {
    execFileSync(program, words, { env: { ...process.env, ...this.environment }, stdio: ['ignore', 'pipe', 'pipe'] });
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

  async #daemon(program: string, ...words: readonly string[]): Promise<void> {
    const daemon = spawn(program, [...words, '--pidfile'], {
      env: { ...process.env, ...this.environment },
      stdio: 'ignore',
    });
    this.#daemons.push(daemon);
    // Rejects where the program is not there.
    await once(daemon, 'spawn');
  }

  /** Ends the daemon that was started last: first ovs-vswitchd, then ovsdb-server. */
  async stopLast(): Promise<void> {
    const daemon = this.#daemons.pop();
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const exit = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await exit;
  }

  /** Ends everything that was started and removes its folder. */
  async stop(): Promise<void> {
    while (this.#daemons.length > 0) await this.stopLast();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
