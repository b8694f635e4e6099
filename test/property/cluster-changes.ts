/** Changes of a small cluster, one object at a time: enough names to meet, few enough to meet often. */
import fc from 'fast-check';
import type { KindKey } from '../../src/domain/api/kinds.ts';
import type { ObjectMeta } from '../../src/domain/api/object-meta.ts';
import type { ConfigMap } from '../../src/domain/api/config-map.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NETWORK_FINALIZER,
  NODE_ID_ANNOTATION,
  NODE_KEY,
  NODE_REPORT_ANNOTATION,
  POD_NETWORKS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
  UPLINK_FINALIZER,
  UPLINK_KEY,
} from '../../src/domain/basics/conventions.ts';
import { distinct } from '../../src/domain/basics/names/ordering.ts';
import { type ClusterSettings, type ClusterSnapshot, defaultSettings, planCluster } from '../../src/domain/index.ts';
import { nodeReportName, redirectionData, tunnelMtuData } from '../../src/domain/network/allocation/node-report.ts';
import { uplinkStateName } from '../../src/domain/status/state-identity.ts';
import { servicesIn, slicesIn, withLabels, withWrittenSlices } from './service-changes.ts';
import { chooser, shuffle } from '../../src/testing/shuffle.ts';
import {
  attachment,
  labelled,
  namespace,
  network,
  node,
  nodeConfig,
  notReady,
  pod,
  serviceCidr,
  unclearSelector,
  uplink,
  uplinkState,
} from '../unit/domain/brief-objects.ts';

/** An object of any kind. */
export interface ClusterObject {
  readonly metadata: Pick<ObjectMeta, 'namespace' | 'name' | 'uid' | 'labels' | 'annotations'>;
}

/** A change of a cluster. */
export type ClusterChange =
  /** An object is created or replaced, or removed, where `isGone`; it may be the same as before. */
  | { readonly change: 'object'; readonly kind: KindKey; readonly object: ClusterObject; readonly isGone: boolean }
  /** The lists get another order. */
  | { readonly change: 'order'; readonly seed: number }
  /** Everything is stored that a plan writes for provided networks. */
  | { readonly change: 'stored' }
  | { readonly change: 'unreadable'; readonly objects: ClusterSnapshot['unreadable'] }
  | { readonly change: 'formerActivity'; readonly activity: ClusterSnapshot['formerActivity'] };

function configMap(name: string, data: Readonly<Record<string, string>>): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: defaultSettings.namespace, name }, data };
}

const nodeNames = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const uplinkNames = fc.constantFrom('u', 'v', 'w');
/** One of them never exists. */
const referencedUplinks = fc.constantFrom('u', 'u', 'v', 'v', 'w', 'x');
const networkNames = fc.constantFrom('blue', 'green', 'red', 'white');
const namespaceNames = fc.constantFrom('blue', 'green', 'red', 'white', 'other');
const racks = fc.constantFrom('1', '2', '3');
const reasons = fc.constantFrom('BridgeNotFound', 'MTUInvalid', 'Unheard');
const metadata = fc.record(
  {
    generation: fc.nat({ max: 2 }),
    deletionTimestamp: fc.constant('2026-01-01T00:00:00Z'),
    finalizers: fc.constant([UPLINK_FINALIZER]),
    annotations: fc.constantFrom({}, { note: 'one' }),
  },
  { requiredKeys: [] },
);

/** A node with a chassis, perhaps that of another one, and perhaps an id; it says that it reports. */
const nodes = fc
  .record({
    name: nodeNames,
    rack: racks,
    id: fc.constantFrom(undefined, '2', '3', '4', '99999'),
    endpoint: fc.constantFrom(undefined, '172.16.0.1', '172.16.0.2', '172.16.0.3', 'none'),
    podCidr: fc.constantFrom('10.244.0.0/24', '10.20.7.0/24'),
  })
  .map(({ name, rack, id, endpoint, podCidr }) => ({
    ...node(name, {
      uid: `uid-${name}`,
      labels: { rack },
      annotations: {
        ...(id !== undefined && { [NODE_ID_ANNOTATION]: id }),
        ...(endpoint !== undefined && {
          [NODE_REPORT_ANNOTATION]: nodeReportName(name),
          [CHASSIS_ID_ANNOTATION]: `chassis-${name}`,
          [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([endpoint]),
        }),
      },
    }),
    spec: { podCIDRs: [podCidr] },
  }));

/** The report of a node. */
const reports = fc
  .record({
    node: nodeNames,
    uid: fc.constantFrom('', 'former'),
    networks: fc.constantFrom('', '1', '1-3', 'x'),
    ready: fc.constantFrom('', '1', '1-2', '2-3'),
    failure: fc.constantFrom({}, { 'not-ready-1': 'NodeFailed: no switch' }, { 'not-ready-2': 'NodeFailed' }),
    tunnels: fc.constantFrom({}, tunnelMtuData(1400), redirectionData('Cilium')),
  })
  .map(({ node: name, uid, networks, ready, failure, tunnels }) =>
    configMap(nodeReportName(name), {
      node: name,
      uid: `uid-${name}${uid}`,
      networks,
      ready,
      ...failure,
      ...tunnels,
    }),
  );

const claims = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('network'), id: fc.constantFrom('1', '2', '3'), name: networkNames }),
      fc.record({ kind: fc.constant('node'), id: fc.constantFrom('2', '3', '4'), name: nodeNames }),
    ),
    { maxLength: 6 },
  )
  .map((all) =>
    configMap(
      ID_CLAIMS_NAME,
      Object.fromEntries(
        all.map(({ kind, id, name }) => [
          `${kind}-${id}`,
          `${kind === 'network' ? 'cluster_udn_' : ''}${name} uid-${name}`,
        ]),
      ),
    ),
  );

const selectors = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: racks.map((rack) => labelled('rack', rack)) },
  { weight: 1, arbitrary: fc.constant(unclearSelector) },
);
const configs = fc
  .record({ name: fc.constantFrom('br-blue', 'br-red'), selector: selectors })
  .map(({ name, selector }) => nodeConfig(name, selector));
const uplinks = fc
  .record({ name: uplinkNames, configs: fc.array(configs, { maxLength: 2 }), metadata })
  .map((each) => uplink(each.name, each.configs, each.metadata));

const entries = fc.record({
  name: networkNames,
  ready: fc.constantFrom('True' as const, 'False' as const),
  reason: fc.constantFrom('Ready', 'UplinkVRFAttachmentFailed', 'UplinkConfigurationConflict'),
});
const statuses = fc.record(
  {
    conditions: reasons.map((reason) => notReady(reason).conditions ?? []),
    networks: fc.array(entries, { maxLength: 4 }),
    hostInterfaceName: fc.constantFrom('br-blue', 'br-red'),
    ipAddresses: fc.constantFrom(['192.0.2.6/24'], ['198.51.100.7/24']),
  },
  { requiredKeys: [] },
);
const identities = fc.record({ uplink: uplinkNames, node: nodeNames });
const states = fc
  .record({
    named: identities,
    said: fc.option(identities, { freq: 5, nil: undefined }),
    status: statuses,
    isWritten: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  })
  .map(({ named, said = named, status, isWritten }) => {
    const { status: written, ...state } = uplinkState(said.uplink, said.node, status);
    const name = uplinkStateName(named.uplink, named.node);
    const annotations = { [UPLINK_KEY]: said.uplink, [NODE_KEY]: said.node };
    return { ...state, metadata: { name, ...(!isWritten && { annotations }) }, ...(isWritten && { status: written }) };
  });

const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [NETWORK_FINALIZER] };

const networks = fc
  .record({
    name: networkNames,
    uplinks: fc.oneof(fc.constant(undefined), fc.uniqueArray(referencedUplinks, { minLength: 1, maxLength: 2 })),
    selector: fc.oneof(
      { weight: 4, arbitrary: namespaceNames.map((name) => labelled('tenant', name)) },
      { weight: 1, arbitrary: fc.constantFrom({}, unclearSelector) },
    ),
    transport: fc.constantFrom(undefined, undefined, 'EVPN'),
    cidr: fc.constantFrom('10.20.0.0/16', '192.0.2.0/24'),
    metadata: fc.oneof(
      { weight: 4, arbitrary: fc.record({ generation: fc.nat({ max: 2 }) }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.constant(deletion) },
    ),
  })
  .map(({ name, uplinks: referenced, selector, transport, cidr, metadata: unusual }) =>
    network(name, {
      uplinks: referenced,
      namespaceSelector: selector,
      network: {
        layer3: { role: 'Primary', subnets: [{ cidr }] },
        ...(transport !== undefined && { transport }),
      },
      metadata: { uid: `uid-${name}`, ...unusual },
    }),
  );

/** A tenant's own network. */
const ownNetworks = fc
  .record({
    namespace: namespaceNames,
    cidr: fc.constantFrom('10.21.0.0/16', '10.244.0.0/16', '10.22.0.1/16'),
    isLayer2: fc.constantFrom(false, false, true),
    isBeingDeleted: fc.constantFrom(false, false, true),
  })
  .map(({ namespace: inNamespace, cidr, isLayer2, isBeingDeleted }) => ({
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: {
      namespace: inNamespace,
      name: 'own',
      uid: `uid-own-${inNamespace}`,
      ...(isBeingDeleted && deletion),
    },
    spec: isLayer2
      ? { topology: 'Layer2', layer2: { role: 'Primary', subnets: [cidr] } }
      : { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr }] } },
  }));

const namespaces = fc
  .record({ name: namespaceNames, tenant: namespaceNames, isPrimary: fc.constantFrom(true, true, true, false) })
  .map(({ name, tenant, isPrimary }) => namespace(name, { tenant, ...(isPrimary && { [PRIMARY_NETWORK_LABEL]: '' }) }));

const pods = fc
  .record({
    name: fc.constantFrom('one', 'two', 'three'),
    namespace: namespaceNames,
    node: nodeNames,
    phase: fc.constantFrom('Running', 'Running', 'Running', 'Succeeded'),
    network: fc.option(networkNames, { nil: undefined }),
  })
  .map(({ name, namespace: inNamespace, node: onNode, phase, network: has }) =>
    pod(name, inNamespace, onNode, {
      metadata: {
        name,
        namespace: inNamespace,
        ...(has !== undefined && {
          annotations: {
            [POD_NETWORKS_ANNOTATION]: JSON.stringify({
              [`${inNamespace}/${has}`]: { ip_addresses: ['10.20.0.5/24'] },
            }),
          },
        }),
      },
      status: { phase },
    }),
  );

const definitions = fc
  .record({
    network: networkNames,
    id: fc.constantFrom(undefined, '7', 'x'),
    namespace: namespaceNames,
    /** Of another program, and the primary one of its namespace. */
    isPrimary: fc.constantFrom(false, false, true),
  })
  .map(({ network: ofNetwork, id, namespace: inNamespace, isPrimary }) => ({
    ...attachment(ofNetwork, id, inNamespace),
    ...(isPrimary && { spec: { config: JSON.stringify({ name: ofNetwork, type: 'other', role: 'primary' }) } }),
  }));

/** One may be in the subnet of a network, and one is that of the settings. */
const serviceCidrs = fc
  .record({
    name: fc.constantFrom('kubernetes', 'more'),
    cidr: fc.constantFrom('10.96.0.0/16', '10.96.0.0/16', '10.112.0.0/16', '10.20.9.0/24'),
  })
  .map(({ name, cidr }) => serviceCidr(name, cidr));

const objects: readonly (readonly [kind: KindKey, weight: number, objects: fc.Arbitrary<ClusterObject>])[] = [
  ['nodes', 4, nodes],
  ['uplinks', 4, uplinks],
  ['uplinkStates', 8, states],
  ['clusterUserDefinedNetworks', 4, networks],
  ['namespaces', 3, namespaces],
  ['pods', 4, pods],
  ['networkAttachmentDefinitions', 2, definitions],
  ['userDefinedNetworks', 1, ownNetworks],
  ['configMaps', 3, reports],
  ['configMaps', 1, claims],
  ['services', 3, servicesIn(namespaceNames)],
  ['endpointSlices', 4, slicesIn(namespaceNames)],
  ['serviceCidrs', 1, serviceCidrs],
];

const kinds = distinct(objects.map(([kind]) => kind));

const isGone = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const unreadable = fc.option(
  fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('uplinks' as const), name: uplinkNames }),
      fc.record({ kind: fc.constant('nodes' as const), name: nodeNames }),
      fc.record({ kind: fc.constant('clusterUserDefinedNetworks' as const), name: networkNames }),
      fc.record({ kind: fc.constant('pods' as const), namespace: namespaceNames, name: fc.constantFrom('one', 'two') }),
      fc.record({
        kind: fc.constant('endpointSlices' as const),
        namespace: namespaceNames,
        name: fc.constant('web-1'),
      }),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  { nil: undefined },
);

const clusterChanges: fc.Arbitrary<ClusterChange> = fc.oneof(
  ...objects.map(([kind, weight, arbitrary]) => ({
    weight,
    arbitrary: fc.record({
      change: fc.constant('object' as const),
      kind: fc.constant(kind),
      object: arbitrary,
      isGone,
    }),
  })),
  { weight: 1, arbitrary: fc.record({ change: fc.constant('order' as const), seed: fc.nat() }) },
  { weight: 4, arbitrary: fc.constant({ change: 'stored' as const }) },
  { weight: 1, arbitrary: fc.record({ change: fc.constant('unreadable' as const), objects: unreadable }) },
  {
    weight: 1,
    arbitrary: fc.record({
      change: fc.constant('formerActivity' as const),
      activity: fc.option(fc.array(fc.record({ namespace: namespaceNames, node: nodeNames }), { maxLength: 3 }), {
        nil: undefined,
      }),
    }),
  },
);

/** Every kind of object once or more, and then one to three changes for each plan. */
export const clusterHistories: fc.Arbitrary<readonly (readonly ClusterChange[])[]> = fc
  .record({
    first: fc.array(clusterChanges, { minLength: 30, maxLength: 50 }),
    rest: fc.array(fc.array(clusterChanges, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 30 }),
  })
  .map(({ first, rest }) => [first, ...rest]);

const isSameName = (left: ClusterObject, right: ClusterObject) =>
  left.metadata.name === right.metadata.name && left.metadata.namespace === right.metadata.namespace;

/** The cluster with an object created, replaced or removed. */
function withObject(
  cluster: ClusterSnapshot,
  kind: KindKey,
  object: ClusterObject,
  isRemoved = false,
): ClusterSnapshot {
  const list: readonly ClusterObject[] = cluster[kind];
  const isKnown = list.some((each) => isSameName(each, object));
  if (isRemoved) return { ...cluster, [kind]: list.filter((each) => !isSameName(each, object)) };
  const replaced = list.map((each) => (isSameName(each, object) ? object : each));
  return { ...cluster, [kind]: isKnown ? replaced : [...list, object] };
}

/** The cluster with the writes of a plan for provided networks. */
function stored(cluster: ClusterSnapshot, settings: ClusterSettings): ClusterSnapshot {
  const { provision } = planCluster(cluster, { ...settings });
  if (provision === undefined) return cluster;
  const withIds = provision.nodeIds.reduce((all, { node: name, id }) => {
    const found = all.nodes.find(({ metadata: { name: known } }) => known === name);
    if (found === undefined) return all;
    const annotations = { ...found.metadata.annotations, [NODE_ID_ANNOTATION]: String(id) };
    return withObject(all, 'nodes', { ...found, metadata: { ...found.metadata, annotations } });
  }, cluster);
  const withDefinitions = provision.definitions.reduce(
    (all, definition) =>
      withObject(all, 'networkAttachmentDefinitions', {
        ...definition,
        metadata: { ...definition.metadata, uid: `uid-${definition.metadata.namespace}-${definition.metadata.name}` },
      }),
    withIds,
  );
  const withoutObsolete = provision.obsoleteDefinitions.reduce(
    (all, metadata) => withObject(all, 'networkAttachmentDefinitions', { metadata }, true),
    withDefinitions,
  );
  const withServices = {
    ...withoutObsolete,
    services: withLabels(withoutObsolete.services, provision.services),
    endpointSlices: withWrittenSlices(withoutObsolete.endpointSlices, provision.services),
  };
  return provision.claims === undefined
    ? withServices
    : withObject(withServices, 'configMaps', configMap(ID_CLAIMS_NAME, provision.claims.data));
}

/** The cluster after a change. Objects and lists that do not change are the same ones. */
export function changedCluster(
  cluster: ClusterSnapshot,
  change: ClusterChange,
  settings: ClusterSettings,
): ClusterSnapshot {
  switch (change.change) {
    case 'object':
      return withObject(cluster, change.kind, change.object, change.isGone);
    case 'stored':
      return stored(cluster, settings);
    case 'order': {
      const lists = kinds.map((kind): readonly [string, readonly ClusterObject[]] => {
        const list: readonly ClusterObject[] = cluster[kind];
        const places = shuffle(
          list.map((_item, place) => place),
          chooser(change.seed),
        );
        return [kind, places.flatMap((place) => list[place] ?? [])];
      });
      return { ...cluster, ...Object.fromEntries(lists) };
    }
    case 'unreadable': {
      const { unreadable: _former, ...others } = cluster;
      const objects = change.objects ?? [];
      const readable = objects.reduce<ClusterSnapshot>(
        (all, { kind, ...named }) => withObject(all, kind, { metadata: named }, true),
        others,
      );
      return { ...readable, ...(change.objects && { unreadable: change.objects }) };
    }
    case 'formerActivity': {
      const { formerActivity: _former, ...others } = cluster;
      return { ...others, ...(change.activity && { formerActivity: change.activity }) };
    }
  }
}
