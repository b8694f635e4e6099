/**
 * Attaches pods to the networks that ovn-uplinks provides, beside the loop of a node.
 */
import type { ServeCni } from '../../ports/pods/cni-agent.ts';
import type { Loop } from '../cluster/leading.ts';
import { succeeded } from './failure.ts';
import { KnownSurroundings } from './known-surroundings.ts';
import { PodAgent } from './pod-agent.ts';
import { newWarnings } from '../new-warnings.ts';
import { Repairs } from '../repairs.ts';
import { SnapshotCluster } from './snapshot-cluster.ts';
import { observedHostNetwork } from './observed-host-network.ts';
import { observedStore } from './observed-store.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { HostNetwork } from '../../ports/node/host-network.ts';
import type { PodAnnotations } from '../../ports/cluster/pod-annotations.ts';
import type { PodReport } from '../../ports/pods/pod-report.ts';
import type { ObjectWarnings } from '../../ports/cluster/object-warnings.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { StandingWarnings } from '../standing-warnings.ts';
import { unixTime } from '../time.ts';
import type { PodDatabases } from './pod-ports.ts';

/** Needs of the service for pods. */
export interface PodServicePorts {
  readonly databases: PodDatabases;
  readonly store: ResourceStore;
  readonly annotations: PodAnnotations;
  readonly services: ClusterServices;
  readonly warnings: ObjectWarnings;
  readonly serve: ServeCni;
}

/** Reports failures of repairs. */
function reportFailure(report: (report: PodReport) => void): (error: string, retryIn: number) => void {
  return (error, retryIn) => report({ kind: 'repair-failed', error, retryIn });
}

/** Prepares pods after changes as repairs are made, but also while calls are being answered: it is for the next ones. */
function preparationsOf(agent: PodAgent, report: (report: PodReport) => void): Repairs {
  const repair = async () => {
    await agent.prepare();
    return succeeded(undefined);
  };
  return new Repairs({ repair, idle: () => Promise.resolve() }, reportFailure(report));
}

/** Answers container runtimes from the start of a loop until its end, and repairs ports of pods meanwhile. */
export class PodService {
  /** Its loop has to read the cluster from here. */
  readonly store: ResourceStore;
  readonly #ports: PodServicePorts;
  readonly #cluster: SnapshotCluster;
  readonly #surroundings: KnownSurroundings;
  readonly #settings: NodeSettings;

  /** @param node name of the Node whose pods are attached */
  constructor(node: string, settings: NodeSettings, ports: PodServicePorts) {
    this.#ports = ports;
    this.#settings = settings;
    this.#cluster = new SnapshotCluster(node, settings, ports.annotations);
    this.#surroundings = new KnownSurroundings(ports.services);
    this.store = observedStore(ports.store, (snapshot) => this.#cluster.update(snapshot));
  }

  /** The network of the node, as its loop has to read it. */
  observed(network: HostNetwork): HostNetwork {
    return observedHostNetwork(network, (snapshot) => this.#surroundings.update(snapshot));
  }

  /**
   * A loop that runs beside the service, and not without it.
   *
   * @param report takes reports for logs and metrics; must not throw
   * @param failed takes why the runtimes cannot be served
   */
  runWith(loop: Loop, report: (report: PodReport) => void, failed: (error: string) => void): Loop {
    return {
      run: async () => {
        const { logicalPorts, switchPorts, locks } = this.#ports.databases;
        const [cluster, surroundings] = [this.#cluster, this.#surroundings];
        const ports = { cluster, logicalPorts, switchPorts, locks, surroundings, now: unixTime, report };
        const agent = new PodAgent(ports, this.#settings);
        const server = await this.#ports.serve(agent, report);
        if (typeof server === 'string') {
          failed(server);
          return false;
        }
        const repairs = new Repairs(agent, reportFailure(report));
        for (const source of [cluster, logicalPorts, switchPorts, surroundings])
          source.onChange(() => repairs.changed());
        const preparations = preparationsOf(agent, report);
        for (const source of [cluster, logicalPorts, switchPorts]) source.onChange(() => preparations.changed());
        preparations.changed();
        const standing = new StandingWarnings(this.#ports.warnings);
        cluster.onChange(() => standing.take(cluster.warnings()));
        standing.take(cluster.warnings());
        const warn = newWarnings(this.#ports.services, (text) => report({ kind: 'warning', text }));
        this.#ports.services.onChange(warn);
        warn();
        locks.onChange(
          () => repairs.changed(),
          (text) => report({ kind: 'warning', text }),
        );
        repairs.changed();
        const isDone = await loop.run();
        await server.close();
        await Promise.all([repairs.stop(), preparations.stop()]);
        return isDone;
      },
      stop: () => loop.stop(),
    };
  }
}
