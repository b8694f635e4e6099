/**
 * Clusters in which much goes on at once: overlapping selectors, shared uplinks, contradicting advertisements, states of the past.
 */
import fc from 'fast-check';
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import type { FrrConfiguration } from '../../domain/api/frr-configuration.ts';
import type { LabelSelector } from '../../domain/api/label-selector.ts';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { NetworkAttachmentDefinition } from '../../domain/api/network-attachment-definition.ts';
import type { Node } from '../../domain/api/node.ts';
import type { Pod } from '../../domain/api/pod.ts';
import type { RouteAdvertisements } from '../../domain/api/route-advertisements.ts';
import type { Uplink } from '../../domain/api/uplink.ts';
import type { UplinkState } from '../../domain/api/uplink-state.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { uplinkStateName } from '../../domain/status/state-identity.ts';
import {
  bridgedInterfaceNames,
  eachOf,
  interfaceNames,
  networkNames,
  nodeNames,
  racks,
  someOf,
  uplinkNames,
} from './names.ts';
import { nodeSelectors } from './selectors.ts';

const ovn = 'k8s.ovn.org';

/** By which addresses the cluster knows a node: none, that of the default bridge as is usual, or one of an uplink's interface. */
const internalIps: fc.Arbitrary<readonly string[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 12, arbitrary: fc.constant(['198.51.100.10']) },
  { weight: 1, arbitrary: fc.constantFrom(['192.0.2.1'], ['192.0.2.4', '2001:db8::4'], ['2001:db8::2']) },
);

function node(name: string): fc.Arbitrary<Node> {
  return fc
    .record({ rack: fc.option(fc.constantFrom(...racks), { nil: undefined }), addresses: internalIps })
    .map(({ rack, addresses }) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: rack === undefined ? {} : { rack } },
      ...(addresses.length > 0 && {
        status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
      }),
    }));
}

function uplink(name: string): fc.Arbitrary<Uplink> {
  const config = fc.record({
    type: fc.constant('OVSBridge' as const),
    nodeSelector: nodeSelectors,
    hostInterfaceName: fc.oneof(
      { withCrossShrink: true },
      { weight: 5, arbitrary: fc.constantFrom(...bridgedInterfaceNames) },
      { weight: 1, arbitrary: fc.constantFrom(...interfaceNames) },
    ),
  });
  const configs = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: config.map((only) => [only]) },
    { weight: 1, arbitrary: fc.array(config, { minLength: 2, maxLength: 3 }) },
  );
  return configs.map((nodeConfigs) => ({
    apiVersion: `${ovn}/v1alpha1`,
    kind: 'Uplink',
    metadata: { name, uid: `uid-${name.length}` },
    spec: { nodeConfigs },
  }));
}

/** A network that still wants to know which uplinks there are. */
type NamelessNetwork = (present: readonly string[]) => ClusterUserDefinedNetwork;

/** A network that refers to the uplink at a place among those that are there, to one that is perhaps not there, or to none. */
function network(
  name: string,
  places: fc.Arbitrary<number> = fc.nat({ max: uplinkNames.length - 1 }),
): fc.Arbitrary<NamelessNetwork> {
  const subnets = fc.constantFrom(['10.20.0.0/16'], ['10.20.0.0/16', 'fd20::/48'], ['fd20::/48']);
  return fc
    .record({
      place: places,
      uplinks: fc.oneof(
        { withCrossShrink: true },
        { weight: 16, arbitrary: fc.constant('present' as const) },
        { weight: 1, arbitrary: fc.constant('any' as const) },
        { weight: 1, arbitrary: fc.constant('none' as const) },
      ),
      topology: fc.constantFrom('Layer3', 'Layer2'),
      mtu: fc.constantFrom(undefined, 1300, 1400, 8900),
      subnets,
      transport: fc.oneof(
        { withCrossShrink: true },
        { weight: 30, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constant('EVPN') },
      ),
    })
    .map(({ place, uplinks, topology, mtu, subnets: cidrs, transport }) => (present) => {
      const pool = uplinks === 'present' && present.length > 0 ? present : uplinkNames;
      const reference = pool[place % pool.length];
      const common = { role: 'Primary', ...(mtu !== undefined && { mtu }) };
      return {
        apiVersion: `${ovn}/v1`,
        kind: 'ClusterUserDefinedNetwork',
        metadata: { name },
        spec: {
          namespaceSelector: { matchLabels: { tenant: name } },
          network: {
            topology,
            ...(topology === 'Layer3'
              ? { layer3: { ...common, subnets: cidrs.map((cidr) => ({ cidr })) } }
              : { layer2: { ...common, subnets: cidrs } }),
            ...(transport !== undefined && { transport }),
          },
          uplinks: uplinks === 'none' || reference === undefined ? [] : [reference],
        },
      };
    });
}

const namespaces: readonly Namespace[] = networkNames.map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { tenant: name } },
}));

/** Most networks have an id; its place in the pool decides which. */
const attachments: fc.Arbitrary<NetworkAttachmentDefinition[]> = fc
  .oneof(
    { withCrossShrink: true },
    { weight: 16, arbitrary: fc.constant([...networkNames]) },
    { weight: 1, arbitrary: someOf(networkNames) },
  )
  .map((names) =>
    names.map((name) => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name,
        namespace: name,
        annotations: {
          [`${ovn}/network-name`]: `cluster_udn_${name}`,
          [`${ovn}/network-id`]: String(networkNames.indexOf(name) + 1),
        },
      },
    })),
  );

const pods: fc.Arbitrary<Pod[]> = fc.uniqueArray(
  fc
    .record({
      namespace: fc.constantFrom(...networkNames),
      nodeName: fc.constantFrom(...nodeNames),
      hostNetwork: fc.boolean(),
      phase: fc.constantFrom('Running', 'Pending', 'Succeeded'),
    })
    .map(({ namespace, nodeName, hostNetwork, phase }) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${nodeName.length}-${hostNetwork}-${phase.toLowerCase()}`, namespace },
      spec: { nodeName, hostNetwork },
      status: { phase },
    })),
  { maxLength: 12, selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}` },
);

/** What an advertisement is about, in the words of its fields. */
interface Advertisement {
  readonly targetVRF: string | undefined;
  readonly advertisements: string[];
  readonly nodeSelector: LabelSelector;
  readonly networks: readonly string[];
}

const crowdedAdvertisements: fc.Arbitrary<Advertisement> = fc.record({
  targetVRF: fc.constantFrom('auto', 'auto', 'auto', undefined, 'default', 'corp', 'blue'),
  advertisements: fc.constantFrom(['PodNetwork'], ['PodNetwork', 'EgressIP'], ['EgressIP']),
  nodeSelector: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: nodeSelectors },
  ),
  networks: fc.oneof(fc.constant([...networkNames]), someOf(networkNames)),
});

const calmAdvertisements: fc.Arbitrary<Advertisement> = fc.record({
  targetVRF: fc.constantFrom('auto', 'auto', 'auto', 'auto', 'auto', 'auto', 'corp', undefined),
  advertisements: fc.constant(['PodNetwork']),
  nodeSelector: fc.constant({}),
  networks: fc.oneof(fc.constant([...networkNames]), someOf(networkNames)),
});

function routeAdvertisements(of: fc.Arbitrary<Advertisement>) {
  return (name: string): fc.Arbitrary<RouteAdvertisements> =>
    of.map(({ targetVRF, advertisements, nodeSelector, networks }) => ({
      apiVersion: `${ovn}/v1`,
      kind: 'RouteAdvertisements',
      metadata: { name },
      spec: {
        ...(targetVRF !== undefined && { targetVRF }),
        advertisements,
        nodeSelector,
        frrConfigurationSelector: {},
        networkSelectors: networks.map((selected) => ({
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: {
            networkSelector: { matchLabels: { [`${ovn}/metadata.name`]: selected } },
          },
        })),
      },
    }));
}

function frrConfiguration(name: string): fc.Arbitrary<FrrConfiguration> {
  const everywhere = { weight: 3, arbitrary: fc.constant({}) };
  return fc
    .oneof({ withCrossShrink: true }, everywhere, { weight: 1, arbitrary: nodeSelectors })
    .map((nodeSelector) => ({
      apiVersion: 'frrk8s.metallb.io/v1beta1',
      kind: 'FRRConfiguration',
      metadata: { name, namespace: 'frr-k8s-system' },
      spec: { nodeSelector },
    }));
}

/** A state as a node may have left it: ready or flapping, of this interface or of a former one, with or without its networks. */
function state([uplinkName, nodeName]: readonly [string, string]): fc.Arbitrary<UplinkState> {
  return fc
    .record({
      hostInterfaceName: fc.constantFrom(...interfaceNames),
      ready: fc.boolean(),
      networks: someOf(networkNames),
      identified: fc.boolean(),
    })
    .map(({ hostInterfaceName, ready, networks, identified }) => ({
      apiVersion: `${ovn}/v1alpha1`,
      kind: 'UplinkState',
      metadata: { name: uplinkStateName(uplinkName, nodeName) },
      ...(identified && {
        status: {
          uplinkName,
          nodeName,
          type: 'OVSBridge' as const,
          hostInterfaceName,
          ovsBridge: { name: 'br-one' },
          macAddress: '02:00:00:00:00:01',
          ipAddresses: ['192.0.2.6/24'],
          conditions: [
            {
              type: 'Ready',
              status: ready ? ('True' as const) : ('False' as const),
              reason: ready ? 'Ready' : 'BridgeNotFound',
            },
          ],
          networks: networks.map((name) => ({ name, ready: 'True' as const, reason: 'Ready' })),
        },
      }),
    }));
}

const everyPair = uplinkNames.flatMap((ofUplink) => nodeNames.map((ofNode) => [ofUplink, ofNode] as const));

/** Clusters of up to four nodes, four uplinks and seven networks, with advertisements and states of the past. */
const crowdedClusters = fc.record({
  uplinks: eachOf(uplinkNames, uplink, { present: 2, absent: 1 }),
  uplinkStates: eachOf(everyPair, state, { present: 1, absent: 3 }),
  networks: eachOf(networkNames, (name) => network(name)),
  nodes: eachOf(nodeNames, node, { present: 2, absent: 1 }),
  pods,
  networkAttachmentDefinitions: attachments,
  routeAdvertisements: eachOf(['ra-a', 'ra-b', 'ra-c'], routeAdvertisements(crowdedAdvertisements)),
  frrConfigurations: eachOf(['frr-a', 'frr-b', 'ovnk-generated-c'], frrConfiguration),
});

/** An uplink of its own bridge, on every node. */
function calmUplink([name, hostInterfaceNames]: readonly [string, readonly string[]]): fc.Arbitrary<Uplink> {
  return fc.constantFrom(...hostInterfaceNames).map((hostInterfaceName) => ({
    apiVersion: `${ovn}/v1alpha1`,
    kind: 'Uplink',
    metadata: { name, uid: `uid-${name.length}` },
    spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
  }));
}

/** One network on the uplink at a place, where two would soon be in conflict; or none. */
function oneNetworkOf(names: readonly string[], place: number): fc.Arbitrary<NamelessNetwork[]> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<NamelessNetwork[]>([]) },
    ...names.map((name) => ({ weight: 2, arbitrary: network(name, fc.constant(place)).map((made) => [made]) })),
  );
}

/** Clusters in which so little is wrong that networks are programmed, in VRFs of their own too. */
const calmClusters = fc.record({
  uplinks: eachOf(
    [
      ['uplink-a', ['br-one', 'one0']],
      ['uplink-b', ['br-two', 'two0']],
    ] as const,
    calmUplink,
    { present: 5, absent: 1 },
  ),
  uplinkStates: eachOf(everyPair, state, { present: 1, absent: 20 }),
  networks: fc
    .tuple(
      oneNetworkOf(['blue', 'network-with-long-name'], 0),
      oneNetworkOf(['red', 'green'], 1),
      eachOf(['corp', 'all', 'eth1'], (name) => network(name), { present: 1, absent: 12 }),
    )
    .map((networks) => networks.flat()),
  nodes: eachOf(nodeNames, node, { present: 2, absent: 1 }),
  pods,
  networkAttachmentDefinitions: attachments,
  routeAdvertisements: eachOf(['ra-a', 'ra-b'], routeAdvertisements(calmAdvertisements), { present: 3, absent: 2 }),
  frrConfigurations: eachOf(['frr-a', 'frr-b'], frrConfiguration, { present: 4, absent: 1 }),
});

/** Clusters in which much goes on at once, and others in which much is done. */
export const clusters: fc.Arbitrary<ClusterSnapshot> = fc
  .oneof({ weight: 1, arbitrary: crowdedClusters }, { weight: 3, arbitrary: calmClusters })
  .map(({ networks, ...cluster }) => {
    const present = cluster.uplinks.map(({ metadata }) => metadata.name);
    return { ...cluster, namespaces, clusterUserDefinedNetworks: networks.map((make) => make(present)) };
  });
