/** A namespace in a network that ovn-uplinks provides, and what is planned and written for its Services. */
import { type ClusterSnapshot, defaultSettings, planCluster } from '../../../src/domain/index.ts';
import { objectText } from '../../../src/domain/objects/object-write.ts';
import { plannedWrites } from '../../../src/domain/plan/cluster/planned-writes.ts';
import { withLabels, withWrittenSlices } from '../../property/service-changes.ts';
import { cluster, namespace, network } from './brief-objects.ts';
import { attachedPod, endpointOf, service, slice } from './brief-services.ts';

export const settings = { ...defaultSettings, providedNetworks: 'all' as const };

/** Network `blue`, of the namespace of that name. */
export const blue = network('blue', {
  uplinks: undefined,
  network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  metadata: { uid: 'uid-blue' },
});

/** The slice of Service `web`. */
export const source = slice('web-1', 'blue', 'web', { uid: 'uid-web-1', endpoints: [endpointOf('one')] });

/** Service `web` of network `blue` with a pod. */
export const served = (objects: Partial<ClusterSnapshot> = {}): ClusterSnapshot =>
  cluster({
    clusterUserDefinedNetworks: [blue],
    namespaces: [namespace('blue', { tenant: 'blue', 'k8s.ovn.org/primary-user-defined-network': '' })],
    configMaps: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
        data: { 'network-1': 'cluster_udn_blue uid-blue' },
      },
    ],
    services: [service('web', 'blue', { uid: 'uid-web' })],
    endpointSlices: [source],
    pods: [attachedPod('one', ['10.20.1.5/24'])],
    ...objects,
  });

/** The plan of a cluster. */
export const planned = (snapshot: ClusterSnapshot) => planCluster(snapshot, { ...settings });

/** The writes for Services, as text. */
export const writes = (snapshot: ClusterSnapshot) =>
  plannedWrites(planned(snapshot), snapshot).services.map(({ write }) => `${write.verb} ${objectText(write)}`);

/** The cluster once everything is written for Services. */
export function stored(snapshot: ClusterSnapshot): ClusterSnapshot {
  const { services } = planned(snapshot).provision!;
  return {
    ...snapshot,
    services: withLabels(snapshot.services, services),
    endpointSlices: withWrittenSlices(snapshot.endpointSlices, services),
  };
}
