import {
  claimsWrite,
  conditionsWrite,
  definitionDeletion,
  definitionWrite,
  networkMetadataWrite,
  nodeWrite,
  providedStatusWrite,
  reportWrite,
  stateDeletion,
  stateWrite,
  sliceDeletion,
  serviceWrite,
} from '../../../src/domain/objects/writes.ts';
import type { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { type EventOptions, KubernetesEvents } from '../../../src/adapters/kubernetes/kubernetes-events.ts';
import { KubernetesServices } from '../../../src/adapters/kubernetes/kubernetes-services.ts';
import { defaultSettings } from '../../../src/domain/index.ts';
import { LeaseLeadership } from '../../../src/adapters/kubernetes/lease-leadership.ts';
import { PodAnnotator } from '../../../src/adapters/kubernetes/pod-annotator.ts';
import {
  nodeReportName,
  reportData,
  reportingNodes,
  reportTexts,
} from '../../../src/domain/network/allocation/node-report.ts';
import {
  IDS_LABEL,
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  NETWORK_FINALIZER,
  NODE_REPORT_ANNOTATION,
  CHASSIS_ID_ANNOTATION,
} from '../../../src/domain/basics/conventions.ts';
import type { FieldsWrite } from '../../../src/domain/objects/object-write.ts';
import type { UplinkState } from '../../../src/domain/api/uplink-state.ts';
import { emptyCluster } from '../../../src/domain/snapshot/cluster-snapshot.ts';
import type { ApplyResult } from '../../../src/ports/apply-result.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import type { TestApiServer } from './api-server.ts';
import type { Work } from './grants.ts';

/** Names what has failed. */
function failuresOf(results: Readonly<Record<string, ApplyResult>>): readonly string[] {
  return Object.entries(results).flatMap(([what, { done }]) => (done ? [] : [what]));
}

/** The problems with the objects that a store reads. */
async function problemsOf(store: KubernetesApi): Promise<readonly string[]> {
  const reading = await store.read();
  return (reading.read ? reading.value.warnings : reading.problems).map(({ message }) => message);
}

function ownState(uplink: string, node: string): UplinkState {
  const names = { 'k8s.ovn.org/uplink': uplink, 'k8s.ovn.org/node': node };
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: { name: `${uplink}.${node}`, labels: names, annotations: names },
    status: { uplinkName: uplink, nodeName: node },
  };
}

function remove(server: TestApiServer, state: UplinkState): void {
  server.kubectl(['delete', '--ignore-not-found', 'uplinkstate', state.metadata.name]);
}

/** All that the agent of worker-a asks of an API server. */
export const agentsWork: Readonly<Record<string, Work>> = {
  async reading(connection, server) {
    const store = new KubernetesApi(connection, { fieldManager: 'ovn-uplinks-node', node: 'worker-a' });
    const state = ownState('used', 'worker-a');
    remove(server, state);
    try {
      const problems = await problemsOf(store);
      if (problems.length > 0) return problems;
      const written = await store.write(stateWrite(state));
      if (!written.done) return ['writing'];
      server.kubectl(['label', 'uplinkstate', state.metadata.name, 'k8s.ovn.org/node-']);
      await eventually('it is not seen', async () => {
        const reading = await store.read();
        return (
          reading.read &&
          !reading.value.snapshot.uplinkStates.some(({ metadata }) => metadata.name === state.metadata.name)
        );
      });
      return failuresOf({
        'writing what is not seen': await store.write(stateWrite(state)),
        deleting: await store.write(stateDeletion(state.metadata.name)),
      });
    } finally {
      await store.close();
    }
  },
};

const conditionsOf = (type: string) => [
  { type, status: 'True' as const, reason: 'A', message: 'b', lastTransitionTime: '2026-01-01T00:00:00Z' },
];

/** Counts the answers that are none. */
function counted(connection: ApiServer) {
  let refusals = 0;
  const send: ApiServer['send'] = async (request) => {
    const result = await connection.send(request);
    if (!result.ok && result.failure.status === 403) refusals += 1;
    return result;
  };
  return { send, refusals: () => refusals };
}

const named = { namespace: 'demo', name: 'blue' };
const definition = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { ...named, labels: {}, annotations: {}, finalizers: [NETWORK_FINALIZER], ownerReferences: [] },
  spec: { config: '{"type":"ovn-uplinks-cni"}' },
} as const;

/** Has Events written, each twice, as a component does. @param say says the same, or something else, of an object */
function eventsBy(reporting: Omit<EventOptions, 'uidOf'>, say: (events: KubernetesEvents, what: string) => void): Work {
  return async (connection) => {
    const { send, refusals } = counted(connection);
    let [created, continued] = [0, 0];
    const server = {
      send: (async (request) => {
        const result = await send(request);
        if (request.method === 'POST') created += 1;
        else continued += 1;
        return result;
      }) satisfies ApiServer['send'],
    };
    const events = new KubernetesEvents(server, { ...reporting, uidOf: () => undefined });
    say(events, 'BridgeNotFound');
    await eventually('there is an event', () => created > 0);
    say(events, 'BridgeInvalid');
    say(events, 'BridgeNotFound');
    await eventually('it continues, or may not', () => continued > 0 || refusals() > 0);
    await events.close();
    return refusals() > 0 ? ['events'] : [];
  };
}

/** Writes an Event about an object, and continues it. */
function eventsAbout(object: string): Work {
  return eventsBy({ controller: 'ovn-uplinks-cluster-manager', instance: 'a' }, (events, reason) => {
    events.report({ kind: 'condition', object, type: 'Degraded', status: 'True', reason, message: '' });
  });
}

/** The requests of the cluster manager to an API server for networks that it provides; there are network and UserDefinedNetwork `blue`, and Node `worker-b`. */
export const providersWork: Readonly<Record<string, Work>> = {
  async networks(connection, server) {
    server.kubectl(['delete', '--ignore-not-found', '--namespace=ovn-uplinks', 'configmap', 'ovn-uplinks-ids']);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-c' } };
    server.kubectl(['delete', 'node', '--ignore-not-found', 'worker-c']);
    server.apply(node);
    // One that could not be deleted completely the last time.
    const definitions = server.kubectl(['get', 'network-attachment-definitions', '--namespace=demo', '--output=name']);
    for (const name of definitions.split('\n').filter((each) => each !== '')) {
      const patch = '--patch={"metadata":{"finalizers":null}}';
      // Beside the cluster manager, which may lack the right here, only it may do so.
      const collector = '--as=system:serviceaccount:kube-system:generic-garbage-collector';
      server.kubectl([collector, 'patch', '--namespace=demo', name, '--type=merge', patch]);
      server.kubectl(['delete', '--namespace=demo', '--ignore-not-found', name]);
    }
    const namespace = 'ovn-uplinks';
    const store = new KubernetesApi(connection, {
      fieldManager: 'ovn-uplinks-cluster-manager',
      claimsNamespace: namespace,
    });
    const uidOf = (object: string) => ({ uid: store.uidOf(object) ?? '' });
    try {
      const problems = await problemsOf(store);
      if (problems.length > 0) return problems;
      const reading = await store.read();
      const { nodes, configMaps } = reading.read ? reading.value.snapshot : emptyCluster;
      const claims = { 'network-1': 'cluster_udn_blue former released' };
      const failures = failuresOf({
        'storing the first claims': await store.write(claimsWrite({ namespace, data: claims })),
        'storing other claims': await store.write(
          claimsWrite({
            namespace,
            former: claims,
            data: { 'network-1': 'demo_blue other' },
            reports: reportTexts(reportingNodes(nodes, configMaps, namespace)),
          }),
        ),
        'writing the id of a node': await store.write(
          nodeWrite({ name: 'worker-c', ...uidOf('Node/worker-c'), annotations: { 'k8s.ovn.org/node-id': '2' } }),
        ),
        'creating a definition': await store.write(definitionWrite(definition)),
      });
      const uid = uidOf('NetworkAttachmentDefinition/demo/blue');
      const others = await Promise.all(
        (['ClusterUserDefinedNetwork', 'UserDefinedNetwork'] as const).map(async (kind) => {
          const key = kind === 'UserDefinedNetwork' ? named : { name: 'blue' };
          const network = { kind, ...key, ...uidOf(`${kind}/${Object.values(key).join('/')}`) };
          const metadata = { annotations: { 'k8s.ovn.org/network-id': '1' }, finalizers: [NETWORK_FINALIZER] };
          const status = { conditions: conditionsOf('NetworkCreated'), activeNamespaces: [], attachedPods: 0 };
          return failuresOf({
            [`writing the finalizer of a ${kind}`]: await store.write(
              networkMetadataWrite({ ...network, ...metadata }),
            ),
            [`removing the finalizer of a ${kind}`]: await store.write(
              networkMetadataWrite({
                ...network,
                ...metadata,
                finalizers: [],
              }),
            ),
            [`writing the status of a ${kind}`]: await store.write(providedStatusWrite({ ...network, ...status })),
          });
        }),
      );
      return [
        ...failures,
        ...others.flat(),
        ...failuresOf({
          'restoring a definition': await store.write(
            definitionWrite({
              ...definition,
              metadata: { ...definition.metadata, ...uid, labels: { 'ovn-uplinks/primary': '' } },
            }),
          ),
          'deleting a definition': await store.write(definitionDeletion({ ...named, ...uid })),
        }),
      ];
    } finally {
      await store.close();
    }
  },

  async services(connection, server) {
    const service = { kind: 'Service', metadata: { namespace: 'demo', name: 'web' } } as const;
    const mirror = { namespace: 'demo', name: 'ovn-uplinks-web-1' };
    const collector = '--as=system:serviceaccount:kube-system:generic-garbage-collector';
    server.kubectl(['delete', '--ignore-not-found', '--namespace=demo', 'service', 'web']);
    server.kubectl([collector, 'delete', '--ignore-not-found', '--namespace=demo', 'endpointslice', mirror.name]);
    server.apply({ apiVersion: 'v1', ...service, spec: { ports: [{ port: 80 }] } });
    const store = new KubernetesApi(connection, {
      fieldManager: 'ovn-uplinks-cluster-manager',
      claimsNamespace: 'ovn-uplinks',
    });
    const uidOf = (object: string) => ({ uid: store.uidOf(object) ?? '' });
    const content = (labels: object, uid = {}): FieldsWrite => ({
      verb: 'apply',
      kind: 'EndpointSlice',
      ...mirror,
      ...uid,
      metadata: { labels: { [MANAGED_BY_LABEL]: MIRROR_MANAGER, ...labels } },
      content: { addressType: 'IPv4', endpoints: [], ports: [] },
    });
    try {
      const problems = await problemsOf(store);
      if (problems.length > 0) return problems;
      const failures = failuresOf({
        'labelling a Service': await store.write(
          serviceWrite({ namespace: 'demo', name: 'web', ...uidOf('Service/demo/web') }),
        ),
        'creating a mirror': await store.write(content({})),
      });
      const uid = uidOf(`EndpointSlice/demo/${mirror.name}`);
      return [
        ...failures,
        ...failuresOf({
          'changing a mirror': await store.write(content({ a: 'b' }, uid)),
          'deleting a mirror': await store.write(sliceDeletion({ ...mirror, ...uid })),
        }),
      ];
    } finally {
      await store.close();
    }
  },

  events: eventsAbout('UserDefinedNetwork/demo/blue'),

  'events of Services': eventsBy({ controller: 'ovn-uplinks-cluster-manager', instance: 'a' }, (events, reason) => {
    events.warn({ kind: 'Service', namespace: 'demo', name: 'web', uid: '1', reason, message: reason });
  }),
};

/** The requests of an agent to an API server for provided networks; there are pod `web` in namespace `demo` and Node `worker-a`. */
export const zonesWork: Readonly<Record<string, Work>> = {
  async services(connection) {
    const services = new KubernetesServices(connection, defaultSettings);
    const problems = (): readonly string[] => {
      const reading = services.read();
      return reading.read ? [] : reading.problems.map(({ message }) => message);
    };
    await eventually('they are known, or why not', () =>
      problems().every((each) => !each.includes('has not answered')),
    );
    const failed = problems();
    await services.close();
    return failed;
  },

  async pods(connection, server) {
    const web = server.kubectl(['get', 'pod', '--namespace=demo', 'web', '--output=jsonpath={.metadata.uid}']);
    const annotator = new PodAnnotator(connection, 'ovn-uplinks-node');
    const pod = { namespace: 'demo', name: 'web', uid: web };
    return failuresOf({ annotating: await annotator.annotate(pod, (text) => (text === '{}' ? '{ }' : '{}')) });
  },

  events: eventsBy({ controller: 'ovn-uplinks-node', instance: 'worker-a' }, (events, reason) => {
    events.warn({ kind: 'Pod', namespace: 'demo', name: 'web', uid: '1', reason, message: reason });
  }),

  async registration(connection, server) {
    const namespace = 'ovn-uplinks';
    const name = nodeReportName('worker-a');
    server.kubectl(['delete', '--ignore-not-found', `--namespace=${namespace}`, 'configmap', name]);
    const store = new KubernetesApi(connection, {
      fieldManager: 'ovn-uplinks-node',
      node: 'worker-a',
      claimsNamespace: namespace,
    });
    try {
      const problems = await problemsOf(store);
      if (problems.length > 0) return problems;
      const owner = { name: 'worker-a', uid: store.uidOf('Node/worker-a') ?? '' };
      const report = (networks: readonly number[]) => ({
        namespace,
        name,
        labels: { [IDS_LABEL]: 'worker-a' },
        owner,
        data: reportData(owner, networks, []),
      });
      const annotated = (chassis: string) => {
        const annotations = { [NODE_REPORT_ANNOTATION]: name, [CHASSIS_ID_ANNOTATION]: chassis };
        return nodeWrite({ ...owner, annotations });
      };
      return failuresOf({
        'storing the first report': await store.write(reportWrite(report([1]))),
        'storing another report': await store.write(reportWrite(report([1, 2]))),
        // What is stored already is not written.
        'annotating the Node': await store.write(annotated('chassis-1')),
        'annotating the Node again': await store.write(annotated('chassis-2')),
      });
    } finally {
      await store.close();
    }
  },
};

/** All that the cluster manager asks of an API server; there are Uplink and network `blue`. */
export const managersWork: Readonly<Record<string, Work>> = {
  async objects(connection, server) {
    const store = new KubernetesApi(connection, { fieldManager: 'ovn-uplinks-cluster-manager' });
    const state = ownState('unused', 'worker-b');
    server.apply({ ...state, status: undefined });
    try {
      const problems = await problemsOf(store);
      if (problems.length > 0) return problems;
      const [finalizers, conditions] = [['k8s.ovn.org/uplink-protection'], conditionsOf('Degraded')];
      const uplink = { kind: 'Uplink', name: 'blue', conditions } as const;
      const network = {
        kind: 'ClusterUserDefinedNetwork',
        name: 'blue',
        conditions: conditionsOf('UplinksReady'),
      } as const;
      return failuresOf({
        'adding the finalizer': await store.write(conditionsWrite({ ...uplink, finalizers })),
        'removing the finalizer': await store.write(conditionsWrite({ ...uplink, finalizers: [] })),
        'writing conditions of a network': await store.write(conditionsWrite(network)),
        'deleting a state': await store.write(stateDeletion(state.metadata.name)),
      });
    } finally {
      await store.close();
    }
  },

  async leadership(connection, server) {
    const name = 'ovn-uplinks-cluster-manager';
    server.kubectl(['--namespace=ovn-uplinks', 'delete', '--ignore-not-found', 'lease', name]);
    const { send, refusals } = counted(connection);
    const leadership = new LeaseLeadership({ send }, { namespace: 'ovn-uplinks', name, identity: 'a' });
    const acquired = leadership.acquire();
    await eventually('it leads or may not', () => leadership.isLeader || refusals() > 0);
    await leadership.release();
    await acquired;
    return refusals() > 0 ? ['leading'] : [];
  },

  events: eventsAbout('Uplink/blue'),
};
