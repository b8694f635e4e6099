/**
 * A cluster of many nodes on a real API server: objects as an administrator writes them, UplinkStates as its agents would, and a cluster manager.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { objectPath, pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { WatchedList } from '../../../src/adapters/kubernetes/watch/watched-list.ts';
import { isJsonObject, type JsonObject } from '../../../src/adapters/json/json-object.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { type KindKey, kinds } from '../../../src/domain/api/kinds.ts';
import { uplinkStateName } from '../../../src/domain/status/state-identity.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';

/** How many of each. The networks are spread over the uplinks. */
export interface ClusterSize {
  readonly nodes: number;
  readonly uplinks: number;
  readonly networks: number;
}

/** The kinds that the cluster manager writes the status of. */
const written = ['uplinks', 'clusterUserDefinedNetworks'] as const satisfies readonly KindKey[];
type WrittenKey = (typeof written)[number];

/** Requests at once. */
const CONCURRENCY = 16;

/** Characters of the cluster manager's log that are kept for an error. */
const LOG_LENGTH = 2000;

/** Milliseconds after which something that has not happened fails. */
const DEADLINE = 90_000;

const root = join(import.meta.dirname, '../../..');
const lastTransitionTime = '2026-01-02T03:04:05Z';

/** The label by which an uplink selects a node. */
const labelOf = (uplink: number) => `example.com/uplink-${uplink}`;

/** A status of a condition, and its message. */
export interface ConditionText {
  readonly status: string;
  readonly message: string;
}

/** A kind as it is watched: the versions of each object, and its condition. */
interface Watched {
  readonly list: WatchedList;
  readonly versions: Map<string, number>;
}

export class ManyNodes {
  readonly size: ClusterSize;
  readonly #server: TestApiServer;
  readonly #administrator: Administrator;
  readonly #watching: ApiServer;
  readonly #watched: ReadonlyMap<WrittenKey, Watched>;
  readonly #waiting = new Set<() => void>();
  /** The nodes that run pods of a network. */
  readonly #podNodes = new Map<string, Set<number>>();
  #manager: ChildProcess | undefined;
  #log = '';

  private constructor(size: ClusterSize, server: TestApiServer, administrator: Administrator, watching: ApiServer) {
    this.size = size;
    this.#server = server;
    this.#administrator = administrator;
    this.#watching = watching;
    this.#watched = new Map(written.map((key) => [key, this.#watch(key)]));
  }

  /** Starts an API server with the definitions of ovn-uplinks, and nothing else. */
  static async start(size: ClusterSize): Promise<ManyNodes> {
    const server = await TestApiServer.start();
    server.apply(...customResourceDefinitions());
    for (const { metadata } of customResourceDefinitions())
      server.kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=60s']);
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    return new ManyNodes(size, server, await Administrator.of(server), new ApiServer(access.value));
  }

  async stop(): Promise<void> {
    this.#manager?.kill('SIGKILL');
    await Promise.all([...this.#watched.values()].map(({ list }) => list.close()));
    this.#watching.close();
    this.#administrator.close();
    await this.#server.stop();
  }

  /**
   * Starts a cluster manager.
   *
   * @param program the words of Node.js for it
   * @param options further ones of its own; pods are read with `--dynamic-udn` only
   */
  startManager(program: readonly string[] = ['src/cmd/main.ts'], options: readonly string[] = []): void {
    const words = ['cluster-manager', '--kubeconfig', this.#server.kubeconfig, '--listen', '127.0.0.1:0', ...options];
    const manager = spawn(process.execPath, [...program, ...words], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    manager.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (this.#log = `${this.#log}${text}`.slice(-LOG_LENGTH)));
    this.#manager = manager;
  }

  /** Stops the cluster manager as a node does that is drained. */
  async stopManager(): Promise<void> {
    const manager = this.#manager;
    if (manager === undefined) return;
    const ended = once(manager, 'exit');
    manager.kill('SIGTERM');
    await ended;
  }

  /** The resources that the cluster manager has used so far: seconds of CPU, and MiB of memory now and at most (proc(5)). */
  usage(): { readonly cpu: number; readonly memory: number; readonly mostMemory: number } {
    const { pid = 0, exitCode } = this.#manager ?? {};
    if (typeof exitCode === 'number') throw new Error(`the cluster manager has ended: ${this.#log}`);
    const ofName = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mebibytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    // Clock ticks of user and kernel, of which Linux counts 100 a second.
    const ticks = Number(ofName[11]) + Number(ofName[12]);
    return { cpu: ticks / 100, memory: mebibytes('VmRSS'), mostMemory: mebibytes('VmHWM') };
  }

  /** Creates nodes, Uplinks over all of them, and networks. */
  async createObjects(): Promise<void> {
    const { nodes, uplinks, networks } = this.size;
    const labels = Object.fromEntries(range(uplinks).map((uplink) => [labelOf(uplink), 'yes']));
    await inParallel(range(nodes), (node) => this.#create('nodes', { metadata: { name: `node-${node}`, labels } }));
    await inParallel(range(uplinks), (uplink) =>
      this.#create('uplinks', {
        metadata: { name: `uplink-${uplink}` },
        spec: {
          nodeConfigs: [
            {
              type: 'OVSBridge',
              nodeSelector: { matchLabels: { [labelOf(uplink)]: 'yes' } },
              hostInterfaceName: `br-${uplink}`,
            },
          ],
        },
      }),
    );
    await inParallel(range(networks), (network) =>
      this.#create('clusterUserDefinedNetworks', {
        metadata: { name: `network-${network}` },
        spec: {
          namespaceSelector: { matchLabels: { tenant: `network-${network}` } },
          network: {
            topology: 'Layer3',
            layer3: { role: 'Primary', subnets: [{ cidr: `10.${network % 256}.0.0/16` }] },
          },
          uplinks: [`uplink-${network % uplinks}`],
        },
      }),
    );
  }

  /**
   * Creates pods that run, of the size that pods usually have: 4 KiB. They are spread over all nodes but the last, and those of a node over the namespaces of
   * the networks.
   */
  async createPods(count: number): Promise<void> {
    const { nodes, uplinks, networks } = this.size;
    // Without Dynamic UDN a network is active there too.
    const withPods = nodes - 1;
    // The pods of a node are first those of one uplink's networks, then those of the next.
    const inOrder = range(uplinks).flatMap((uplink) => this.networksOf(uplink));
    await inParallel(range(networks), (network) =>
      this.#create('namespaces', {
        metadata: { name: `network-${network}`, labels: { tenant: `network-${network}` } },
      }),
    );
    const env = range(40).map((index) => ({
      name: `VARIABLE_${index}`,
      value: 'what a program of the tenant is told',
    }));
    const containers = [{ name: 'main', image: 'registry.example.com/tenant/application:1.2.3', env }];
    this.#podNodes.clear();
    await inParallel(range(count), (pod) => {
      const node = pod % withPods;
      const network = inOrder[(node + Math.floor(pod / withPods)) % networks] ?? '';
      this.#podNodes.set(network, (this.#podNodes.get(network) ?? new Set()).add(node));
      return this.#create('pods', {
        metadata: { name: `pod-${pod}`, namespace: network, labels: { app: `app-${pod % 100}` } },
        spec: { nodeName: `node-${node}`, containers },
      });
    });
  }

  /**
   * Waits until the condition of each network is about exactly the nodes that run its pods, which shows that all pods were read; milliseconds.
   *
   * @throws {Error} if there is a network without pods
   */
  async untilPodsAreRead(): Promise<number> {
    const expected = range(this.size.networks).map((network) => {
      const name = `network-${network}`;
      const { size = 0 } = this.#podNodes.get(name) ?? {};
      if (size === 0) throw new Error(`${name} has no pods`);
      return [name, `ready on ${size} of ${size} active nodes`] as const;
    });
    return await this.#until(() => {
      const conditions = this.conditions('clusterUserDefinedNetworks');
      return expected.every(([name, message]) => conditions.get(name)?.message === message);
    });
  }

  /** Creates the state of each uplink on each node, as agents do that have just begun. */
  async createStates(isReady: boolean): Promise<void> {
    await inParallel(this.#pairs(), ([uplink, node]) => this.#createState(uplink, node, isReady));
  }

  /** Has every state turn ready, one after the other, as in a roll-out. */
  async rollOut(): Promise<void> {
    await inParallel(this.#pairs(), ([uplink, node]) => this.#writeStatus(uplink, node, true));
  }

  /** Has an uplink not select a node any more, by its label: the uplink's networks have no way out there, and the state is obsolete. */
  async deselect(uplink: number, node: number): Promise<void> {
    await this.#label(uplink, node, null);
  }

  /** Has an uplink select a node again, whose agent then writes its state. */
  async selectAgain(uplink: number, node: number): Promise<void> {
    const state = () => this.#administrator.get('UplinkState', stateName(uplink, node));
    await eventually('the obsolete state is deleted', async () => (await state()) === undefined);
    await this.#label(uplink, node, 'yes');
    await this.#createState(uplink, node, true);
  }

  async #label(uplink: number, node: number, value: string | null): Promise<void> {
    await this.#administrator.send({
      method: 'PATCH',
      path: objectPath(kinds.nodes, `node-${node}`),
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { [labelOf(uplink)]: value } } },
    });
  }

  /** Waits until the conditions of all objects say so; milliseconds. */
  async until(is: 'ready' | 'not ready'): Promise<number> {
    return await this.#until(() => {
      const expected = {
        uplinks: is === 'ready' ? 'False' : 'True',
        clusterUserDefinedNetworks: is === 'ready' ? 'True' : 'False',
      };
      return written.every((key) => {
        const statuses = [...this.conditions(key).values()].map(({ status }) => status);
        return statuses.length === this.#countOf(key) && statuses.every((status) => status === expected[key]);
      });
    });
  }

  /** Waits until the conditions of the networks of an uplink say so; milliseconds. */
  async untilNetworks(uplink: number, is: 'ready' | 'not ready'): Promise<number> {
    return await this.#until(() => {
      const conditions = this.conditions('clusterUserDefinedNetworks');
      const status = is === 'ready' ? 'True' : 'False';
      return this.networksOf(uplink).every((name) => conditions.get(name)?.status === status);
    });
  }

  /** The networks that leave by an uplink. */
  networksOf(uplink: number): readonly string[] {
    const { networks, uplinks } = this.size;
    return range(networks)
      .filter((network) => network % uplinks === uplink)
      .map((network) => `network-${network}`);
  }

  async #until(isSo: () => boolean): Promise<number> {
    const begin = performance.now();
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`the conditions are not as expected: ${JSON.stringify(this.#first())}`));
      }, DEADLINE);
      const check = () => {
        if (!isSo()) return;
        clearTimeout(late);
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
    return performance.now() - begin;
  }

  /** The condition of each object, by name: Degraded of an Uplink, UplinksReady of a network. */
  conditions(key: WrittenKey): ReadonlyMap<string, ConditionText> {
    const type = key === 'uplinks' ? 'Degraded' : 'UplinksReady';
    return new Map(
      (this.#watched.get(key)?.list.objects ?? []).flatMap(({ metadata, status }) => {
        const { name } = metadata as { readonly name: string };
        const { conditions = [] } = (status ?? {}) as {
          readonly conditions?: readonly (ConditionText & { type: string })[];
        };
        const found = conditions.find((condition) => condition.type === type);
        return found === undefined ? [] : [[name, found] as const];
      }),
    );
  }

  /** How often each object has been written so far, by kind and name. */
  writes(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#watched].flatMap(([key, { versions }]) =>
        [...versions].map(([name, count]) => [`${key}/${name}`, count] as const),
      ),
    );
  }

  #countOf(key: WrittenKey): number {
    return key === 'uplinks' ? this.size.uplinks : this.size.networks;
  }

  #first() {
    return written.map((key) => [...this.conditions(key)].slice(0, 3));
  }

  #pairs(): readonly (readonly [uplink: number, node: number])[] {
    const { nodes, uplinks } = this.size;
    return range(nodes).flatMap((node) => range(uplinks).map((uplink) => [uplink, node] as const));
  }

  async #create(
    key: KindKey,
    object: {
      readonly metadata: Readonly<Record<string, unknown>> & { readonly namespace?: string };
      readonly spec?: object;
    },
  ): Promise<void> {
    const { group, version, kind } = kinds[key];
    const body = { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object };
    await this.#administrator.send({ method: 'POST', path: pathOf(kinds[key], object.metadata.namespace), body });
  }

  async #createState(uplink: number, node: number, isReady: boolean): Promise<void> {
    const identity = { 'k8s.ovn.org/uplink': `uplink-${uplink}`, 'k8s.ovn.org/node': `node-${node}` };
    const metadata = { name: stateName(uplink, node), labels: identity, annotations: identity };
    await this.#create('uplinkStates', { metadata });
    await this.#writeStatus(uplink, node, isReady);
  }

  async #writeStatus(uplink: number, node: number, isReady: boolean): Promise<void> {
    const reason = isReady ? 'Ready' : 'BridgeInvalid';
    const condition = { type: 'Ready', status: isReady ? 'True' : 'False', reason, message: '', lastTransitionTime };
    await this.#administrator.send({
      method: 'PATCH',
      path: `${objectPath(kinds.uplinkStates, stateName(uplink, node))}/status`,
      contentType: 'application/merge-patch+json',
      body: {
        status: {
          uplinkName: `uplink-${uplink}`,
          nodeName: `node-${node}`,
          type: 'OVSBridge',
          hostInterfaceName: `br-${uplink}`,
          ovsBridge: { name: `br-${uplink}` },
          macAddress: '02:00:00:00:01:06',
          ipAddresses: ['192.0.2.6/24'],
          conditions: [condition],
          networks: this.networksOf(uplink).map((name) => ({
            name,
            ready: isReady ? 'True' : 'False',
            reason: isReady ? 'Ready' : 'UplinkNotReadyForNode',
            message: '',
          })),
        },
      },
    });
  }

  #watch(key: WrittenKey): Watched {
    const versions = new Map<string, number>();
    const list = new WatchedList(this.#watching, {
      path: pathOf(kinds[key]),
      accept: (object) => {
        const name = nameIn(object);
        versions.set(name, (versions.get(name) ?? 0) + 1);
        return { object, warnings: [] };
      },
      onChange: () => {
        for (const check of [...this.#waiting]) check();
      },
    });
    return { list, versions };
  }
}

function stateName(uplink: number, node: number): string {
  return uplinkStateName(`uplink-${uplink}`, `node-${node}`);
}

function nameIn({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata['name']) : '';
}

export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Does something for each item, several at once. */
export async function inParallel<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
  concurrency = CONCURRENCY,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    range(concurrency).map(async () => {
      for (const item of left) await task(item);
    }),
  );
}
