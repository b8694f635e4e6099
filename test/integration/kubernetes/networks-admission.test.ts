import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { refusal } from './admission-requests.ts';
import { describeAgentEvents, describeManagersEvents } from './agent-events.ts';
import { describeAnnotatedPods, networkOfOthers } from './annotated-pods.ts';
import { TestApiServer } from './api-server.ts';
import { describeGrants } from './grants.ts';
import { otherDefinitions } from './other-definitions.ts';
import { ApiUser, configWith, kindsServed, onceServed, tokenOnNode } from './served-config.ts';
import { describeServices } from './service-admission.ts';
import { describeTenants } from './tenants.ts';
import { providersWork, zonesWork } from './works.ts';

const DEFINITIONS = '/apis/k8s.cni.cncf.io/v1/namespaces/demo/network-attachment-definitions';
const NETWORKS = '/apis/k8s.ovn.org/v1/clusteruserdefinednetworks';
const NAMESPACED = '/apis/k8s.ovn.org/v1/namespaces/demo/userdefinednetworks';
const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/demo/pods';
const CONFIG_MAPS = '/api/v1/namespaces/ovn-uplinks/configmaps';

const ours = '{"name":"cluster_udn_blue","type":"ovn-uplinks-cni"}';
const others = '{"type":"bridge"}';

const layer3 = { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } };

const definition = (name: string, config: string, annotations: object = {}) => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { namespace: 'demo', name, annotations },
  spec: { config },
});

/** One with the label of networks that are provided, and what only the cluster manager changes. */
const labelled = (name: string, config: string) => {
  const { metadata, ...rest } = definition(name, config);
  const owner = { apiVersion: 'k8s.ovn.org/v1', kind: 'ClusterUserDefinedNetwork', name: 'blue', uid: 'uid-blue' };
  const labels = { 'ovn-uplinks/primary': '' };
  return { ...rest, metadata: { ...metadata, labels, finalizers: ['example.org/a'], ownerReferences: [owner] } };
};

const create = (path: string, body: object): ApiRequest => ({ method: 'POST', path, body });

const merge = (path: string, body: object): ApiRequest => ({
  method: 'PATCH',
  path,
  contentType: 'application/merge-patch+json',
  body,
});

/** Of a list, only those of the same name are changed, such as the image of a container. */
const strategic = (request: ApiRequest): ApiRequest => ({
  ...request,
  contentType: 'application/strategic-merge-patch+json',
});

const annotate = (path: string, key: string, value: string | null = '1') =>
  merge(path, { metadata: { annotations: { [key]: value } } });

/** Values that others than its writer may not give an annotation, as long as an object does not have it. */
const forgedValues = ['1', ''];

/** A change of the networks in a report. */
const changedBy = (path: string, networks: string) => merge(path, { data: { networks } });

/** A change of metadata or of a field other than those that components of ovn-uplinks write. */
const otherChanges = (path: string, spec: object): readonly ApiRequest[] => [
  merge(path, { spec }),
  merge(path, { metadata: { labels: { a: 'b' } } }),
  merge(path, { metadata: { annotations: { 'example.org/a': 'b' } } }),
  merge(path, { metadata: { finalizers: ['example.org/a'] } }),
];

describe('on a real API server with config and the component networks,', () => {
  let server: TestApiServer;
  let manager: ApiUser;
  let agent: ApiUser;
  /** May write everything that RBAC knows, in namespace demo and of networks and nodes: as a tenant, at least. */
  let tenant: ApiUser;
  let token: string;
  let agentToken: string;
  const users: ApiUser[] = [];

  before(async () => {
    server = await TestApiServer.start();
    server.apply(...otherDefinitions);
    // Before there are policies.
    await onceServed(() =>
      server.apply(
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } },
        labelled('edited', others),
        ...networkOfOthers,
      ),
    );
    server.kubectl(['apply', '--server-side', '--validate=strict', `--kustomize=${configWith('networks')}`]);
    await kindsServed(server);
    for (const plural of ['routeadvertisements', 'frrconfigurations', 'network-attachment-definitions'])
      await onceServed(() => server.kubectl(['get', plural, '--all-namespaces']));
    tenant = await ApiUser.of(server);
    users.push(tenant);
    const policy = { dryRun: 'All' };
    const namespaced = { namespace: 'demo', name: 'blue' };
    await onceServed(() =>
      server.apply(
        ...['worker-a', 'worker-b'].map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
        {
          apiVersion: 'k8s.ovn.org/v1',
          kind: 'ClusterUserDefinedNetwork',
          metadata: { name: 'blue' },
          spec: { namespaceSelector: {}, network: layer3 },
        },
        { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata: namespaced, spec: layer3 },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { namespace: 'demo', name: 'web' },
          spec: { nodeName: 'worker-a', containers: [{ name: 'main', image: 'example.org/main' }] },
        },
      ),
    );
    token = await tokenOnNode(tenant, 'ovn-uplinks-cluster-manager', 'worker-b');
    manager = await ApiUser.of(server, token);
    agentToken = await tokenOnNode(tenant, 'ovn-uplinks-node', 'worker-a');
    agent = await ApiUser.of(server, agentToken);
    users.push(manager, agent);
    // Roles and policies are in force some time after they are stored.
    for (const [who, request] of [
      [tenant, create(DEFINITIONS, definition('probe', ours))],
      [tenant, annotate(`${NETWORKS}/blue`, 'k8s.ovn.org/network-id')],
      [tenant, annotate(`${NODES}/worker-a`, 'k8s.ovn.org/node-id')],
      [tenant, annotate(`${PODS}/web`, 'k8s.ovn.org/pod-networks')],
    ] as const) {
      await eventually(`a policy refuses ${request.path}`, async () => {
        const answer = await who.try({ ...request, query: policy });
        return refusal(answer).includes('written by');
      });
    }
    for (const [who, request] of [
      [manager, create(DEFINITIONS, definition('probe', ours))],
      [manager, annotate(`${NETWORKS}/blue`, 'k8s.ovn.org/network-id')],
      [agent, annotate(`${PODS}/web`, 'k8s.ovn.org/pod-networks')],
    ] as const)
      await eventually(
        `${request.path} may be written`,
        async () => (await who.try({ ...request, query: policy })) === 'done',
      );
  });

  after(async () => {
    for (const user of users) user.close();
    await server.stop();
  });

  const byManager = 'written by the cluster manager of ovn-uplinks only';

  describeAnnotatedPods(() => ({ tenant, manager, server }));
  describeTenants(() => server);
  describeServices(() => ({ server, tenant, manager }));

  describe('a tenant', () => {
    for (const [what, config] of Object.entries({
      'the plugin of ovn-uplinks': ours,
      'it in a list of plugins': `{"plugins":[{"type":"bridge"},{"type":"ovn-uplinks-cni"}]}`,
      'it under a key in capitals': '{"TYPE":"ovn-uplinks-cni"}',
      'it spelt with an escape': String.raw`{"type":"\u006fvn-uplinks-cni"}`,
      'it spelt with an escape in capitals': String.raw`{"type":"ovn\u002Duplinks-cni"}`,
    })) {
      it(`creates no NetworkAttachmentDefinition with ${what}, and turns none into one`, async () => {
        const said = `a NetworkAttachmentDefinition with plugin ovn-uplinks-cni is ${byManager}`;
        expect(refusal(await tenant.try(create(DEFINITIONS, definition('forged', config))))).to.equal(said);
        await tenant.send(create(DEFINITIONS, definition('own', others)));
        expect(refusal(await tenant.try(merge(`${DEFINITIONS}/own`, { spec: { config } })))).to.equal(said);
        await tenant.send({ method: 'DELETE', path: `${DEFINITIONS}/own` });
      });
    }

    it('does not change the configuration of one, and may add labels and delete it', async () => {
      await manager.send(create(DEFINITIONS, definition('given', ours)));
      const said = `a NetworkAttachmentDefinition with plugin ovn-uplinks-cni is ${byManager}`;
      for (const config of [others, `${ours} `, null])
        expect(refusal(await tenant.try(merge(`${DEFINITIONS}/given`, { spec: { config } })))).to.equal(said);
      expect(await tenant.try(merge(`${DEFINITIONS}/given`, { metadata: { labels: { a: 'b' } } }))).to.equal('done');
      expect(await tenant.try({ method: 'DELETE', path: `${DEFINITIONS}/given` })).to.equal('done');
    });

    it('changes neither the label of a network nor owners and finalizers of one with it, as the garbage collector may', async () => {
      await manager.send(create(DEFINITIONS, labelled('owned', ours)));
      const path = `${DEFINITIONS}/owned`;
      const said = `owners and finalizers of a NetworkAttachmentDefinition with the label ovn-uplinks/primary are ${byManager}`;
      for (const metadata of [
        { ownerReferences: [] },
        { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'forged' }] },
        { finalizers: [] },
        { finalizers: ['example.org/a', 'example.org/b'] },
      ])
        expect(refusal(await tenant.try(merge(path, { metadata }))), JSON.stringify(metadata)).to.equal(said);
      const label = 'ovn-uplinks/primary';
      for (const value of ['other', null])
        expect(refusal(await tenant.try(merge(path, { metadata: { labels: { [label]: value } } })))).to.equal(
          `the label ${label} is ${byManager}`,
        );
      expect(await tenant.try(merge(path, { metadata: { labels: { a: 'b' } } }))).to.equal('done');
      server.kubectl([
        '--as=system:serviceaccount:kube-system:generic-garbage-collector',
        'patch',
        '--namespace=demo',
        'network-attachment-definitions/owned',
        '--type=merge',
        '--patch={"metadata":{"ownerReferences":null}}',
      ]);
      expect(await manager.try(merge(path, { metadata: { finalizers: [] } }))).to.equal('done');
      await manager.send({ method: 'DELETE', path });
    });

    it('has the owner of its choice in one without the label', async () => {
      const { ownerReferences } = labelled('forged', others).metadata;
      const { metadata, ...rest } = definition('forged', others);
      const forged = { ...rest, metadata: { ...metadata, ownerReferences } };
      expect(await tenant.try(create(DEFINITIONS, forged))).to.equal('done');
      expect(await tenant.try(merge(`${DEFINITIONS}/forged`, { metadata: { ownerReferences: [] } }))).to.equal('done');
      await tenant.send({ method: 'DELETE', path: `${DEFINITIONS}/forged` });
    });

    it('gives no NetworkAttachmentDefinition an id or a name of a network', async () => {
      const said = `the annotations k8s.ovn.org/network-id and network-name are ${byManager}`;
      for (const key of ['k8s.ovn.org/network-id', 'k8s.ovn.org/network-name']) {
        for (const value of forgedValues) {
          const forged = create(DEFINITIONS, definition('own', others, { [key]: value }));
          expect(refusal(await tenant.try(forged))).to.equal(said);
        }
        await tenant.send(create(DEFINITIONS, definition('own', others, { 'example.org/a': 'b' })));
        for (const value of forgedValues)
          expect(refusal(await tenant.try(annotate(`${DEFINITIONS}/own`, key, value)))).to.equal(said);
        await tenant.send({ method: 'DELETE', path: `${DEFINITIONS}/own` });
      }
    });

    it('neither gives a network its id, nor changes or removes it', async () => {
      const key = 'k8s.ovn.org/network-id';
      const said = `the annotation ${key} is ${byManager}`;
      for (const path of [`${NETWORKS}/blue`, `${NAMESPACED}/blue`]) {
        for (const value of forgedValues) expect(refusal(await tenant.try(annotate(path, key, value)))).to.equal(said);
        expect(await manager.try(annotate(path, key))).to.equal('done');
        for (const value of ['2', '', null])
          expect(refusal(await tenant.try(annotate(path, key, value)))).to.equal(said);
        expect(await tenant.try(annotate(path, 'example.org/a'))).to.equal('done');
        expect(await manager.try(annotate(path, key, null))).to.equal('done');
      }
      const metadata = { namespace: 'demo', name: 'forged', annotations: { [key]: '1' } };
      const forged = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata, spec: layer3 };
      expect(refusal(await tenant.try(create(NAMESPACED, forged)))).to.equal(said);
    });

    for (const path of [`${NODES}/worker-a`, `${NODES}/worker-a/status`])
      it(`neither gives a node its id, nor says that it reports, by ${path}`, async () => {
        for (const [key, said] of [
          ['k8s.ovn.org/node-id', `the annotation k8s.ovn.org/node-id is ${byManager}`],
          [
            'ovn-uplinks/node-report',
            'the annotation ovn-uplinks/node-report is written by the agent of the node only',
          ],
        ] as const)
          for (const value of forgedValues)
            expect(refusal(await tenant.try(annotate(path, key, value)))).to.equal(said);
        expect(await tenant.try(annotate(path, 'example.org/a'))).to.equal('done');
      });

    it('writes the status of a node and of a pod, as a kubelet does', async () => {
      const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }];
      for (const [path, status] of [
        [`${NODES}/worker-a/status`, { conditions }],
        [`${PODS}/web/status`, { phase: 'Running' }],
      ] as const)
        expect(await tenant.try(strategic(merge(path, { status }))), path).to.equal('done');
    });

    it('does not write pod-networks of a pod', async () => {
      const said = 'the annotation k8s.ovn.org/pod-networks is written by the agent of the pod’s node only';
      const key = 'k8s.ovn.org/pod-networks';
      for (const path of [`${PODS}/web`, `${PODS}/web/status`])
        for (const value of forgedValues)
          expect(refusal(await tenant.try(annotate(path, key, value))), path).to.equal(said);
      for (const path of [`${PODS}/web/binding`, PODS.replace(/pods$/, 'bindings')]) {
        const binding = { name: 'web', annotations: { [key]: '' } };
        const target = { apiVersion: 'v1', kind: 'Node', name: 'worker-a' };
        const body = { apiVersion: 'v1', kind: 'Binding', metadata: binding, target };
        expect(refusal(await tenant.try(create(path, body))), path).to.equal(said);
      }
      const metadata = { name: 'forged', annotations: { [key]: '{}' } };
      const spec = { containers: [{ name: 'main', image: 'example.org/main' }] };
      const forged = create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      expect(refusal(await tenant.try(forged))).to.equal(said);
      expect(await tenant.try(annotate(`${PODS}/web`, 'example.org/a'))).to.equal('done');
    });
  });

  describe('the cluster manager', () => {
    it('writes no NetworkAttachmentDefinition of others, and deletes none', async () => {
      await tenant.send(create(DEFINITIONS, definition('foreign', others)));
      const said = 'the cluster manager writes only NetworkAttachmentDefinitions with plugin ovn-uplinks-cni';
      for (const request of [
        create(DEFINITIONS, definition('other', others)),
        merge(`${DEFINITIONS}/foreign`, { metadata: { labels: { a: 'b' } } }),
        merge(`${DEFINITIONS}/foreign`, { spec: { config: ours } }),
        { method: 'DELETE', path: `${DEFINITIONS}/foreign` } as const,
      ])
        expect(refusal(await manager.try(request)), request.method).to.equal(said);
    });

    it('restores one with its label that was given another configuration before the policies were there', async () => {
      const path = `${DEFINITIONS}/edited`;
      const said = `a NetworkAttachmentDefinition with plugin ovn-uplinks-cni is ${byManager}`;
      expect(refusal(await tenant.try(merge(path, { spec: { config: `${others} ` } })))).to.equal(said);
      expect(await manager.try(merge(path, { spec: { config: ours } }))).to.equal('done');
      expect(await manager.try(merge(path, { metadata: { finalizers: [] } }))).to.equal('done');
      expect(await manager.try({ method: 'DELETE', path })).to.equal('done');
    });

    it('writes nothing else of networks and Nodes', async () => {
      for (const [path, spec] of [
        [`${NETWORKS}/blue`, { namespaceSelector: { matchLabels: { a: 'b' } } }],
        [`${NAMESPACED}/blue`, { layer3: { mtu: 1400 } }],
      ] as const)
        for (const request of otherChanges(path, spec))
          expect(refusal(await manager.try(request)), JSON.stringify(request.body)).to.match(
            /^of a network, the cluster manager changes only|spec is immutable/,
          );
      for (const request of otherChanges(`${NODES}/worker-b`, { unschedulable: true }))
        expect(refusal(await manager.try(request)), JSON.stringify(request.body)).to.match(
          /^of a Node, the cluster manager changes only its annotation/,
        );
      expect(refusal(await manager.try(annotate(`${NODES}/worker-b`, 'ovn-uplinks/node-report')))).to.match(
        /written by the agent of the node only$/,
      );
    });

    describeManagersEvents(() => ({ server, manager }));

    describeGrants('ovn-uplinks-cluster-manager', () => ({ server, token }), providersWork, {
      tested: ['ovn-uplinks-cluster-manager-networks'],
      others: ['ovn-uplinks-cluster-manager', 'ovn-uplinks-read'],
    });
  });

  describe('an agent on worker-a', () => {
    it('annotates its own Node only, and changes nothing else of it', async () => {
      for (const key of ['ovn-uplinks/node-report', 'k8s.ovn.org/node-chassis-id', 'k8s.ovn.org/node-encap-ips']) {
        for (const value of ['1', null])
          expect(await agent.try(annotate(`${NODES}/worker-a`, key, value)), key).to.equal('done');
        expect(refusal(await agent.try(annotate(`${NODES}/worker-b`, key))), key).to.match(
          /^(?:the annotation ovn-uplinks.node-report is written by the agent of the node only|an agent writes only the Node that it runs on)$/,
        );
      }
      for (const request of otherChanges(`${NODES}/worker-a`, { unschedulable: true }))
        expect(refusal(await agent.try(request)), JSON.stringify(request.body)).to.match(
          /^of a Node, .* and an agent only/,
        );
      expect(refusal(await agent.try(annotate(`${NODES}/worker-a`, 'k8s.ovn.org/node-id')))).to.include(byManager);
    });

    it('writes the report of its own node only, and no other ConfigMap', async () => {
      const reportOf = (node: string, data: object = { node }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `ovn-uplinks-node-${node}` },
        data: { uid: 'a', networks: '1', ...data },
      });
      const said = 'an agent writes only the report of the node that it runs on';
      for (const [what, object] of Object.entries({
        'of another node': reportOf('worker-b'),
        'of another node, under the name of its own': reportOf('worker-a', { node: 'worker-b' }),
        'of its own node, under the name of another': reportOf('worker-b', { node: 'worker-a' }),
        'under a name with a hash': {
          ...reportOf('a', { node: 'worker-a' }),
          metadata: { name: `ovn-uplinks-node.${'0'.repeat(16)}` },
        },
        'under another name': { ...reportOf('a', { node: 'worker-a' }), metadata: { name: 'settings' } },
      }))
        expect(refusal(await agent.try(create(CONFIG_MAPS, object))), what).to.equal(said);
      expect(await agent.try(create(CONFIG_MAPS, reportOf('worker-a')))).to.equal('done');
      const path = `${CONFIG_MAPS}/ovn-uplinks-node-worker-a`;
      const changed: ApiRequest = {
        method: 'PUT',
        path,
        body: reportOf('worker-a', { node: 'worker-a', networks: '2' }),
      };
      expect(await agent.try(changed)).to.equal('done');
      expect(refusal(await tenant.try(changedBy(path, '3')))).to.equal(
        'the report of a node is written by its agent only',
      );
      expect(refusal(await manager.try(changedBy(path, '3')))).to.equal('RBAC');
      expect(await tenant.try({ method: 'DELETE', path })).to.equal('done');
    });

    it('does not write the claims of ids', async () => {
      await tenant.try({ method: 'DELETE', path: `${CONFIG_MAPS}/ovn-uplinks-ids` });
      const claims = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'ovn-uplinks-ids' },
        data: { 'network-1': 'a b' },
      };
      const said =
        'the ConfigMap ovn-uplinks-ids is written by the cluster manager of ovn-uplinks only, which writes no other one';
      for (const user of [agent, tenant]) expect(refusal(await user.try(create(CONFIG_MAPS, claims)))).to.equal(said);
      expect(refusal(await manager.try(create(CONFIG_MAPS, { ...claims, metadata: { name: 'other' } })))).to.equal(
        said,
      );
      expect(await manager.try(create(CONFIG_MAPS, claims))).to.equal('done');
      const body = { ...claims, data: {} };
      expect(refusal(await agent.try({ method: 'PUT', path: `${CONFIG_MAPS}/ovn-uplinks-ids`, body }))).to.equal(said);
    });

    it('writes pod-networks of pods on its node only', async () => {
      expect(await agent.try(annotate(`${PODS}/web`, 'k8s.ovn.org/pod-networks', '{}'))).to.equal('done');
      server.apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'demo', name: 'elsewhere' },
        spec: { nodeName: 'worker-b', containers: [{ name: 'main', image: 'example.org/main' }] },
      });
      expect(refusal(await agent.try(annotate(`${PODS}/elsewhere`, 'k8s.ovn.org/pod-networks', '{}')))).to.match(
        /written by the agent of the pod’s node only$/,
      );
    });

    it('changes nothing else of a pod', async () => {
      const image = { containers: [{ name: 'main', image: 'example.org/other' }] };
      for (const request of otherChanges(`${PODS}/web`, image).map(strategic))
        expect(refusal(await agent.try(request)), JSON.stringify(request.body)).to.equal(
          'of a pod, an agent changes only its annotation k8s.ovn.org/pod-networks',
        );
    });

    describeAgentEvents(() => ({ server, agent }));

    describeGrants('ovn-uplinks-node', () => ({ server, token: agentToken }), zonesWork, {
      tested: ['ovn-uplinks-node-networks'],
      others: ['ovn-uplinks-node', 'ovn-uplinks-read'],
    });
  });
});
