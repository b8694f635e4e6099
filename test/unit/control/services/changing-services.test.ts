import { expect } from 'chai';
import { ServiceAgent } from '../../../../src/control/services/service-agent.ts';
import type { Service } from '../../../../src/domain/api/service.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import type { NamespaceNetwork } from '../../../../src/domain/services/namespace-network.ts';
import type { ServedObjects } from '../../../../src/domain/services/services-on-node.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { network } from '../../domain/brief-objects.ts';
import { serviceOf, surroundings, usual, web } from '../../domain/services/served-scene.ts';

const networkIn = (namespace: string): NamespaceNetwork => ({
  kind: 'ours',
  network: clusterNetwork(
    network(namespace, { network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } }),
    { providedNetworks: 'all', egress: 'none' },
  ),
  networkId: namespace === 'blue' ? 7 : 8,
});

const switches = ['blue', 'red'].map((tenant) => ({
  name: `cluster_udn_${tenant}_worker-a`,
  networkName: `cluster_udn_${tenant}`,
}));

const changedTo = ({ metadata, spec, ...service }: Service, change: Partial<Service['spec']>): Service => ({
  ...service,
  metadata,
  spec: { ...spec, ...change },
});

const inNamespace = ({ metadata, ...service }: Service, namespace: string): Service => ({
  ...service,
  metadata: { ...metadata, namespace },
});

const exposed = changedTo(web, { type: 'NodePort' });

describe('a Service that changes, and is served by an agent', () => {
  for (const { what, states, expected } of [
    {
      what: 'gets an address of the other family later, as its ipFamilyPolicy is changed',
      states: [[web], [changedTo(web, { clusterIPs: ['10.96.0.10', 'fd96::a'] })]],
      expected: ['replace: 10.96.0.10:80 [fd96::a]:80 in blue'],
    },
    {
      what: 'loses it again',
      states: [[changedTo(web, { clusterIPs: ['10.96.0.10', 'fd96::a'] })], [web]],
      expected: ['replace: 10.96.0.10:80 in blue'],
    },
    { what: 'is of type NodePort no more', states: [[exposed], [changedTo(web, { type: 'ClusterIP' })]], expected: [] },
    {
      what: 'becomes a name of something outside, for which the API server takes its address away',
      states: [[exposed], [changedTo(web, { type: 'ExternalName', clusterIPs: [] })]],
      expected: ['remove'],
    },
    {
      what: 'becomes such a name, as long as it still has its address',
      states: [[exposed], [changedTo(web, { type: 'ExternalName' })]],
      expected: ['remove'],
    },
    {
      what: 'is made again with the same address at once',
      states: [[web], [{ ...web, metadata: { ...web.metadata, uid: 'uid-later' } }]],
      expected: [],
    },
    {
      what: 'is made again with the same address a little later',
      states: [[web], [], [web]],
      expected: ['remove', 'add: 10.96.0.10:80 in blue'],
    },
    {
      what: 'has its address taken by one of another tenant as soon as it is gone',
      states: [[web], [inNamespace(web, 'red')]],
      expected: ['add: 10.96.0.10:80 in red, remove'],
    },
    {
      what: 'gets the address of another one, which gets its own, in one network',
      states: [
        [web, serviceOf('api', '10.96.0.11')],
        [serviceOf('web', '10.96.0.11'), serviceOf('api', '10.96.0.10')],
      ],
      expected: ['replace: 10.96.0.10:80 in blue, replace: 10.96.0.11:80 in blue'],
    },
  ] satisfies readonly { what: string; states: readonly (readonly Service[])[]; expected: readonly string[] }[])
    it(`${what}: ${expected.join('; then ') || 'no change'}`, async () => {
      let objects: ServedObjects = usual;
      const database = new FakeLoadBalancers(switches);
      const agent = new ServiceAgent({
        healthChecks: { set: () => undefined },
        objects: { read: () => ({ read: true, value: objects }), warnings: [], onChange: () => () => undefined },
        loadBalancers: database,
        flows: new FakeServiceFlows(),
        again: () => undefined,
        connections: { end: () => Promise.resolve({ done: true }) },
        cluster: { surroundings: { ...surroundings(), networkOf: networkIn } },
        report: () => undefined,
        served: () => undefined,
      });
      for (const [at, services] of states.entries()) {
        objects = { ...usual, services };
        const outcome = await agent.repair(at === 0 ? 'everything' : 'changed');
        expect(outcome.ok).to.equal(true);
      }
      agent.stop();
      const [, ...changes] = database.transactions;
      const texts = changes.map((transaction) =>
        transaction
          .map((change) => {
            if (!('desired' in change)) return change.verb;
            const { vips, networkName } = change.desired;
            return `${change.verb}: ${Object.keys(vips).join(' ')} in ${networkName.replace('cluster_udn_', '')}`;
          })
          .sort()
          .join(', '),
      );
      expect(texts).to.deep.equal(expected);
    });
});
