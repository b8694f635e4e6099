/** Cases without nodes, of clusters with Services in networks that ovn-uplinks provides. */
import fc from 'fast-check';
import type { Endpoint, EndpointSlice } from '../../domain/api/endpoint-slice.ts';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { Pod } from '../../domain/api/pod.ts';
import type { Service } from '../../domain/api/service.ts';
import {
  ID_CLAIMS_NAME,
  POD_NETWORKS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
  SERVICE_NAME_LABEL,
  SERVICE_PROXY_LABEL,
} from '../../domain/basics/conventions.ts';
import { type ClusterSnapshot, emptyCluster } from '../../domain/snapshot/cluster-snapshot.ts';
import { defaultSettings } from '../../domain/snapshot/settings.ts';
import type { Case } from '../case.ts';

const namespaceNames = ['blue', 'red'] as const;
const podNames = ['one', 'two', 'three'] as const;
const serviceNames = ['web', 'db'] as const;
const subnets = { blue: '10.20.0.0/16', red: '10.30.0.0/16' } as const;

type NamespaceName = (typeof namespaceNames)[number];

const inNamespaces = fc.constantFrom(...namespaceNames);

/** Addresses in the networks, in the default one, and elsewhere. */
const addresses = fc.constantFrom('10.20.1.5', '10.20.1.6', '10.30.1.5', '10.244.0.5', '192.0.2.1');

const keyOf = ({ metadata: { namespace = '', name } }: Pod | Service | EndpointSlice) => `${namespace}/${name}`;

/** A pod with an address in the network of its namespace, in another one, or in none. */
const pods: fc.Arbitrary<Pod[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(...podNames),
      namespace: inNamespaces,
      generation: fc.constantFrom('a', 'a', 'b'),
      network: fc.constantFrom('own', 'own', 'own', 'other', 'none'),
      address: addresses,
      isHostNetwork: fc.constantFrom(false, false, false, true),
    })
    .map(({ name, namespace, generation, network, address, isHostNetwork }): Pod => {
      const definition = `${namespace}/${network === 'own' ? namespace : 'other'}`;
      const text = JSON.stringify({ [definition]: { ip_addresses: [`${address}/24`] } });
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name,
          namespace,
          uid: `uid-${name}-${generation}`,
          ...(network !== 'none' && { annotations: { [POD_NETWORKS_ANNOTATION]: text } }),
        },
        spec: { nodeName: 'worker', ...(isHostNetwork && { hostNetwork: true }) },
        status: { phase: 'Running' },
      };
    }),
  { selector: keyOf, maxLength: 6 },
);

const services: fc.Arbitrary<Service[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(...serviceNames),
      namespace: inNamespaces,
      proxy: fc.constantFrom('ovn-uplinks', 'ovn-uplinks', undefined, 'other'),
    })
    .map(({ name, namespace, proxy }): Service => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, ...(proxy !== undefined && { labels: { [SERVICE_PROXY_LABEL]: proxy } }) },
      spec: { clusterIPs: ['10.96.0.10'] },
    })),
  { selector: keyOf, minLength: 1, maxLength: 4 },
);

const endpointsIn = (namespace: string): fc.Arbitrary<Endpoint> =>
  fc
    .record({
      pod: fc.constantFrom(...podNames, undefined),
      generation: fc.constantFrom('a', 'a', 'b'),
      at: fc.constantFrom(namespace, namespace, namespace, 'blue'),
      address: addresses,
      ready: fc.boolean(),
    })
    .map(({ pod, generation, at, address, ready }) => ({
      addresses: [address],
      conditions: { ready },
      ...(pod !== undefined && {
        targetRef: { kind: 'Pod', namespace: at, name: pod, uid: `uid-${pod}-${generation}` },
      }),
    }));

const slices: fc.Arbitrary<EndpointSlice[]> = fc.uniqueArray(
  inNamespaces.chain((namespace) =>
    fc
      .record({
        number: fc.constantFrom(1, 2),
        service: fc.constantFrom(...serviceNames),
        endpoints: fc.array(endpointsIn(namespace), { maxLength: 4 }),
      })
      .map(({ number, service, endpoints }): EndpointSlice => ({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: `${service}-${String(number)}`,
          namespace,
          uid: `uid-${service}-${String(number)}`,
          labels: { [SERVICE_NAME_LABEL]: service },
        },
        addressType: 'IPv4',
        endpoints,
        ports: [{ name: '', protocol: 'TCP', port: 8080 }],
      })),
  ),
  { selector: keyOf, minLength: 1, maxLength: 5 },
);

const namespace = (name: NamespaceName): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { tenant: name, [PRIMARY_NETWORK_LABEL]: '' } },
});

const network = (name: NamespaceName): ClusterSnapshot['clusterUserDefinedNetworks'][number] => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name, uid: `uid-${name}` },
  spec: {
    namespaceSelector: { matchLabels: { tenant: name } },
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: subnets[name] }] } },
  },
});

const claims: ClusterSnapshot['configMaps'] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: defaultSettings.namespace, name: ID_CLAIMS_NAME },
    data: Object.fromEntries(
      namespaceNames.map((name, at) => [`network-${String(at + 1)}`, `cluster_udn_${name} uid-${name}`]),
    ),
  },
];

/** Cases of clusters with Services, which have no mirrors yet. */
export const servedCases: fc.Arbitrary<Case> = fc.record({ pods, services, slices }).map((objects) => ({
  cluster: {
    ...emptyCluster,
    clusterUserDefinedNetworks: namespaceNames.map(network),
    namespaces: namespaceNames.map(namespace),
    configMaps: claims,
    pods: objects.pods,
    services: objects.services,
    endpointSlices: objects.slices,
  },
  nodes: [],
  settings: { ...defaultSettings, providedNetworks: 'all' },
}));
