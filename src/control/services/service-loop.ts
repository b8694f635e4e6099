/**
 * Serves the Services of networks, beside the loop of a node.
 */
import type { ServedNetwork } from '../../domain/snapshot/served-network.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import type { LoadBalancers } from '../../ports/node/load-balancers.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import type { Loop } from '../cluster/leading.ts';
import { newWarnings } from '../new-warnings.ts';
import { observedStore } from '../pods/observed-store.ts';
import { Repairs } from '../repairs.ts';
import { ServedNetworksSource, withServedNetworks } from './reported-services.ts';
import { ServiceAgent } from './service-agent.ts';
import { ServiceCluster } from './service-cluster.ts';

/** Needs of the loop. */
export interface ServiceLoopPorts {
  readonly store: ResourceStore;
  readonly objects: ServedObjectsSource;
  readonly loadBalancers: LoadBalancers;
  readonly connections: ServiceConnections;
  readonly flows: ServiceFlows;
}

/** Serves Services from the start of a loop until its end. */
export class ServiceLoop {
  /** Its loop has to read the cluster from here. */
  readonly store: ResourceStore;
  readonly #ports: ServiceLoopPorts;
  readonly #cluster: ServiceCluster;
  readonly #served = new ServedNetworksSource();

  /** @param node name of the Node */
  constructor(node: string, settings: NodeSettings, ports: ServiceLoopPorts) {
    this.#ports = ports;
    this.#cluster = new ServiceCluster(node, settings);
    this.store = withServedNetworks(
      observedStore(ports.store, (snapshot) => this.#cluster.update(snapshot)),
      this.#served,
    );
  }

  /** Takes a report of its loop: it has to be given all of them. */
  take(report: NodeReport): void {
    this.#cluster.takeReport(report);
  }

  /** A loop that runs beside it. @param report takes reports for logs and metrics; must not throw */
  runWith(loop: Loop, report: (report: ServiceReport) => void): Loop {
    return {
      run: async () => {
        const { objects, loadBalancers, connections, flows } = this.#ports;
        const cluster = this.#cluster;
        const served = (networks: readonly ServedNetwork[]) => this.#served.set(networks);
        const again = () => repairs.changed();
        const agent = new ServiceAgent({ objects, loadBalancers, connections, flows, cluster, report, served, again });
        const repairs: Repairs = new Repairs(
          { repair: (scope) => agent.repair(scope), idle: () => Promise.resolve() },
          (error, retryIn) => report({ kind: 'services-failed', error, retryIn }),
        );
        const warn = newWarnings(objects, (text) => report({ kind: 'services-warning', text }));
        for (const source of [objects, loadBalancers, flows, cluster]) source.onChange(() => repairs.changed());
        objects.onChange(warn);
        warn();
        repairs.changed();
        const isDone = await loop.run();
        await repairs.stop();
        agent.stop();
        return isDone;
      },
      stop: () => loop.stop(),
    };
  }
}
