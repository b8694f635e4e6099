/**
 * Faults by which what one tenant has counts for another one: they break the law that keeps tenants separate.
 */
import type { ObjectMeta } from '../../domain/api/object-meta.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { type Engine, engine } from '../engine.ts';
import type { SeededFault } from './faulty-engine.ts';

interface Meant {
  readonly metadata: ObjectMeta;
}

/** The first ones of objects that are equal by a text. */
function firstBy<T extends Meant>(list: readonly T[], textOf: (object: T) => string): readonly T[] {
  const texts = list.map(textOf);
  return list.filter((object, at) => texts.indexOf(textOf(object)) === at);
}

/** An engine that plans from another cluster than it is given. */
const withOtherCluster = (see: (cluster: ClusterSnapshot) => ClusterSnapshot): Engine => ({
  ...engine,
  planCluster: (cluster, settings) => engine.planCluster(see(cluster), settings),
});

/** Each breaks the law that it names. */
export const faultsOfTenants: readonly SeededFault[] = [
  {
    law: 'separate',
    fault: 'Pods are found by their uids, whatever their namespace',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      pods: firstBy(cluster.pods, ({ metadata: { name, uid } }) => uid ?? name),
    })),
  },
  {
    law: 'separate',
    fault: 'EndpointSlices are found by their names, whatever their namespace',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      endpointSlices: firstBy(cluster.endpointSlices, ({ metadata }) => metadata.name),
    })),
  },
  {
    law: 'separate',
    fault: 'Of Services with one address the first one has it, whatever their namespaces',
    engine: {
      ...engine,
      servicesOnNode: () => {
        const services = engine.servicesOnNode();
        return {
          desired: (key) => services.desired(key),
          take: ({ services: all, ...objects }, surroundings) =>
            services.take(
              { ...objects, services: firstBy(all, ({ spec }) => (spec.clusterIPs ?? []).join()) },
              surroundings,
            ),
        };
      },
    },
  },
];
