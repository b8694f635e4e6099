import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import type { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';

const root = join(import.meta.dirname, '../../..');

/** The end of the path of its Lease. */
const LEASE = '/leases/ovn-uplinks-cluster-manager';

/** A cluster manager as a process, with a clock that can be set and a proxy of its own before the API server. */
export class ManagerProcess {
  readonly proxy: FaultProxy;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(proxy: FaultProxy, kubeconfig: string) {
    this.proxy = proxy;
    const clock = ['--import', join(import.meta.dirname, 'shifted-clock.ts')];
    const words = ['src/cmd/main.ts', 'cluster-manager', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0'];
    this.#child = spawn(process.execPath, [...clock, ...words], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
  }

  static async start({ kubeconfig }: TestApiServer): Promise<ManagerProcess> {
    const access = await accessOfKubeconfig(kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    const proxy = await FaultProxy.before(access.value);
    const { cluster } = proxy.access;
    const file = join(dirname(kubeconfig), `proxy-${new URL(cluster.server).port}`);
    writeFileSync(
      file,
      JSON.stringify({
        clusters: [{ name: 'proxy', cluster: { server: cluster.server } }],
        users: [{ name: 'user', user: { token: access.value.user.token } }],
        contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'user' } }],
        'current-context': 'proxy',
      }),
    );
    return new ManagerProcess(proxy, file);
  }

  get log(): string {
    return this.#log;
  }

  /** The paths of the objects that it has written so far, as `/uplinks/blue` and `/uplinks/blue/status`; neither its Lease nor Events. */
  get writes(): readonly string[] {
    return this.proxy.writes.flatMap((path) => /^\/apis\/k8s\.ovn\.org\/[^/]*(\/.*)$/.exec(path)?.[1] ?? []);
  }

  /** How often it has asked for a list of a kind that is served, or has watched one. */
  get listRequests(): number {
    const served = [kinds.nodes, kinds.uplinks, kinds.uplinkStates, kinds.clusterUserDefinedNetworks];
    return served.reduce((sum, kind) => sum + this.proxy.count(pathOf(kind)), 0);
  }

  /** How often it has asked for its Lease or written it. */
  get leaseRequests(): number {
    return this.proxy.count(LEASE);
  }

  async untilLogged(text: string): Promise<void> {
    await eventually(`the log has ${text}`, () => {
      if (this.#child.exitCode !== null && !this.#log.includes(text)) throw new Error(`it ended: ${this.#log}`);
      return this.#log.includes(text);
    });
  }

  /** Sets its clock so far ahead of ours, in milliseconds. */
  async setClock(ahead: number): Promise<void> {
    const set = once(this.#child, 'message');
    this.#child.send(ahead);
    await set;
  }

  /** Takes the processor from it (signal(7), SIGSTOP), or gives it back. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Waits until it has ended; its exit status. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit', { signal: AbortSignal.timeout(30_000) });
    return this.#child.exitCode;
  }

  /** Ends it as a node does that is drained, whatever has happened to it. */
  async stop(): Promise<void> {
    this.proxy.fault = {};
    this.resume();
    this.#child.kill('SIGTERM');
    try {
      await this.ended();
    } finally {
      this.#child.kill('SIGKILL');
      await this.proxy.stop();
    }
  }
}
