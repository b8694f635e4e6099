export const NETWORK = 'ClusterUserDefinedNetwork';

/** A namespace of a tenant that may have a primary network. */
export const namespace = (name: string, tenant: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { tenant, 'k8s.ovn.org/primary-user-defined-network': '' } },
});

/** The spec of a primary Layer3 network. */
export const layer3 = (cidr: string) => ({
  topology: 'Layer3',
  layer3: { role: 'Primary', subnets: [{ cidr, hostSubnet: 24 }] },
});

/** A network in the namespaces of the tenant of its name. */
export const clusterNetwork = (name: string, cidr = '10.20.0.0/16') => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: NETWORK,
  metadata: { name },
  spec: { namespaceSelector: { matchLabels: { tenant: name } }, network: layer3(cidr) },
});

export const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

/** A pod on a node. */
export const pod = (inNamespace: string, name: string, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: inNamespace, name, annotations },
  spec: {
    nodeName: 'worker-a',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: 'example.org/main' }],
  },
});
