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
import type { HealthCheckServers } from '../../ports/services/health-check-servers.ts';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import type { Loop } from '../cluster/leading.ts';
import { newWarnings } from '../new-warnings.ts';
import { observedStore } from '../pods/observed-store.ts';
import { Repairs, type RepairScope } from '../repairs.ts';
import { HealthChecks } from './health-checks.ts';
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
  readonly healthCheckServers: HealthCheckServers;
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
        const { healthCheckServers: servers, ...ports } = this.#ports;
        const { objects, loadBalancers, flows } = ports;
        const cluster = this.#cluster;
        const served = (networks: readonly ServedNetwork[]) => this.#served.set(networks);
        const again = () => repairs.changed();
        const warn = (text: string) => report({ kind: 'services-warning', text });
        const healthChecks = new HealthChecks({ servers, warn, again });
        const agent = new ServiceAgent({ ...ports, cluster, healthChecks, report, served, again });
        const repair = async (scope: RepairScope) => {
          const outcome = await agent.repair(scope);
          await healthChecks.follow();
          return outcome;
        };
        const repairs: Repairs = new Repairs({ repair, idle: () => Promise.resolve() }, (error, retryIn) =>
          report({ kind: 'services-failed', error, retryIn }),
        );
        const warnOfObjects = newWarnings(objects, warn);
        for (const source of [objects, loadBalancers, flows, cluster]) source.onChange(() => repairs.changed());
        objects.onChange(warnOfObjects);
        warnOfObjects();
        repairs.changed();
        const isDone = await loop.run();
        await repairs.stop();
        agent.stop();
        healthChecks.stop();
        return isDone;
      },
      stop: () => loop.stop(),
    };
  }
}
