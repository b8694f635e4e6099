/** A cluster whose nodes and networks have ids, so that its networks are programmed, and changes of it that leave most of them so. */
import fc from 'fast-check';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
  NODE_SUBNETS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
} from '../../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, emptyCluster } from '../../src/domain/index.ts';
import { nodeReportName, reportData } from '../../src/domain/network/allocation/node-report.ts';
import { labelled, namespace, network, node, pod } from '../unit/domain/brief-objects.ts';
import type { ClusterChange } from './cluster-changes.ts';

const nodeNames = ['a', 'b', 'c', 'd', 'e'] as const;
const networkNames = ['blue', 'green', 'red'] as const;

const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: defaultSettings.namespace, name },
  data,
});

/** A node that others reach, unless it has the address of another one. */
const reachable = (
  name: string,
  { chassis = name, address = nodeNames.indexOf(name as 'a'), rack = '1', subnet = '' } = {},
) =>
  node(name, {
    uid: `uid-${name}`,
    labels: { rack },
    annotations: {
      [NODE_REPORT_ANNOTATION]: nodeReportName(name),
      [CHASSIS_ID_ANNOTATION]: `chassis-${chassis}`,
      [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([`172.16.1.${String(address)}`]),
      ...(subnet !== '' && { [NODE_SUBNETS_ANNOTATION]: JSON.stringify({ cluster_udn_blue: [subnet] }) }),
    },
  });

const report = (networks: readonly number[]) =>
  configMap(nodeReportName('a'), reportData({ name: 'a', uid: 'uid-a' }, networks, []));

const cidrs = { blue: '10.30.0.0/16', green: '10.31.0.0/16', red: '10.32.0.0/16' } as const;

const tenant = (name: (typeof networkNames)[number], cidr: string = cidrs[name]) =>
  network(name, {
    namespaceSelector: labelled('tenant', name),
    network: { layer3: { role: 'Primary', subnets: [{ cidr }] } },
    metadata: { uid: `uid-${name}` },
  });

const ofTenant = (name: string, label = name) => namespace(name, { tenant: label, [PRIMARY_NETWORK_LABEL]: '' });

/** The nodes a, b and c, and two networks with pods on the first two. */
export const numberedCluster: ClusterSnapshot = {
  ...emptyCluster,
  nodes: nodeNames.slice(0, 3).map((name) => reachable(name)),
  clusterUserDefinedNetworks: [tenant('blue'), tenant('green')],
  namespaces: networkNames.map((name) => ofTenant(name)),
  pods: [pod('first', 'blue', 'a'), pod('second', 'blue', 'b'), pod('first', 'green', 'a')],
  configMaps: [
    report([1, 2, 3]),
    configMap(
      ID_CLAIMS_NAME,
      Object.fromEntries<string>([
        ...networkNames.map((name, at) => [`network-${String(at + 1)}`, `cluster_udn_${name} uid-${name}`] as const),
        ...nodeNames.map((name, at) => [`node-${String(at + 2)}`, `${name} uid-${name}`] as const),
      ]),
    ),
  ],
};

const names = fc.constantFrom(...networkNames);
const otherNodes = fc.constantFrom('b', 'c', 'd', 'e');

const objects = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('nodes' as const),
      object: fc
        .record({
          name: otherNodes,
          chassis: fc.constantFrom(undefined, undefined, 'b', 'new'),
          address: fc.constantFrom(undefined, undefined, 1, 2),
          rack: fc.constantFrom('1', '2'),
          subnet: fc.constantFrom('', '', '10.30.9.0/24'),
        })
        .map(({ name, ...unusual }) => reachable(name, unusual)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pods' as const),
      object: fc
        .record({ name: fc.constantFrom('first', 'second', 'third'), tenant: names, on: fc.constantFrom(...nodeNames) })
        .map(({ name, tenant: inNamespace, on }) => pod(name, inNamespace, on)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clusterUserDefinedNetworks' as const),
      object: fc
        .record({ name: names, cidr: fc.constantFrom(undefined, undefined, '10.33.0.0/16', cidrs.blue) })
        .map(({ name, cidr }) => tenant(name, cidr)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('namespaces' as const),
      object: fc.record({ name: names, label: names }).map(({ name, label }) => ofTenant(name, label)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('configMaps' as const),
      object: fc.subarray([1, 2, 3], { minLength: 1 }).map(report),
    }),
  },
);

/** Changes of that cluster, one to three for each plan. */
export const numberedHistories: fc.Arbitrary<readonly (readonly ClusterChange[])[]> = fc.array(
  fc.array(
    fc
      .record({ object: objects, isGone: fc.constantFrom(false, false, false, true) })
      .map(({ object: { kind, object }, isGone }): ClusterChange => ({
        change: 'object',
        kind,
        object,
        isGone: isGone && kind !== 'configMaps' && kind !== 'namespaces',
      })),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 6, maxLength: 16 },
);
