import { uplinkStateName } from '../../../src/domain/status/state-identity.ts';

/** Fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object as it is stored. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Fields;
  readonly spec?: Fields | undefined;
  readonly status?: Fields;
}

/** A node whose agent runs all the time. */
export const NODE = 'worker-a';
const MEBIBYTE = 1_048_576;

/** As long as it may be. */
const NAME = `n${'a'.repeat(252)}`;
const LABEL_KEY = `${'p'.repeat(61)}.${['q', 'r', 's'].map((part) => part.repeat(63)).join('.')}/${'k'.repeat(63)}`;
const LABEL_VALUE = 'v'.repeat(63);
/** An interface name that is as long as it may be. */
export const DEVICE = 'br-fifteen-long';

/** An Uplink that selects worker-a. */
export const uplink = (name: string, nodeConfig: Fields = {}, status?: Fields): ApiObject => ({
  apiVersion: 'k8s.ovn.org/v1alpha1',
  kind: 'Uplink',
  metadata: { name },
  spec: {
    nodeConfigs: [
      {
        type: 'OVSBridge',
        nodeSelector: { matchLabels: { 'kubernetes.io/hostname': NODE } },
        hostInterfaceName: 'br-odd',
        ...nodeConfig,
      },
    ],
  },
  ...(status && { status }),
});

/** A network of the pods of worker-a. */
export const network = (name: string, uplinks: readonly string[], spec: Fields = {}): ApiObject => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name },
  spec: {
    namespaceSelector: { matchLabels: { pods: NODE } },
    network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
    uplinks,
    ...spec,
  },
});

/** A namespace with a pod on a node, where its networks are active. */
export const namespaceOn = (pods: string, nodeName: string): readonly ApiObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: pods, labels: { pods } } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'running', namespace: pods },
    spec: { nodeName, containers: [{ name: 'main', image: 'example.org/image' }] },
  },
];

const inNamespace = (pods: string) => ({ namespaceSelector: { matchLabels: { pods } } });

/** The NetworkAttachmentDefinition that OVN-Kubernetes makes for a network. */
export const attachment = (
  networkName: string,
  networkId: number,
  annotations: Fields = {},
  spec: Fields = { config: '{}' },
): ApiObject => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: {
    name: networkName,
    namespace: 'default',
    annotations: {
      'k8s.ovn.org/network-name': `cluster_udn_${networkName}`,
      'k8s.ovn.org/network-id': String(networkId),
      ...annotations,
    },
  },
  spec,
});

/** A Node. */
export const node = (name: string, metadata: Fields, status: Fields = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
  status,
});

const state = (uplinkName: string, nodeName: string, status: Fields): ApiObject => ({
  apiVersion: 'k8s.ovn.org/v1alpha1',
  kind: 'UplinkState',
  metadata: {
    name: uplinkStateName(uplinkName, nodeName),
    labels: { 'k8s.ovn.org/uplink': uplinkName, 'k8s.ovn.org/node': nodeName },
    annotations: { 'k8s.ovn.org/uplink': uplinkName, 'k8s.ovn.org/node': nodeName },
  },
  status: { uplinkName, nodeName, type: 'OVSBridge', hostInterfaceName: 'br-odd', ...status },
});

const advertisement = (name: string, spec: Fields): ApiObject => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'RouteAdvertisements',
  metadata: { name },
  spec: { advertisements: ['PodNetwork'], nodeSelector: {}, frrConfigurationSelector: {}, ...spec },
});

/** A selector that is so long, in bytes, and matches every node and namespace. */
const longSelector = (bytes: number): Fields => ({
  matchExpressions: [
    {
      key: 'odd',
      operator: 'NotIn',
      values: Array.from({ length: bytes / 64 }, (_, index) => String(index).padStart(61, '0')),
    },
  ],
});

/** Bad objects, and who says what of them. */
export interface Case {
  /** Stored before the definitions of now are applied, which would refuse it. */
  readonly former?: readonly ApiObject[];
  /** Stored while the programs run. */
  readonly objects?: readonly ApiObject[];
  /** The node whose agent reads it; by default worker-a. */
  readonly otherAgent?: string;
  /** Parts of a line that the agent logs. */
  readonly agentSays?: readonly string[];
  /** Parts of a line that the cluster manager logs. */
  readonly managerSays?: readonly string[];
  /** Conditions by object, as `TYPE STATUS REASON`. */
  readonly conditions?: Readonly<Record<string, string>>;
}

const ready = 'UplinksReady True UplinksReady';
const missing = 'Degraded True UplinkStateMissing';
const notUsed = 'the object is not used';

/** By what is bad. */
export const cases: Readonly<Record<string, Case>> = {
  'an Uplink whose interface has an impossible name, stored before that was refused': {
    former: [
      uplink('long-interface', { hostInterfaceName: 'a-bridge-of-seventeen' }),
      network('of-long-interface', ['long-interface']),
    ],
    agentSays: ['Uplink/long-interface: spec.nodeConfigs[0].hostInterfaceName: expected 1 to 15 bytes', notUsed],
    managerSays: ['Uplink/long-interface: spec.nodeConfigs[0].hostInterfaceName: expected 1 to 15 bytes', notUsed],
    conditions: { 'ClusterUserDefinedNetwork/of-long-interface': 'UplinksReady False UplinkNotReadyForNode' },
  },
  'an Uplink without a spec': {
    former: [{ ...uplink('no-spec'), spec: undefined }],
    agentSays: ['Uplink/no-spec: spec: expected a value, found nothing', notUsed],
    managerSays: ['Uplink/no-spec: spec: expected a value, found nothing', notUsed],
  },
  'an Uplink whose status is a text': {
    former: [uplink('text-status', {}, { conditions: 'none' })],
    agentSays: ['Uplink/text-status: status.conditions: expected a list, found string "none"'],
    managerSays: ['Uplink/text-status: status.conditions: expected a list, found string "none"'],
  },
  'a network with two uplinks': {
    former: [network('two-uplinks', ['steady', 'other'])],
    agentSays: ['ClusterUserDefinedNetwork/two-uplinks: spec.uplinks: expected at most 1 item', notUsed],
    managerSays: ['ClusterUserDefinedNetwork/two-uplinks: spec.uplinks: expected at most 1 item', notUsed],
  },
  'a state of the node itself with fields of other types': {
    former: [state('odd-state', NODE, { networks: 'none', ipAddresses: 5 }), uplink('odd-state')],
    agentSays: ['UplinkState/odd-state.worker-a: status.networks: expected a list, found string "none"'],
    // The agent has made it anew.
    conditions: { 'Uplink/odd-state': 'Degraded False AllNodesReady' },
  },
  'a state of another node with fields of other types': {
    former: [state('odd-other', 'worker-b', { networks: 'none' })],
    managerSays: ['UplinkState/odd-other.worker-b: status.networks: expected a list', notUsed],
  },
  'an Uplink of a newer type': {
    former: [uplink('newer', { type: 'LinuxBridge' }), network('of-newer', ['newer'])],
    agentSays: ['Uplink/newer: spec.nodeConfigs[0].type: expected one of OVSBridge, found string "LinuxBridge"'],
    managerSays: ['Uplink/newer: spec.nodeConfigs: type "LinuxBridge" is not supported by this version'],
    conditions: {
      'Uplink/newer': missing,
      'ClusterUserDefinedNetwork/of-newer': 'UplinksReady False UplinkNotReadyForNode',
    },
  },
  'a network of a newer topology': {
    former: [
      network('newer-topology', ['steady'], { network: { topology: 'Localnet', localnet: { role: 'Secondary' } } }),
    ],
    conditions: { 'ClusterUserDefinedNetwork/newer-topology': 'UplinksReady False UplinkUnsupportedTransport' },
  },
  'a state with a newer reason': {
    former: [
      uplink('newer-reason', { nodeSelector: { matchLabels: { odd: 'newer-reason' } } }),
      node('newer-reason', { labels: { odd: 'newer-reason' } }),
      state('newer-reason', 'newer-reason', {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'OpticsDark',
            message: 'no light',
            lastTransitionTime: '2026-01-02T03:04:05Z',
          },
        ],
      }),
    ],
    conditions: { 'Uplink/newer-reason': 'Degraded True OpticsDark' },
  },
  'RouteAdvertisements that select networks in a newer way': {
    objects: [advertisement('newer', { networkSelectors: [{ networkSelectionType: 'ByHand' }] })],
    managerSays: ['RouteAdvertisements/newer', 'networkSelectionType "ByHand" is not supported'],
  },
  'a Node of which OVN-Kubernetes’ annotation is no JSON': {
    objects: [
      node('worker-c', { labels: { odd: 'json' }, annotations: { 'k8s.ovn.org/l3-gateway-config': '{"default":' } }),
    ],
    otherAgent: 'worker-c',
    agentSays: [
      'Node/worker-c: metadata.annotations["k8s.ovn.org/l3-gateway-config"]: is ignored: the text is not valid JSON',
    ],
  },
  'a NetworkAttachmentDefinition with an id that is no number': {
    objects: [attachment('odd-id', 2, { 'k8s.ovn.org/network-id': '{"id":' }), network('odd-id', ['steady'])],
    managerSays: ['NetworkAttachmentDefinition/default/odd-id', 'expected a positive integer'],
    conditions: { 'ClusterUserDefinedNetwork/odd-id': 'UplinksReady False NetworkNotAllocated' },
  },
  'a NetworkAttachmentDefinition whose config is no JSON, which nobody needs': {
    objects: [attachment('odd-config', 3, {}, { config: '{"cniVersion":' }), network('odd-config', ['steady'])],
    conditions: { 'ClusterUserDefinedNetwork/odd-config': ready },
  },
  'objects of a MiB': {
    objects: [
      uplink('long', { nodeSelector: longSelector(MEBIBYTE), hostInterfaceName: 'br-odd' }),
      attachment('long', 4, {}, { config: ' '.repeat(MEBIBYTE) }),
      network('long', ['steady'], { namespaceSelector: longSelector(MEBIBYTE) }),
    ],
    conditions: { 'Uplink/long': missing, 'ClusterUserDefinedNetwork/long': ready },
  },
  'an object so long that etcd has no room for its status': {
    objects: [uplink('longer', { nodeSelector: longSelector(1.5 * MEBIBYTE - 1200) })],
    managerSays: ['Uplink/longer is not written: Uplink/longer: '],
  },
  'names, labels and interfaces that are as long as they may be': {
    objects: [
      node(NAME, { labels: { [LABEL_KEY]: LABEL_VALUE } }),
      uplink(NAME, { nodeSelector: { matchLabels: { [LABEL_KEY]: LABEL_VALUE } }, hostInterfaceName: DEVICE }),
      ...namespaceOn('long-names', NAME),
      attachment(NAME, 5),
      network(NAME, [NAME], inNamespace('long-names')),
    ],
    otherAgent: NAME,
    conditions: { [`Uplink/${NAME}`]: 'Degraded False AllNodesReady', [`ClusterUserDefinedNetwork/${NAME}`]: ready },
  },
  'a Node without addresses': {
    objects: [
      node('worker-d', { labels: { odd: 'addresses' } }),
      uplink('no-addresses', { nodeSelector: { matchLabels: { odd: 'addresses' } } }),
      ...namespaceOn('no-addresses', 'worker-d'),
      attachment('no-addresses', 6),
      network('no-addresses', ['no-addresses'], inNamespace('no-addresses')),
    ],
    otherAgent: 'worker-d',
    agentSays: ['Node/worker-d: status.addresses: expected an InternalIP, found none'],
    conditions: { 'ClusterUserDefinedNetwork/no-addresses': ready },
  },
};
