/** Cases of clusters with Services in networks that ovn-uplinks provides, and of a node. */
import fc from 'fast-check';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { Pod } from '../../domain/api/pod.ts';
import type { Service } from '../../domain/api/service.ts';
import {
  ID_CLAIMS_NAME,
  NAMES_SELECTOR_ANNOTATION,
  OWN_DEFINITION_LABEL,
  POD_NETWORKS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
  SERVICE_PROXY_LABEL,
  ZONE_LABEL,
} from '../../domain/basics/conventions.ts';
import { type ClusterSnapshot, emptyCluster } from '../../domain/snapshot/cluster-snapshot.ts';
import { defaultSettings } from '../../domain/snapshot/settings.ts';
import type { Case } from '../case.ts';
import {
  inFamily6,
  inNamespaces,
  keyOf,
  namespaceNames,
  type NamespaceName,
  podNames,
  serviceNames,
  slices,
  tcp,
  udp,
} from './served-slices.ts';
import { openingPorts, programmedNode, providingSettings, type TenantObjects, tenants } from './tenants.ts';

const subnets = {
  blue: ['10.20.0.0/16', 'fd00:20::/32'],
  red: ['10.30.0.0/16', 'fd00:30::/32'],
} as const;

/** Nodes by their zones. */
const zones = { 'worker-a': 'east', 'worker-b': 'west', 'worker-c': undefined } as const;

/** A pod with an address in the network of its namespace, in another one, or in none. */
const pods: fc.Arbitrary<Pod[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(...podNames),
      namespace: inNamespaces,
      generation: fc.constantFrom('a', 'a', 'a', 'b'),
      network: fc.constantFrom('own', 'own', 'own', 'own', 'other', 'none'),
      ends: fc.integer({ min: 1, max: 9 }),
      elsewhere: fc.constantFrom(undefined, undefined, undefined, '10.20.1.5', '10.30.1.5', '192.0.2.1'),
      isHostNetwork: fc.constantFrom(false, false, false, false, true),
      app: fc.constantFrom('peers', 'peers', 'other'),
      isReady: fc.boolean(),
    })
    .map(({ name, namespace, generation, network, ends, elsewhere, isHostNetwork, app, isReady }): Pod => {
      const address = elsewhere ?? `10.${namespace === 'blue' ? '20' : '30'}.1.${String(ends)}`;
      const definition = `${namespace}/${network === 'own' ? namespace : 'other'}`;
      const text = JSON.stringify({ [definition]: { ip_addresses: [`${address}/24`, `${inFamily6(address)}/64`] } });
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name,
          namespace,
          uid: `uid-${name}-${generation}`,
          labels: { app },
          ...(network !== 'none' && { annotations: { [POD_NETWORKS_ANNOTATION]: text } }),
        },
        spec: { nodeName: 'worker-a', ...(isHostNetwork && { hostNetwork: true }) },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
      };
    }),
  { selector: keyOf, minLength: 4, maxLength: 6 },
);

const specs: fc.Arbitrary<Service['spec']> = fc.record({
  clusterIPs: fc.constantFrom(['10.96.0.10'], ['10.96.0.10', 'fd96::a'], ['fd96::a'], ['10.20.1.5', 'fd00:20::1:5']),
  ports: fc.constantFrom([{ ...tcp, port: 80 }], [{ port: 80 }, { ...udp, port: 53 }], [{ port: 0 }]),
  internalTrafficPolicy: fc.constantFrom('Cluster', 'Cluster', 'Local'),
  publishNotReadyAddresses: fc.constantFrom(false, false, false, false, false, false, true),
  sessionAffinity: fc.constantFrom('None', 'ClientIP'),
});

/** The addresses of a Service: in a cluster whose database was restored those of another one, which is at place 0 too. */
const addressesAt = (place: number, clusterIPs: readonly string[] = []) =>
  clusterIPs.map((address) =>
    address === '10.96.0.10'
      ? `10.96.0.1${String(place)}`
      : address === 'fd96::a'
        ? `fd96::a${String(place)}`
        : address,
  );

const services: fc.Arbitrary<Service[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(...serviceNames),
      namespace: inNamespaces,
      proxy: fc.constantFrom('ovn-uplinks', 'ovn-uplinks', undefined, 'other'),
      spec: specs,
      isRestored: fc.boolean(),
    })
    .map(({ name, namespace, proxy, spec, isRestored }): Service => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, ...(proxy !== undefined && { labels: { [SERVICE_PROXY_LABEL]: proxy } }) },
      spec: { ...spec, clusterIPs: addressesAt(isRestored ? 0 : serviceNames.indexOf(name) + 1, spec.clusterIPs) },
    })),
  { selector: keyOf, minLength: 3, maxLength: 4 },
);

/** A Service in each namespace whose names lead to pods. */
const headless = (namespace: NamespaceName): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'peers',
    namespace,
    uid: `uid-peers-${namespace}`,
    labels: { [SERVICE_PROXY_LABEL]: 'ovn-uplinks' },
    annotations: { [NAMES_SELECTOR_ANNOTATION]: 'app=peers' },
  },
  spec: { clusterIPs: ['None'] },
});

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
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: subnets[name].map((cidr) => ({ cidr })) } },
  },
});

/** The NetworkAttachmentDefinition by which the network of a namespace is there. */
const definition = (name: NamespaceName): ClusterSnapshot['networkAttachmentDefinitions'][number] => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: {
    name,
    namespace: name,
    labels: { [OWN_DEFINITION_LABEL]: '' },
    ownerReferences: [
      { apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterUserDefinedNetwork', name, uid: `uid-${name}`, controller: true },
    ],
  },
});

/** The node of pods, on which the networks of all tenants can be programmed. */
const programmed = programmedNode('worker-a', [1, 2, 3, 4]);

const nodes = Object.entries(zones).map(([name, zone]): ClusterSnapshot['nodes'][number] => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    ...(zone !== undefined && { labels: { [ZONE_LABEL]: zone } }),
    ...(name === programmed.snapshot.nodeName && { annotations: programmed.annotations }),
  },
}));

const claims = Object.fromEntries(
  namespaceNames.map((name, at) => [`network-${String(at + 1)}`, `cluster_udn_${name} uid-${name}`]),
);

/** The ConfigMaps with the claims of ids, and with the report of the node. */
const configMapsWith = (claimsOfTenants: TenantObjects['claims']): ClusterSnapshot['configMaps'] => [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: defaultSettings.namespace, name: ID_CLAIMS_NAME },
    data: { ...claims, ...claimsOfTenants, ...programmed.claims },
  },
  programmed.report,
];

/** Cases of clusters with Services, for which nothing is written yet, and with networks of tenants that have none. */
export const servedCases: fc.Arbitrary<Case> = fc
  .record({ pods, services, slices, tenants, opened: openingPorts, settings: providingSettings })
  .map(({ tenants: own, opened, settings, ...objects }) => ({
    cluster: {
      ...emptyCluster,
      nodes,
      clusterUserDefinedNetworks: namespaceNames.map(network),
      userDefinedNetworks: own.userDefinedNetworks,
      namespaces: [...namespaceNames.map(namespace), ...own.namespaces],
      networkAttachmentDefinitions: [...namespaceNames.map(definition), ...own.networkAttachmentDefinitions],
      configMaps: configMapsWith(own.claims),
      pods: opened([...objects.pods, ...own.pods]),
      services: [...objects.services, ...namespaceNames.map(headless)],
      endpointSlices: objects.slices,
    },
    nodes: [programmed.snapshot],
    settings,
  }));
