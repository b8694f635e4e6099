/** Open vSwitch and OVN of Debian on a host of pods, with the userspace datapath of Open vSwitch: it needs no kernel module. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../unit/adapters/processes.ts';
import type { PodHost } from './pod-host.ts';
import { ROUTER } from './served-pods.ts';

/** The switch of the network's pods on the node. */
export const NODE_SWITCH = 'cluster_udn_blue_worker-a';

const CLUSTER_ROUTER = 'cluster_udn_blue_ovn_cluster_router';

/** Creates the switch of the network's pods with its router, and configures the network for cnitool. */
export async function configureNetwork(host: PodHost, ovn: OvnOnHost): Promise<void> {
  const list = { cniVersion: '1.1.0', name: 'cluster_udn_blue', plugins: [{ type: 'ovn-uplinks-cni' }] };
  await host.does(`echo '${JSON.stringify(list)}' > /etc/cni/net.d/20-blue.conflist`);
  const [onRouter, onSwitch] = [`rtos-${NODE_SWITCH}`, `stor-${NODE_SWITCH}`];
  const commands = [
    `ls-add ${NODE_SWITCH}`,
    `set Logical_Switch ${NODE_SWITCH} external_ids:ovn-uplinks-zone=cluster_udn_blue`,
    // That of the id which the fake cluster has.
    'ls-add transit',
    'set Logical_Switch transit external_ids:ovn-uplinks-zone=cluster_udn_blue other_config:requested-tnl-key=16711684',
    `lr-add ${CLUSTER_ROUTER}`,
    `lrp-add ${CLUSTER_ROUTER} ${onRouter} 0a:58:0a:14:01:01 ${ROUTER[4]}/24 ${ROUTER[6]}/64`,
    `lsp-add ${NODE_SWITCH} ${onSwitch}`,
    `lsp-set-type ${onSwitch} router`,
    `lsp-set-addresses ${onSwitch} router`,
    `lsp-set-options ${onSwitch} router-port=${onRouter}`,
  ];
  await ovn.does(`ovn-nbctl ${commands.join(' -- ')}`);
}

/** The database of Open vSwitch, and those of OVN. */
type DatabaseName = 'db' | 'nb' | 'sb';

export class OvnOnHost {
  readonly #host: PodHost;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ovn-'));
  readonly #daemons: ChildProcess[] = [];
  readonly #servers = new Map<DatabaseName, ChildProcess>();

  private constructor(host: PodHost) {
    this.#host = host;
  }

  /** Starts a zone, and waits until the controller has made br-int. */
  static async start(host: PodHost): Promise<OvnOnHost> {
    const self = new OvnOnHost(host);
    try {
      await self.#start();
      return self;
    } catch (error) {
      await self.stop();
      throw error;
    }
  }

  /** The socket of Open vSwitch's database. */
  get switchSocket(): string {
    return this.#file('db.sock');
  }

  /** The socket of the Northbound database. */
  get northboundSocket(): string {
    return this.#file('nb.sock');
  }

  /** Runs commands that must succeed, where the tools find this zone. */
  async does(script: string): Promise<string> {
    const folders = ['OVS_RUNDIR', 'OVN_RUNDIR', 'OVS_DBDIR', 'OVN_DBDIR'].map(
      (name) => `export ${name}=${this.#folder}`,
    );
    const databases = `export OVN_NB_DB=unix:${this.northboundSocket} OVN_SB_DB=unix:${this.#file('sb.sock')}`;
    return await this.#host.does([...folders, databases, script].join('\n'));
  }

  /** Lets the server of a database write no file any more, as where its disk is full, or again. */
  async setWritable(name: DatabaseName, isWritable: boolean): Promise<void> {
    const limit = isWritable ? 'unlimited' : '0';
    await this.#host.does(`prlimit --pid ${this.#servers.get(name)?.pid} --fsize=${limit}:`);
  }

  async stop(): Promise<void> {
    for (const daemon of this.#daemons.reverse()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const exit = once(daemon, 'exit');
      daemon.kill('SIGKILL');
      await exit;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  async #start(): Promise<void> {
    await this.#serve('db', '/usr/share/openvswitch/vswitch.ovsschema', 'conf.db');
    await this.#serve('nb', '/usr/share/ovn/ovn-nb.ovsschema', 'nb.db');
    await this.#serve('sb', '/usr/share/ovn/ovn-sb.ovsschema', 'sb.db');
    await this.does('ovs-vsctl --no-wait init; ovn-nbctl init; ovn-sbctl init');
    this.#daemon('ovs-vswitchd', `unix:${this.switchSocket}`, '--disable-system');
    this.#daemon('ovn-northd', `--ovnnb-db=unix:${this.northboundSocket}`, `--ovnsb-db=unix:${this.#file('sb.sock')}`);
    const settings = [
      `ovn-remote=unix:${this.#file('sb.sock')}`,
      'ovn-encap-type=geneve',
      'ovn-encap-ip=127.0.0.1',
      'ovn-bridge-datapath-type=netdev',
      'system-id=worker-a',
    ];
    await this.does(
      `ovs-vsctl --no-wait set Open_vSwitch . ${settings.map((each) => `external_ids:${each}`).join(' ')}`,
    );
    this.#daemon('ovn-controller', `unix:${this.switchSocket}`);
    await eventually('ovn-controller has made br-int', async () =>
      (await this.does('ovs-vsctl --if-exists get Bridge br-int datapath_type')).includes('netdev'),
    );
  }

  async #serve(name: DatabaseName, schema: string, file: string): Promise<void> {
    await this.#host.does(`ovsdb-tool create ${this.#file(file)} ${schema}`);
    const socket = this.#file(`${name}.sock`);
    const server = this.#daemon(
      'ovsdb-server',
      this.#file(file),
      `--remote=punix:${socket}`,
      `--unixctl=${this.#file(`${name}.ctl`)}`,
    );
    this.#servers.set(name, server);
    await eventually(`ovsdb-server answers for ${name}`, async () => {
      const { status } = await this.#host.run('ovsdb-client', ['--timeout=1', 'list-dbs', `unix:${socket}`]);
      return status === 0;
    });
  }

  #daemon(program: string, ...words: readonly string[]): ChildProcess {
    const environment = { OVS_RUNDIR: this.#folder, OVN_RUNDIR: this.#folder };
    const log = ['-vconsole:off', `--log-file=${this.#file(`${program}-${this.#daemons.length}.log`)}`];
    // A file of the greatest size ends no daemon (setrlimit(2), RLIMIT_FSIZE).
    const withoutSignal = ['-c', 'trap \'\' XFSZ; exec "$0" "$@"', program];
    const daemon = this.#host.spawn('sh', [...withoutSignal, ...words, ...log], environment);
    this.#daemons.push(daemon);
    return daemon;
  }
}
