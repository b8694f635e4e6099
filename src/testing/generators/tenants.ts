/** Tenants that make their networks themselves, each in a namespace, in a cluster that has others too; and what they may write into its objects. */
import fc from 'fast-check';
import { nodeReportName, reportData } from '../../domain/network/allocation/node-report.ts';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { Pod } from '../../domain/api/pod.ts';
import {
  CHASSIS_ID_ANNOTATION,
  CHASSIS_KEY,
  IDS_LABEL,
  INTEGRATION_BRIDGE,
  NODE_ID_ANNOTATION,
  NODE_REPORT_ANNOTATION,
  OPEN_PORTS_ANNOTATION,
  OWN_DEFINITION_LABEL,
  POD_NETWORKS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
} from '../../domain/basics/conventions.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { defaultSettings, type NodeSettings } from '../../domain/snapshot/settings.ts';
import { completeNode } from '../brief-node.ts';
import { LEAVING_FOR_METADATA } from './settings.ts';

/** Names of their namespaces. All their networks have the same name. */
const tenantNames = ['green', 'plum'] as const;
const networkName = 'own';

/** The ids of their networks, behind those of other networks. */
const FIRST_ID = 3;

type TenantName = (typeof tenantNames)[number];

/** The objects of tenants, with the claims of the ids of their networks. */
export interface TenantObjects extends Pick<
  ClusterSnapshot,
  'namespaces' | 'userDefinedNetworks' | 'networkAttachmentDefinitions' | 'pods'
> {
  readonly claims: Readonly<Record<string, string>>;
}

const namespace = (name: TenantName): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { [PRIMARY_NETWORK_LABEL]: '' } },
});

/** Subnets, which several tenants may have, and an administrator’s network. */
const subnets = fc.constantFrom(['10.20.0.0/16', 'fd00:20::/32'], ['10.50.0.0/16']);

/** A network that its tenant makes, mostly one that this version provides. */
const network = (name: TenantName): fc.Arbitrary<ClusterSnapshot['userDefinedNetworks'][number]> =>
  fc.record({ cidrs: subnets, number: fc.nat({ max: 7 }) }).map(({ cidrs, number }) => ({
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { name: networkName, namespace: name, uid: `uid-${name}` },
    spec:
      number === 7
        ? { topology: 'Layer2', layer2: { role: 'Primary', subnets: cidrs } }
        : {
            topology: 'Layer3',
            layer3: { role: 'Primary', subnets: cidrs.map((cidr) => ({ cidr })), ...(number > 4 && { mtu: 1300 }) },
          },
  }));

/** The NetworkAttachmentDefinition by which such a network is there. */
const definition = (name: TenantName): ClusterSnapshot['networkAttachmentDefinitions'][number] => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: {
    name: networkName,
    namespace: name,
    labels: { [OWN_DEFINITION_LABEL]: '' },
    ownerReferences: [
      {
        apiVersion: 'k8s.ovn.org/v1',
        kind: 'UserDefinedNetwork',
        name: networkName,
        uid: `uid-${name}`,
        controller: true,
      },
    ],
  },
});

/** A pod of such a network. */
const pod = (name: TenantName): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'one',
    namespace: name,
    uid: `uid-one-${name}`,
    labels: { app: 'peers' },
    annotations: {
      [POD_NETWORKS_ANNOTATION]: JSON.stringify({ [`${name}/${networkName}`]: { ip_addresses: ['10.20.1.7/24'] } }),
    },
  },
  spec: { nodeName: 'worker-a' },
  status: { phase: 'Running' },
});

/** The objects of tenants that make their networks themselves. */
export const tenants: fc.Arbitrary<TenantObjects> = fc
  .record({
    networks: fc.tuple(...tenantNames.map(network)),
    withDefinition: fc.subarray([...tenantNames], { minLength: 1 }),
    withPod: fc.subarray([...tenantNames], { minLength: 1 }),
  })
  .map(({ networks, withDefinition, withPod }) => ({
    namespaces: tenantNames.map(namespace),
    userDefinedNetworks: networks,
    networkAttachmentDefinitions: withDefinition.map(definition),
    pods: withPod.map(pod),
    claims: Object.fromEntries(
      tenantNames.map((name, at) => [`network-${String(FIRST_ID + at)}`, `${name}_${networkName} uid-${name}`]),
    ),
  }));

/** Texts of the annotation by which pods open ports. */
const openPorts = fc.constantFrom(
  undefined,
  undefined,
  '[{protocol: tcp, port: 8080}]',
  '[{protocol: tcp, port: 9090}, {protocol: sctp, port: 3868}]',
  '[{protocol: udp, port: 53}, {protocol: tcp, port: 443}]',
  '{',
);

/** Opens ports of pods. */
export const openingPorts: fc.Arbitrary<(pods: readonly Pod[]) => readonly Pod[]> = fc
  .array(openPorts, { minLength: 8, maxLength: 8 })
  .map(
    (texts) => (pods) =>
      pods.map(({ metadata, ...each }, at) => {
        const text = texts[at];
        const annotations = { ...metadata.annotations, ...(text !== undefined && { [OPEN_PORTS_ANNOTATION]: text }) };
        return { ...each, metadata: { ...metadata, annotations } };
      }),
  );

/** A node on which networks can be programmed, with its objects. */
export interface ProgrammedNode {
  readonly snapshot: NodeSnapshot;
  /** Annotations of its Node. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly claims: Readonly<Record<string, string>>;
  readonly report: ClusterSnapshot['configMaps'][number];
}

/** A node of a name, on which the networks with some ids can be programmed. */
export function programmedNode(name: string, networkIds: readonly number[]): ProgrammedNode {
  return {
    snapshot: completeNode({
      nodeName: name,
      isNorthboundRead: true,
      switchExternalIds: { [CHASSIS_KEY]: `chassis-${name}` },
      bridges: [{ name: INTEGRATION_BRIDGE }],
      links: [{ name: 'eth0', addresses: [{ address: '192.0.2.11', prefixLength: 24 }] }],
      routes: [{ destination: '0.0.0.0/0', nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] }],
    }),
    annotations: {
      [NODE_ID_ANNOTATION]: '2',
      [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
      [NODE_REPORT_ANNOTATION]: nodeReportName(name),
    },
    claims: { 'node-2': name },
    report: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: defaultSettings.namespace, name: nodeReportName(name), labels: { [IDS_LABEL]: name } },
      data: reportData({ name, uid: '' }, networkIds, []),
    },
  };
}

/** Settings with all networks provided: on all nodes or on those of their pods, and with a way out by the node or without. */
export const providingSettings: fc.Arbitrary<NodeSettings> = fc
  .record({ dynamicNetworks: fc.boolean(), leavesByNode: fc.boolean() })
  .map(({ dynamicNetworks, leavesByNode }) => ({
    ...defaultSettings,
    providedNetworks: 'all',
    dynamicNetworks,
    // One more draw would change all cases of a seed.
    ...(leavesByNode && { ...LEAVING_FOR_METADATA, ...(dynamicNetworks && { egressAllow: [] }) }),
  }));
