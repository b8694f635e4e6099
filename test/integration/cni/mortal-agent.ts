/**
 * mortal-agent.ts FOLDER NORTHBOUND SWITCH: attaches pods as `ovn-uplinks node` does, with the databases, rules and interfaces of its host, by the socket
 * FOLDER/cni.sock. The objects of the cluster are messages of the parent process, which names the step that is the last one of the agent too.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PodDatabases } from '../../../src/control/pods/pod-ports.ts';
import { ports } from '../../../src/cmd/ports/container.ts';
import { machineContainer } from '../../../src/cmd/ports/machine-container.ts';
import { serveRuntimes } from '../../../src/cmd/run/serve-runtimes.ts';
import { PodService } from '../../../src/control/pods/pod-service.ts';
import { NoResources } from '../../../src/control/no-resources.ts';
import { unixServer } from '../../../src/adapters/ovsdb/server.ts';
import { POD_NETWORKS_ANNOTATION } from '../../../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, emptyCluster } from '../../../src/domain/index.ts';
import type { DefaultServices } from '../../../src/domain/pods/default-services.ts';
import type { ClusterReading } from '../../../src/ports/cluster/cluster-source.ts';
import type { Reading } from '../../../src/ports/input-problem.ts';
import type { PodAnnotations } from '../../../src/ports/cluster/pod-annotations.ts';
import type { AttachStep, PodReport } from '../../../src/ports/pods/pod-report.ts';
import { FakeHostNetwork } from '../../fakes/host-network.ts';

/**
 * A step of detaching a pod, in their order: the plugin has deleted the interface, the agent has removed its logical switch port, its lock, and its port of
 * Open vSwitch.
 */
export type DetachStep = 'interface-deleted' | 'unlocked' | 'logical-port-removed' | 'switch-port-removed';

/** A message of the parent process. */
export type Message =
  | { readonly kind: 'cluster'; readonly cluster: ClusterSnapshot }
  /** The agent is killed once it has taken this step. */
  | { readonly kind: 'die'; readonly after: AttachStep | DetachStep };

const [folder = '', northbound = '', switchSocket = ''] = process.argv.slice(2);

const annotationsFolder = join(folder, 'annotations');

let last: AttachStep | DetachStep | undefined;

function taken(step: AttachStep | DetachStep): void {
  if (step === last) process.kill(process.pid, 'SIGKILL');
}

/** The stored annotation of a pod, if any. */
function annotationOf(uid: string): string | undefined {
  return readdirSync(annotationsFolder).includes(uid) ? readFileSync(join(annotationsFolder, uid), 'utf8') : undefined;
}

const annotations: PodAnnotations = {
  annotate: ({ uid }, change) => {
    writeFileSync(join(annotationsFolder, uid), change(annotationOf(uid)));
    store.changed();
    return Promise.resolve({ done: true });
  },
};

/** The objects that the parent process has, with the annotations of pods. */
class Store extends NoResources {
  #cluster: ClusterSnapshot = emptyCluster;
  #listener = (): void => undefined;

  override read(): Promise<Reading<ClusterReading>> {
    const pods = this.#cluster.pods.map((pod) => {
      const text = annotationOf(pod.metadata.uid ?? '');
      if (text === undefined) return pod;
      return { ...pod, metadata: { ...pod.metadata, annotations: { [POD_NETWORKS_ANNOTATION]: text } } };
    });
    const snapshot = { ...this.#cluster, pods };
    return Promise.resolve({ read: true, value: { snapshot, origins: new Map(), warnings: [] } });
  }

  override onChange(listener?: () => void): void {
    if (listener !== undefined) this.#listener = listener;
  }

  changed(cluster = this.#cluster): void {
    this.#cluster = cluster;
    this.#listener();
  }
}

const store = new Store('worker-a');

/** Databases whose removals are steps of detaching a pod. */
function watched(databases: PodDatabases): PodDatabases {
  const { logicalPorts, switchPorts, locks } = databases;
  return {
    logicalPorts: {
      read: () => logicalPorts.read(),
      put: (port) => logicalPorts.put(port),
      remove: async (port, now) => {
        const result = await logicalPorts.remove(port, now);
        taken('logical-port-removed');
        return result;
      },
      onChange: (listener) => logicalPorts.onChange(listener),
    },
    switchPorts: {
      read: () => switchPorts.read(),
      add: (port) => switchPorts.add(port),
      remove: async (name) => {
        const result = await switchPorts.remove(name);
        taken('switch-port-removed');
        return result;
      },
      installed: (...words) => switchPorts.installed(...words),
      onChange: (listener) => switchPorts.onChange(listener),
    },
    locks: {
      read: () => locks.read(),
      known: () => locks.known(),
      put: (wanted) => locks.put(wanted),
      remove: async (indexes) => {
        taken('interface-deleted');
        const result = await locks.remove(indexes);
        taken('unlocked');
        return result;
      },
      clear: () => locks.clear(),
      onChange: (...listeners) => locks.onChange(...listeners),
    },
    close: () => databases.close(),
  };
}

mkdirSync(annotationsFolder, { recursive: true });
const databases = machineContainer().get(ports.podDatabases)(switchSocket, unixServer(northbound, 'OVN'));
const defaultServices = {
  services: [{ protocol: 'tcp', address: '10.96.0.1', port: 443 }],
  addresses: ['10.96.0.1', '10.96.0.10'],
  missing: [],
  unreached: [],
} satisfies DefaultServices;
const services = {
  read: () => ({ read: true, value: defaultServices }) as const,
  warnings: [],
  onChange: () => () => undefined,
};
const warnings = { warn: () => undefined };
const service = new PodService(
  'worker-a',
  { ...defaultSettings, providedNetworks: 'all' },
  {
    databases: watched(databases),
    store,
    annotations,
    services,
    warnings,
    serve: serveRuntimes(join(folder, 'cni.sock')),
  },
);
const forever = { run: () => Promise.withResolvers<boolean>().promise, stop: () => undefined };
const report = (each: PodReport): void => {
  if (each.kind === 'attach-step') taken(each.step);
  if (each.kind === 'serving') process.send?.('serving');
};
process.on('message', (message: Message) => {
  if (message.kind === 'cluster') store.changed(message.cluster);
  else last = message.after;
  process.send?.('understood');
});
process.on('disconnect', () => process.exit());
service.store.onChange(() => undefined);
await service.observed(new FakeHostNetwork()).read();
await service
  .runWith(forever, report, (error) => {
    throw new Error(error);
  })
  .run();
