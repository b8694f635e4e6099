import { type ClusterSnapshot, defaultSettings, type NodeSettings } from '../../../../src/domain/index.ts';
import { cluster, namespace, network, node } from '../brief-objects.ts';

/** Settings of a cluster whose networks are all provided. */
export const provided: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };

/** A cluster with node `a` and namespace `demo`, which asks for a primary network. */
export function emptyProvidedCluster(objects: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  return cluster({
    nodes: [node('a', { uid: 'uid-a', annotations: { 'k8s.ovn.org/node-id': '2' } })],
    namespaces: [namespace('demo', { tenant: 'demo', 'k8s.ovn.org/primary-user-defined-network': '' })],
    ...objects,
  });
}

/** The cluster with node `a`, namespace `demo`, and network `blue`, which has an id and is in that namespace. */
export function withNetwork(): ClusterSnapshot {
  const uid = 'uid-blue';
  const finalizers = ['k8s.ovn.org/user-defined-network-protection'];
  return emptyProvidedCluster({
    clusterUserDefinedNetworks: [
      network('blue', {
        uplinks: undefined,
        namespaceSelector: { matchLabels: { tenant: 'demo' } },
        network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/23', hostSubnet: 24 }] } },
        metadata: { uid, finalizers },
      }),
    ],
    networkAttachmentDefinitions: [
      {
        apiVersion: 'k8s.cni.cncf.io/v1',
        kind: 'NetworkAttachmentDefinition',
        metadata: {
          namespace: 'demo',
          name: 'blue',
          labels: { 'k8s.ovn.org/user-defined-network': '' },
          finalizers,
          ownerReferences: [
            { apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterUserDefinedNetwork', name: 'blue', uid, controller: true },
          ],
        },
        spec: { config: '{"type":"ovn-uplinks-cni","role":"primary"}' },
      },
    ],
    configMaps: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
        data: { 'network-1': 'cluster_udn_blue uid-blue', 'node-2': 'a uid-a' },
      },
    ],
  });
}

/** A report of node `a`, which it has stored. */
export function reportOf(data: Readonly<Record<string, string>>): ClusterSnapshot['configMaps'][number] {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-node-a' },
    data: { node: 'a', uid: 'uid-a', networks: '1', ...data },
  };
}

/** The cluster with network `blue` and a report of node `a`. */
export function withReport(data: Readonly<Record<string, string>>): ClusterSnapshot {
  const cluster = withNetwork();
  return { ...cluster, configMaps: [...cluster.configMaps, reportOf(data)] };
}
