import { nodeReportName } from '../../../../../src/domain/network/allocation/node-report.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  NODE_REPORT_ANNOTATION,
} from '../../../../../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  type Node,
  type NodeSettings,
  type NodeSnapshot,
  type Pod,
} from '../../../../../src/domain/index.ts';
import { macAddressOf } from '../../../../../src/domain/basics/addresses/ip-address.ts';
import { logicalPortName } from '../../../../../src/domain/pods/pod-key.ts';
import { completeNode } from '../../../../../src/testing/index.ts';
import { cluster, namespace, network, node, pod } from '../../brief-objects.ts';

export const provided: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };

/** A pod of network `blue`: its node, and its addresses there. */
export interface PlacedPod {
  readonly name: string;
  readonly node: 'a' | 'b';
  readonly addresses: readonly string[];
}

export const web: PlacedPod = { name: 'web', node: 'a', addresses: ['10.20.0.5', 'fd20::5'] };
export const api: PlacedPod = { name: 'api', node: 'b', addresses: ['10.20.1.6', 'fd20:0:0:1::6'] };
export const near: PlacedPod = { name: 'near', node: 'a', addresses: ['10.20.0.7', 'fd20::7'] };

const encapsulation = { a: '172.30.0.2', b: '172.30.0.3' } as const;

const nodeObject = (name: 'a' | 'b', annotations: Readonly<Record<string, string>> = {}): Node =>
  node(name, {
    uid: `uid-${name}`,
    annotations: {
      [NODE_REPORT_ANNOTATION]: nodeReportName(name),
      [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
      [ENCAPSULATION_IPS_ANNOTATION]: `["${encapsulation[name]}"]`,
      ...annotations,
    },
  });

const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: provided.namespace, name },
  data,
});

function podObject({ name, node: on, addresses }: PlacedPod): Pod {
  const entry = { 'demo/blue': { ip_addresses: addresses.map((address) => `${address}/24`) } };
  return pod(name, 'demo', on, {
    metadata: { namespace: 'demo', name, annotations: { 'k8s.ovn.org/pod-networks': JSON.stringify(entry) } },
  });
}

/** Network `blue` on nodes `a` and `b`, with pods in namespace `demo`. @param ofB annotations of Node `b` that differ */
export function podCluster(
  pods: readonly PlacedPod[],
  ofB: Readonly<Record<string, string>> = {},
  objects: Partial<ClusterSnapshot> = {},
): ClusterSnapshot {
  const subnets = [
    { cidr: '10.20.0.0/16', hostSubnet: 24 },
    { cidr: 'fd20::/48', hostSubnet: 64 },
  ];
  return cluster({
    nodes: [nodeObject('a'), nodeObject('b', ofB)],
    namespaces: [namespace('demo', { tenant: 'blue', 'k8s.ovn.org/primary-user-defined-network': '' })],
    clusterUserDefinedNetworks: [
      network('blue', {
        uplinks: undefined,
        metadata: { uid: 'uid-blue' },
        namespaceSelector: { matchLabels: { tenant: 'blue' } },
        network: { layer3: { role: 'Primary', subnets } },
      }),
    ],
    configMaps: [
      configMap('ovn-uplinks-ids', {
        'network-1': 'cluster_udn_blue uid-blue',
        'node-2': 'a uid-a',
        'node-3': 'b uid-b',
      }),
      ...(['a', 'b'] as const).map((name) =>
        configMap(nodeReportName(name), { node: name, uid: `uid-${name}`, networks: '1' }),
      ),
    ],
    pods: pods.map(podObject),
    ...objects,
  });
}

/** The cluster of `podCluster` with a UserDefinedNetwork of namespace `demo` instead. */
export function namespacedPodCluster(pods: readonly PlacedPod[]): ClusterSnapshot {
  const { clusterUserDefinedNetworks: objects, configMaps, ...others } = podCluster(pods);
  const [claims, ...reports] = configMaps;
  const { metadata, spec } = objects[0]!;
  return {
    ...others,
    clusterUserDefinedNetworks: [],
    userDefinedNetworks: [
      {
        apiVersion: 'k8s.ovn.org/v1',
        kind: 'UserDefinedNetwork',
        metadata: { ...metadata, namespace: 'demo' },
        spec: spec.network,
      },
    ],
    configMaps: [{ ...claims!, data: { ...claims!.data, 'network-1': 'demo_blue uid-blue' } }, ...reports],
  };
}

/** A node with the logical ports and the interfaces of its pods, and nothing else of the network yet. @param networkName in OVN */
export function podNode(name: 'a' | 'b', pods: readonly PlacedPod[], networkName = 'cluster_udn_blue'): NodeSnapshot {
  const here = pods.filter((each) => each.node === name);
  const portOf = (each: PlacedPod) => logicalPortName({ namespace: 'demo', name: each.name }, 'blue');
  const node = completeNode({
    nodeName: name,
    isNorthboundRead: true,
    switchExternalIds: { 'system-id': `chassis-${name}`, 'ovn-encap-ip': encapsulation[name] },
  });
  return {
    ...node,
    northbound: here.map((each) => ({
      table: 'Logical_Switch_Port',
      name: portOf(each),
      parents: [{ table: 'Logical_Switch', name: `${networkName}_${name}`, column: 'ports' }],
      columns: { type: '', addresses: [`${macAddressOf(each.addresses[0]!)} ${each.addresses.join(' ')}`] },
    })),
    bridges: [
      {
        name: 'br-int',
        externalIds: {},
        ports: here.map((each, index) => ({
          name: `ovu-${each.name}`,
          externalIds: {},
          interfaces: [
            { name: `ovu-${each.name}`, type: '', openFlowPort: index + 1, externalIds: { 'iface-id': portOf(each) } },
          ],
        })),
      },
    ],
  };
}

const { links, routes, rules, sysctls } = completeNode({
  nodeName: 'a',
  kernelRoutes: true,
  links: [
    {
      name: 'eth0',
      addresses: [
        { address: '192.0.2.11', prefixLength: 24 },
        { address: '2001:db8:1::11', prefixLength: 64 },
      ],
    },
    { name: 'eth1', addresses: [{ address: '198.51.100.11', prefixLength: 24 }] },
  ],
  routes: [
    { destination: '0.0.0.0/0', nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] },
    { family: 6, destination: '::/0', nextHops: [{ device: 'eth0', gateway: '2001:db8:1::1' }] },
    { destination: '203.0.113.0/24', nextHops: [{ device: 'eth1', gateway: '198.51.100.1' }] },
  ],
  sysctls: { 'net.ipv4.conf.*.forwarding': '1', 'net.ipv6.conf.*.forwarding': '1' },
});

/** A node with default routes by `eth0`, and a route to 203.0.113.0/24 by `eth1`. */
export function withWaysOut(node: NodeSnapshot): NodeSnapshot {
  return { ...node, links, routes, rules, sysctls };
}
