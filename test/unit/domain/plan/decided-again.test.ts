import { expect } from 'chai';
import { populatedNode } from '../../../../bench/populated-node.ts';
import { providedNode, providingSettings, withLastNode, withNetwork } from '../../../../bench/provided-node.ts';
import { PRIMARY_NETWORK_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { foreseen } from '../../../../src/domain/diff/foresee.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  type NodeSettings,
  type NodeSnapshot,
} from '../../../../src/domain/index.ts';
import type { Parts } from '../../../../src/domain/plan/parts/part.ts';
import { allParts } from '../../../../src/domain/plan/parts/parts.ts';
import { planNode } from '../../../../src/domain/plan/plan-node.ts';

/** A cluster and one of its nodes. */
interface Scene {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
}

/** A change, and the names in OVN of the networks that are decided again. */
type Row = readonly [change: string, after: (scene: Scene) => Partial<Scene>, networks: readonly string[]];

const pod: NodeSnapshot['links'][number] = {
  index: 900,
  name: 'veth900',
  up: true,
  operationalState: 'up',
  mtu: 1400,
  type: 'ether',
  addresses: [],
};

const withLinks = ({ node }: Scene, ...links: NodeSnapshot['links']) => ({
  node: { ...node, links: [...node.links, ...links] },
});

const podPort = {
  name: 'veth900',
  externalIds: {},
  interfaces: [{ name: 'veth900', type: '', externalIds: {} }],
};

const ofAnyNetwork: readonly Row[] = [
  ['nothing', () => ({}), []],
  ['an interface of a pod', (scene) => withLinks(scene, pod), []],
  [
    'a port of a pod',
    ({ node }) => ({
      node: { ...node, bridges: node.bridges.map((each) => ({ ...each, ports: [...each.ports, podPort] })) },
    }),
    [],
  ],
  [
    'a route of another program',
    ({ node }) => ({
      node: {
        ...node,
        routes: [
          ...node.routes,
          {
            family: 4,
            table: 'main',
            destination: '198.51.100.0/24',
            metric: 7,
            type: 'unicast',
            protocol: 'static',
            nextHops: [{ device: 'lo' }],
          },
        ],
      },
    }),
    [],
  ],
  [
    'a neighbour elsewhere',
    ({ node }) => ({
      node: {
        ...node,
        neighbours: [...node.neighbours, { device: 'lo', address: '198.51.100.9', states: ['reachable'] }],
      },
    }),
    [],
  ],
  [
    'a row of another program in OVN',
    ({ node }) => ({
      node: { ...node, northbound: [...node.northbound, { table: 'Logical_Switch', name: 'other', columns: {} }] },
    }),
    [],
  ],
  [
    'other labels of another node',
    ({ cluster }) => {
      const last = cluster.nodes.at(-1);
      const nodes = cluster.nodes.slice(0, -1);
      const relabelled = last && { ...last, metadata: { ...last.metadata, labels: { rack: 'other' } } };
      return { cluster: { ...cluster, nodes: relabelled === undefined ? nodes : [...nodes, relabelled] } };
    },
    [],
  ],
];

const GATEWAY = '203.0.113.1';

const onUplinks: readonly Row[] = [
  [
    'another MAC address of a gateway',
    ({ node }) => {
      const resolved = { macAddress: '02:00:00:00:99:10', states: ['reachable', 'managed'] };
      const change = (each: NodeSnapshot['neighbours'][number]) =>
        each.address === GATEWAY ? { ...each, ...resolved } : each;
      return { node: { ...node, neighbours: node.neighbours.map(change) } };
    },
    [],
  ],
  [
    'a network removed',
    ({ cluster }) => ({
      cluster: { ...cluster, clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.slice(0, -1) },
    }),
    [],
  ],
  [
    'another MTU of a network',
    ({ cluster }) => {
      const networks = cluster.clusterUserDefinedNetworks;
      const [last] = networks.slice(-1).map((each) => {
        const { layer3 } = each.spec.network;
        return { ...each, spec: { ...each.spec, network: { ...each.spec.network, layer3: { ...layer3, mtu: 1300 } } } };
      });
      return {
        cluster: {
          ...cluster,
          clusterUserDefinedNetworks: [
            ...networks.slice(0, -1),
            ...(last ? [last] : []),
          ] as ClusterSnapshot['clusterUserDefinedNetworks'],
        },
      };
    },
    ['cluster_udn_tenant-4'],
  ],
];

const ofProvided: readonly Row[] = [
  ['a network added', ({ cluster }) => ({ cluster: withNetwork(cluster) }), ['cluster_udn_tenant-5']],
  [
    'another chassis of another node',
    ({ cluster }) => ({ cluster: withLastNode(cluster, { chassis: '-other' }) }),
    [0, 1, 2, 3, 4].map((index) => `cluster_udn_tenant-${String(index)}`),
  ],
];

const namespaceOf = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { tenant: name, [PRIMARY_NETWORK_LABEL]: '' } },
});

const podIn = (tenant: string, name: string, nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: tenant, name },
  spec: { nodeName },
});

/** Networks that are where their pods are: two of them have pods on the first two nodes. */
function withPods(): Scene {
  const { cluster, node } = providedNode(4, 5);
  const tenants = ['tenant-0', 'tenant-1'];
  const pods = tenants.flatMap((tenant) => ['node-0', 'node-1'].map((on) => podIn(tenant, `on-${on}`, on)));
  return { cluster: { ...cluster, namespaces: tenants.map(namespaceOf), pods }, node };
}

const withPod =
  (added: ReturnType<typeof podIn>) =>
  ({ cluster }: Scene) => ({ cluster: { ...cluster, pods: [...cluster.pods, added] } });

const ofPods: readonly Row[] = [
  ['another pod on this node', withPod(podIn('tenant-0', 'second', 'node-0')), []],
  ['another pod on a node with one', withPod(podIn('tenant-0', 'second', 'node-1')), []],
  ['the first pod on another node', withPod(podIn('tenant-0', 'first', 'node-2')), ['cluster_udn_tenant-0']],
];

/** Checks what is decided again after a change, once everything is done. */
async function check(make: () => Promise<Scene> | Scene, row: Row, settings: NodeSettings): Promise<void> {
  const [, after, expected] = row;
  const decided = new Set<string>();
  const count = <Part extends { plan?: (input: never) => unknown }>(
    part: Part,
    nameOf: (input: never) => string,
  ): Part => ({
    ...part,
    plan: (input: never) => {
      decided.add(nameOf(input));
      return part.plan?.(input) ?? [];
    },
  });
  const parts: Parts = {
    network: allParts.network.map((part) =>
      count(
        part,
        ({ addressed }: { addressed: { network: { networkName: string } } }) => addressed.network.networkName,
      ),
    ),
    uplink: allParts.uplink.map((part) => count(part, ({ networkName }: { networkName: string }) => networkName)),
  };
  const { cluster, node: found } = await make();
  let node = found;
  const operationsOn = (of: ClusterSnapshot, on: NodeSnapshot) => diffNode(planNode(of, on, settings, parts), on);
  for (let left = operationsOn(cluster, node); left.length > 0; left = operationsOn(cluster, node))
    node = foreseen(left, node);
  expect(decided).not.to.be.empty;
  decided.clear();
  const changed = after({ cluster, node });
  operationsOn(changed.cluster ?? { ...cluster }, changed.node ?? { ...node });
  expect([...decided].sort()).to.deep.equal(expected);
}

describe('networks that an agent decides about again after a change:', () => {
  const numberOf = (networks: readonly string[]) => (networks.length === 0 ? 'none' : String(networks.length));
  for (const row of [...ofAnyNetwork, ...onUplinks]) {
    const [change, , networks] = row;
    it(`${numberOf(networks)} of seven networks on uplinks: ${change}`, async () => {
      await check(() => populatedNode(5), row, defaultSettings);
    });
  }
  for (const row of ofPods) {
    const [change, , networks] = row;
    it(`${numberOf(networks)} of two networks that are where their pods are: ${change}`, async () => {
      await check(withPods, row, { ...providingSettings, dynamicNetworks: true });
    });
  }
  for (const row of [...ofAnyNetwork, ...ofProvided]) {
    const [change, , networks] = row;
    it(`${numberOf(networks)} of five networks that it provides: ${change}`, async () => {
      await check(() => providedNode(4, 5), row, providingSettings);
    });
  }
});
