import { conditionsWrite, stateDeletion, stateWrite } from '../../../src/domain/objects/writes.ts';
import { dirname } from 'node:path/posix';
import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import type { UplinkState } from '../../../src/domain/api/uplink-state.ts';
import { uplinkStateName } from '../../../src/domain/status/state-identity.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import {
  change,
  create,
  label,
  NETWORK,
  query,
  refusal,
  remove,
  report,
  STATES,
  stateOf,
  UPLINK,
} from './admission-requests.ts';
import { TestApiServer } from './api-server.ts';
import { describeGrants } from './grants.ts';
import { agentsWork, managersWork } from './works.ts';
import { ApiUser, CONFIG, connectionOf, kindsServed, tokenOf, tokenOnNode } from './served-config.ts';

describe('on a real API server with config,', () => {
  let server: TestApiServer;
  let administrator: ApiUser;
  const users: ApiUser[] = [];

  async function userOf(token: string): Promise<ApiUser> {
    const user = await ApiUser.of(server, token);
    users.push(user);
    return user;
  }

  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    users.push(administrator);
    server.kubectl(['apply', '--server-side', '--validate=strict', `--kustomize=${CONFIG}`]);
    await kindsServed(server);
    const nodes = ['worker-a', 'worker-ab', 'x.worker-a', 'worker-b'];
    server.apply(
      ...nodes.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
      {
        apiVersion: 'k8s.ovn.org/v1alpha1',
        kind: 'Uplink',
        metadata: { name: 'blue', labels: { tenant: 'blue' }, finalizers: ['example.org/kept'] },
        spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-blue' }] },
      },
      {
        apiVersion: 'k8s.ovn.org/v1',
        kind: 'ClusterUserDefinedNetwork',
        metadata: { name: 'blue' },
        spec: {
          namespaceSelector: {},
          network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
          uplinks: ['blue'],
        },
      },
    );
  });

  after(async () => {
    for (const user of users) user.close();
    await server.stop();
  });

  describe('an agent on worker-a', () => {
    let agent: ApiUser;
    let token: string;

    before(async () => {
      token = await tokenOnNode(administrator, 'ovn-uplinks-node', 'worker-a');
      agent = await userOf(token);
      const other = await userOf(await tokenOnNode(administrator, 'ovn-uplinks-node', 'worker-b'));
      // Roles and policies are in force some time after they are stored.
      const probe = { ...create('blue', 'worker-b'), query: { dryRun: 'All' } };
      await eventually('an agent may write its states', async () => (await other.try(probe)) === 'done');
      await eventually('an agent may not write those of others', async () => (await agent.try(probe)) !== 'done');
      await other.send(create('blue', 'worker-b'));
      await other.send(report('blue.worker-b', 'worker-b'));
      await other.send(create('green', 'worker-b'));
    });

    it('creates, changes, reports and deletes its own state', async () => {
      for (const request of [
        create('blue', 'worker-a'),
        label('blue.worker-a', { labels: { 'k8s.ovn.org/uplink': 'blue' } }),
        report('blue.worker-a', 'worker-a'),
        report('blue.worker-a', 'worker-a'),
        remove(`${STATES}/blue.worker-a`),
      ]) {
        expect(refusal(await agent.try(request)), request.method).to.equal('done');
      }
    });

    it('reads and writes everything that its adapter does', async () => {
      const connection = await connectionOf(server, token);
      const store = new KubernetesApi(connection, { fieldManager: 'ovn-uplinks-node', node: 'worker-a' });
      try {
        const reading = await store.read();
        expect(reading.read && reading.value.warnings).to.deep.equal([]);
        const state: UplinkState = {
          ...stateOf('written', 'worker-a'),
          status: { uplinkName: 'written', nodeName: 'worker-a', networks: [] },
        };
        expect(await store.write(stateWrite(state))).to.deep.equal({ done: true });
        expect(
          await store.write(stateWrite({ ...state, status: { ...state.status, type: 'OVSBridge' } })),
        ).to.deep.equal({
          done: true,
        });
        expect(await store.write(stateDeletion('written.worker-a'))).to.deep.equal({ done: true });
        const refused = await store.write(stateWrite({ ...state, ...stateOf('written', 'worker-b') }));
        expect(!refused.done && refused.error).to.include('ovn-uplinks-node');
      } finally {
        await store.close();
      }
    });

    it('creates its own state under a name with a hash', async () => {
      const name = uplinkStateName('a.b', 'worker-a');
      expect(refusal(await agent.try(create('a.b', 'worker-a', { name })))).to.equal('done');
      expect(refusal(await agent.try(remove(`${STATES}/${name}`)))).to.equal('done');
    });

    it('takes over a state under its name without an identity', async () => {
      server.apply({ ...stateOf('red', 'worker-a'), metadata: { name: 'red.worker-a' } });
      const { labels, annotations } = stateOf('red', 'worker-a').metadata;
      expect(refusal(await agent.try(label('red.worker-a', { labels, annotations })))).to.equal('done');
      expect(refusal(await agent.try(report('red.worker-a', 'worker-a')))).to.equal('done');
    });

    it('keeps the finalizers of others on its state', async () => {
      server.apply(stateOf('kept', 'worker-a', { finalizers: ['example.org/kept'] }));
      expect(refusal(await agent.try(report('kept.worker-a', 'worker-a')))).to.equal('done');
      const said = 'a node agent does not change finalizers';
      const finalizers = ['example.org/mine'];
      const { annotations } = stateOf('kept', 'worker-a').metadata;
      expect(refusal(await agent.try(label('kept.worker-a', { annotations, finalizers })))).to.equal(said);
      for (const without of [null, [], finalizers]) {
        const path = `${STATES}/kept.worker-a`;
        const body = { metadata: { finalizers: without } };
        const contentType = 'application/merge-patch+json';
        expect(refusal(await agent.try({ method: 'PATCH', path, contentType, body }))).to.equal(said);
      }
    });

    const annotation = 'a node agent writes only UplinkStates with the annotation k8s.ovn.org/node: worker-a';
    const others = 'this UplinkState is not of node worker-a';
    const reported = 'status.nodeName must be worker-a';
    const name = 'the name must be that of its uplink, a dot and that of its node, or end with a hash of both';
    const lies = { 'k8s.ovn.org/uplink': 'blue', 'k8s.ovn.org/node': 'worker-a' };

    for (const [what, request, said] of [
      ['a state of another node', create('blue', 'worker-ab'), annotation],
      ['a state of another node whose label says worker-a', create('blue', 'worker-ab', { labels: lies }), annotation],
      [
        'a state without annotations whose label says worker-a',
        create('blue', 'worker-a', { labels: lies, annotations: {} }),
        annotation,
      ],
      ['a state under the name that another node needs', create('blue', 'worker-a', { name: 'blue.worker-b2' }), name],
      ['a state under a name that ends as its own', create('blue', 'worker-a', { name: 'blue.x.worker-a' }), name],
      [
        'a state under the name that another node needs, of an uplink with a dot',
        create('blue.x', 'worker-a', { name: 'blue.x.worker-a' }),
        name,
      ],
      ['a state of a node whose name begins as its own', create('red', 'worker-ab'), annotation],
      ['a state of a node whose name ends as its own', create('red', 'x.worker-a'), annotation],
      [
        'a state with a finalizer',
        create('red2', 'worker-a', { finalizers: ['example.org/mine'] }),
        'a node agent does not change finalizers',
      ],
    ] as const) {
      it(`does not create ${what}`, async () => {
        expect(refusal(await agent.try(request))).to.equal(said);
      });
    }

    for (const [what, request, said] of [
      ['the labels of another node’s state', label('blue.worker-b', { labels: { a: 'b' } }), annotation],
      ['the annotations of another node’s state to its own', label('blue.worker-b', { annotations: lies }), others],
      ['the status of another node’s state', report('blue.worker-b', 'worker-b'), annotation],
      ['the status of another node’s state to its own', report('blue.worker-b', 'worker-a'), annotation],
      [
        'the status of a state that has none yet and is of another node',
        report('green.worker-b', 'worker-a'),
        annotation,
      ],
    ] as const) {
      it(`does not change ${what}`, async () => {
        expect(refusal(await agent.try(request))).to.equal(said);
      });
    }

    it('does not report another node in its own state', async () => {
      await agent.send(create('liar', 'worker-a'));
      expect(refusal(await agent.try(report('liar.worker-a', 'worker-b')))).to.equal(reported);
    });

    it('does not give its own state to another node', async () => {
      await agent.send(create('given', 'worker-a'));
      const annotations = { 'k8s.ovn.org/node': 'worker-b', 'k8s.ovn.org/uplink': 'given' };
      expect(refusal(await agent.try(label('given.worker-a', { annotations })))).to.equal(annotation);
    });

    it('does not change a state whose annotation was changed to worker-a, but whose status is of another node', async () => {
      server.apply(stateOf('stolen', 'worker-b'));
      await administrator.send(report('stolen.worker-b', 'worker-b'));
      server.apply(
        stateOf('stolen', 'worker-b', {
          annotations: { 'k8s.ovn.org/node': 'worker-a', 'k8s.ovn.org/uplink': 'stolen' },
        }),
      );
      const said = 'status.nodeName is not worker-a: this UplinkState is of another node';
      expect(refusal(await agent.try(remove(`${STATES}/stolen.worker-b`)))).to.equal(said);
    });

    it('does not delete the state of another node, nor one without an identity', async () => {
      server.apply({ ...stateOf('nobody', 'worker-a'), metadata: { name: 'nobody.worker-a' } });
      for (const state of ['blue.worker-b', 'green.worker-b', 'nobody.worker-a']) {
        expect(refusal(await agent.try(remove(`${STATES}/${state}`))), state).to.equal(others);
      }
    });

    for (const [what, request] of [
      ['delete all states', remove(STATES)],
      [
        'put the finalizer on an Uplink',
        change(UPLINK, 'Uplink', { metadata: { name: 'blue', finalizers: ['k8s.ovn.org/uplink-protection'] } }),
      ],
      ['write the status of an Uplink', change(`${UPLINK}/status`, 'Uplink', { status: { conditions: [] } })],
      [
        'write the status of a network',
        change(`${NETWORK}/status`, 'ClusterUserDefinedNetwork', { status: { conditions: [] } }),
      ],
      ['delete an Uplink', remove(UPLINK)],
      ['delete a network', remove(NETWORK)],
      ['read Secrets', { method: 'GET', path: '/api/v1/secrets' }],
      [
        'read the lease of the cluster manager',
        { method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/ovn-uplinks/leases' },
      ],
    ] as const) {
      it(`does not ${what}`, async () => {
        expect(refusal(await agent.try(request))).to.equal('RBAC');
      });
    }

    it('does nothing with a token that is bound to no pod', async () => {
      const stolen = await userOf(await tokenOf(administrator, 'ovn-uplinks-node'));
      const said = 'the token of a node agent must be bound to a pod, which names its node';
      expect(refusal(await stolen.try(create('blue', 'worker-ab')))).to.equal(said);
      expect(refusal(await stolen.try(remove(`${STATES}/blue.worker-b`)))).to.equal(said);
    });

    describeGrants('ovn-uplinks-node', () => ({ server, token }), agentsWork);

    it('reads the input of its plans', async () => {
      for (const path of [
        STATES,
        `${STATES}/blue.worker-b`,
        dirname(UPLINK),
        dirname(NETWORK),
        '/api/v1/nodes',
        '/api/v1/namespaces',
        '/api/v1/pods',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/uplinks.k8s.ovn.org',
      ]) {
        expect(refusal(await agent.try({ method: 'GET', path })), path).to.equal('done');
      }
    });
  });

  describe('the cluster manager', () => {
    let manager: ApiUser;
    let token: string;

    before(async () => {
      token = await tokenOnNode(administrator, 'ovn-uplinks-cluster-manager', 'worker-b');
      manager = await userOf(token);
      const probe = change(UPLINK, 'Uplink', { spec: { nodeConfigs: [] } });
      await eventually(
        'its policy is in force',
        async () => refusal(await manager.try({ ...probe, query: { ...query, dryRun: 'All' } })) !== 'RBAC',
      );
    });

    const protection = ['k8s.ovn.org/uplink-protection'];

    it('adds its finalizer to an Uplink and removes it, and keeps those of others', async () => {
      for (const finalizers of [protection, []]) {
        const answer = await manager.try(change(UPLINK, 'Uplink', { metadata: { name: 'blue', finalizers } }));
        expect(refusal(answer)).to.equal('done');
        const { metadata } = (await administrator.send({ method: 'GET', path: UPLINK })) as {
          readonly metadata: { readonly finalizers: readonly string[] };
        };
        expect(metadata.finalizers).to.have.members(['example.org/kept', ...finalizers]);
      }
    });

    it('reads and writes everything that its adapter does', async () => {
      const store = new KubernetesApi(await connectionOf(server, token), {
        fieldManager: 'ovn-uplinks-cluster-manager',
      });
      try {
        server.apply(stateOf('unwanted', 'worker-b'));
        const reading = await store.read();
        expect(reading.read && reading.value.warnings).to.deep.equal([]);
        const conditions = (type: string) => [
          { type, status: 'True' as const, reason: 'A', message: 'b', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ];
        for (const finalizers of [['example.org/kept', ...protection], ['example.org/kept']]) {
          const written = { kind: 'Uplink' as const, name: 'blue', finalizers, conditions: conditions('Degraded') };
          expect(await store.write(conditionsWrite(written))).to.deep.equal({ done: true });
        }
        const network = { kind: 'ClusterUserDefinedNetwork' as const, name: 'blue' };
        const written = { ...network, conditions: conditions('UplinksReady') };
        expect(await store.write(conditionsWrite(written))).to.deep.equal({ done: true });
        expect(await store.write(stateDeletion('unwanted.worker-b'))).to.deep.equal({ done: true });
      } finally {
        await store.close();
      }
    });

    it('writes conditions, deletes states, writes events and holds its lease', async () => {
      const conditions = [{ type: 'Degraded', status: 'False', reason: 'AllNodesReady' }];
      server.apply(stateOf('obsolete', 'worker-b'));
      const leases = '/apis/coordination.k8s.io/v1/namespaces/ovn-uplinks/leases';
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'ovn-uplinks-cluster-manager' },
        spec: { holderIdentity: 'a' },
      };
      const event = {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: 'blue.1' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        action: 'Report',
        reason: 'BridgeNotFound',
        type: 'Warning',
        regarding: { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', name: 'blue' },
        reportingController: 'ovn-uplinks/cluster-manager',
        reportingInstance: 'a',
      };
      for (const request of [
        change(`${UPLINK}/status`, 'Uplink', { status: { conditions } }),
        change(`${NETWORK}/status`, 'ClusterUserDefinedNetwork', { status: { conditions } }),
        remove(`${STATES}/obsolete.worker-b`),
        { method: 'POST', path: leases, body: lease },
        { method: 'GET', path: `${leases}/ovn-uplinks-cluster-manager` },
        { method: 'PATCH', path: `${leases}/ovn-uplinks-cluster-manager`, query, body: lease },
        { method: 'POST', path: '/apis/events.k8s.io/v1/namespaces/default/events', body: event },
      ] satisfies readonly ApiRequest[]) {
        expect(refusal(await manager.try(request)), `${request.method} ${request.path}`).to.equal('done');
      }
    });

    describeGrants('ovn-uplinks-cluster-manager', () => ({ server, token }), managersWork);

    it('does not change the spec of an Uplink', async () => {
      const nodeConfigs = [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-ex' }];
      expect(refusal(await manager.try(change(UPLINK, 'Uplink', { spec: { nodeConfigs } })))).to.equal(
        'the cluster manager does not change the spec of an Uplink',
      );
    });

    for (const [what, metadata] of [
      ['labels', { labels: { tenant: 'red' } }],
      ['annotations', { annotations: { a: 'b' } }],
      ['another finalizer', { finalizers: ['example.org/other'] }],
      ['an owner', { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'worker-a', uid: '0000-1111' }] }],
    ] as const) {
      it(`does not set ${what} of an Uplink`, async () => {
        const answer = await manager.try(change(UPLINK, 'Uplink', { metadata: { name: 'blue', ...metadata } }));
        expect(refusal(answer)).to.equal(
          'of the metadata of an Uplink, the cluster manager changes only its finalizer k8s.ovn.org/uplink-protection',
        );
      });
    }

    for (const [what, request] of [
      ['create a state', create('blue', 'worker-a')],
      ['write the status of a state', report('blue.worker-b', 'worker-b')],
      ['delete all states', remove(STATES)],
      ['delete an Uplink', remove(UPLINK)],
      [
        'change a network',
        change(NETWORK, 'ClusterUserDefinedNetwork', { metadata: { name: 'blue', labels: { a: 'b' } } }),
      ],
    ] as const) {
      it(`does not ${what}`, async () => {
        expect(refusal(await manager.try(request))).to.equal('RBAC');
      });
    }
  });
});
