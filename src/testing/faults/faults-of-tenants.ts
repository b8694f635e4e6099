/**
 * Faults by which what one tenant has counts for another one: they break the law that keeps tenants separate.
 */
import type { ObjectMeta } from '../../domain/api/object-meta.ts';
import { API_SERVICE, OWN_DEFINITION_LABEL } from '../../domain/basics/conventions.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { type Engine, engine } from '../engine.ts';
import { type SeededFault, withOtherInput } from './faulty-engine.ts';

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

/** A cluster in which networks of tenants are told by their names. */
const withNetworksByName = (cluster: ClusterSnapshot): ClusterSnapshot => ({
  ...cluster,
  userDefinedNetworks: firstBy(cluster.userDefinedNetworks, ({ metadata }) => metadata.name),
});

/** An engine that decides about pods from another cluster than it is given. */
const withOtherClusterOfPods = (see: (cluster: ClusterSnapshot, uid: string) => ClusterSnapshot): Engine => ({
  ...engine,
  podOnNode: (pod, node, cluster, settings) => engine.podOnNode(pod, node, see(cluster, pod.uid), settings),
});

/** Objects with other metadata. */
function withMetadata<T extends Meant>(
  list: readonly T[],
  change: (metadata: T['metadata']) => T['metadata'],
): readonly T[] {
  return list.map((object) => ({ ...object, metadata: change(object.metadata) }));
}

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
  {
    law: 'separate',
    fault: 'UserDefinedNetworks are found by their names, whatever their namespace',
    engine: withOtherCluster(withNetworksByName),
  },
  {
    law: 'separate',
    fault: 'A NetworkAttachmentDefinition that names a network as its owner is taken for one of the cluster manager',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      networkAttachmentDefinitions: withMetadata(cluster.networkAttachmentDefinitions, (metadata) => ({
        ...metadata,
        labels: { [OWN_DEFINITION_LABEL]: '' },
      })),
    })),
  },
  {
    law: 'separate',
    fault: 'Open ports of a pod are those of the first pod with its uid',
    engine: withOtherClusterOfPods((cluster, uid) => {
      const first = cluster.pods.find(({ metadata }) => metadata.uid === uid);
      return {
        ...cluster,
        pods: withMetadata(cluster.pods, (metadata) => {
          const { annotations = {} } = first?.metadata ?? metadata;
          return metadata.uid === uid ? { ...metadata, annotations } : metadata;
        }),
      };
    }),
  },
  {
    law: 'separate',
    fault: 'Everybody with a Service of the name of the Kubernetes API opens the interfaces of pods for it',
    engine: withOtherClusterOfPods((cluster) => ({
      ...cluster,
      services: withMetadata(cluster.services, (metadata) =>
        metadata.name === API_SERVICE.name ? { ...metadata, ...API_SERVICE } : metadata,
      ),
    })),
  },
  {
    law: 'separate',
    fault: 'Of networks of tenants that have the same name a node has the first one',
    engine: withOtherInput({ cluster: withNetworksByName }),
  },
];
