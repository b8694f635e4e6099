/** A cluster with Services in networks that have ids, and changes of it that leave most of them served. */
import fc from 'fast-check';
import type { KindKey } from '../../src/domain/api/kinds.ts';
import { NAMES_SELECTOR_ANNOTATION, POD_NETWORKS_ANNOTATION } from '../../src/domain/basics/conventions.ts';
import { service } from '../unit/domain/brief-services.ts';
import { network, pod } from '../unit/domain/brief-objects.ts';
import type { ClusterChange, ClusterObject } from './cluster-changes.ts';
import { numberedCluster } from './numbered-cluster.ts';
import { servicesIn, slicesIn } from './service-changes.ts';

const namespaces = fc.constantFrom('blue', 'green');

/** A pod in the network of its namespace, or in the default network only. */
const pods = fc
  .record({
    name: fc.constantFrom('one', 'two', 'three'),
    namespace: namespaces,
    address: fc.constantFrom('10.30.0.5/24', '10.30.0.6/24', '10.31.0.5/24', '10.99.0.5/24', undefined),
    isHostNetwork: fc.constantFrom(false, false, false, true),
    phase: fc.constantFrom('Running', 'Running', 'Running', 'Succeeded'),
    app: fc.constantFrom('web', 'web', 'db', undefined),
    isReady: fc.boolean(),
  })
  .map(({ name, namespace, address, isHostNetwork, phase, app, isReady }) => ({
    ...pod(name, namespace, 'a', {
      status: { phase, ...(isReady && { conditions: [{ type: 'Ready', status: 'True' }] }) },
    }),
    metadata: {
      name,
      namespace,
      ...(app !== undefined && { labels: { app } }),
      ...(address !== undefined && {
        annotations: {
          [POD_NETWORKS_ANNOTATION]: JSON.stringify({ [`${namespace}/${namespace}`]: { ip_addresses: [address] } }),
        },
      }),
    },
    spec: { nodeName: 'a', ...(isHostNetwork && { hostNetwork: true }) },
  }));

/** A network that may have other subnets, or none. */
const networks = fc
  .record({ name: namespaces, cidr: fc.constantFrom('10.30.0.0/16', '10.31.0.0/16', '10.32.0.0/16') })
  .map(({ name, cidr }) =>
    network(name, {
      network: { layer3: { role: 'Primary', subnets: [{ cidr }] } },
      metadata: { uid: `uid-${name}` },
    }),
  );

const change = (kind: KindKey, object: ClusterObject, isGone = false): ClusterChange => ({
  change: 'object',
  kind,
  object,
  isGone,
});

/** A Service without an address whose names lead to pods. */
const headless = { clusterIPs: ['None'], annotations: { [NAMES_SELECTOR_ANNOTATION]: 'app=web' } };

/** The cluster, as changes of an empty one. */
const first: readonly ClusterChange[] = [
  ...(['nodes', 'clusterUserDefinedNetworks', 'namespaces', 'configMaps'] as const).flatMap((kind) =>
    numberedCluster[kind].map((object) => change(kind, object)),
  ),
  ...['blue', 'green'].flatMap((namespace) => [
    change('services', service('web', namespace)),
    change('services', service('db', namespace, headless)),
    change('services', service('peers', namespace, headless)),
  ]),
];

const isGone = fc.constantFrom(false, false, false, true);

const changesOf = (kind: KindKey, objects: fc.Arbitrary<ClusterObject>) =>
  fc.record({ object: objects, isGone }).map(({ object, isGone: gone }) => change(kind, object, gone));

/** Pods have ended, and their networks stay active: that changes the activity of a network, and nothing else in its namespaces. */
const formerActivity = fc
  .option(fc.record({ namespace: namespaces, node: fc.constantFrom('b', 'c') }), { nil: undefined })
  .map((ended): ClusterChange => ({ change: 'formerActivity', activity: ended && [ended] }));

const changes = fc.oneof(
  { weight: 6, arbitrary: changesOf('pods', pods) },
  { weight: 5, arbitrary: changesOf('endpointSlices', slicesIn(namespaces)) },
  { weight: 1, arbitrary: changesOf('services', servicesIn(namespaces)) },
  { weight: 1, arbitrary: networks.map((object) => change('clusterUserDefinedNetworks', object)) },
  { weight: 4, arbitrary: fc.constant<ClusterChange>({ change: 'stored' }) },
  { weight: 1, arbitrary: formerActivity },
);

/** Changes by which there is that cluster, and then one to three for each plan. */
export const servedHistories: fc.Arbitrary<readonly (readonly ClusterChange[])[]> = fc
  .array(fc.array(changes, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 30 })
  .map((rest) => [first, ...rest]);
