/** Measures planCluster for a cluster whose networks are all provided wholly: each is in a namespace, and has its id. */
import { type ClusterSnapshot, defaultSettings, emptyCluster, planCluster } from '../src/domain/index.ts';
import { ID_CLAIMS_NAME, NODE_ID_ANNOTATION, PRIMARY_NETWORK_LABEL } from '../src/domain/basics/conventions.ts';
import { cpuOf, median, report } from './figure.ts';

const [nodes = 5000, networks = 1000] = process.argv.slice(2).map(Number);
const settings = { ...defaultSettings, providedNetworks: 'all' } as const;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const nodeName = (index: number) => `worker-${String(index)}`;
const tenant = (index: number) => `tenant-${String(index)}`;
/** The claims of all ids, as the ConfigMap has them. */
const claims = new Map([
  ...numbers(networks).map(
    (index) => [`network-${String(index + 1)}`, `cluster_udn_${tenant(index)} ${tenant(index)}`] as const,
  ),
  ...numbers(nodes).map((index) => [`node-${String(index + 2)}`, `${nodeName(index)} ${nodeName(index)}`] as const),
]);
const twoBytes = (index: number) => `${String(index >> 8)}.${String(index & 255)}`;

const cluster: ClusterSnapshot = {
  ...emptyCluster,
  nodes: numbers(nodes).map((index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName(index), uid: nodeName(index), annotations: { [NODE_ID_ANNOTATION]: String(index + 2) } },
    spec: { podCIDRs: [`10.${twoBytes(index)}.0/24`] },
    status: { addresses: [{ type: 'InternalIP', address: `172.16.${twoBytes(index)}` }] },
  })),
  namespaces: numbers(networks).map((index) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: tenant(index), labels: { tenant: tenant(index), [PRIMARY_NETWORK_LABEL]: '' } },
  })),
  clusterUserDefinedNetworks: numbers(networks).map((index) => ({
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name: tenant(index), uid: tenant(index), creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      namespaceSelector: { matchLabels: { tenant: tenant(index) } },
      network: {
        topology: 'Layer3',
        layer3: { role: 'Primary', subnets: [{ cidr: '11.0.0.0/8', hostSubnet: 24 }] },
      },
    },
  })),
  configMaps: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: settings.namespace, name: ID_CLAIMS_NAME },
      data: Object.fromEntries(claims),
    },
  ],
};

/** Plans the networks once more, of which one has changed. */
function planAgain(): void {
  const [first, ...others] = cluster.clusterUserDefinedNetworks;
  if (first === undefined) throw new Error('expected at least one network');
  planCluster({ ...cluster, clusterUserDefinedNetworks: [{ ...first }, ...others] }, settings);
}

const cold = cpuOf(() => planCluster(cluster, settings));
const { provision } = planCluster(cluster, settings);
if (provision?.definitions.length !== networks) throw new Error('expected a definition of each network');
const size = { nodes, networks };
report({ name: 'planCluster with whole networks, cold', size, value: cold, unit: 'ms of CPU' });
const warm = median([1, 2, 3, 4, 5].map(() => cpuOf(planAgain)));
report({
  name: 'planCluster with whole networks, one of them changed, median of 5',
  size,
  value: warm,
  unit: 'ms of CPU',
});
