import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { candidateChanges } from '../../../../src/domain/explanation/candidate-changes.ts';
import { decisiveChanges } from '../../../../src/domain/explanation/changes.ts';
import { explain } from '../../../../src/domain/explanation/explain.ts';
import type { NetworkVerdict } from '../../../../src/domain/explanation/explanation.ts';
import { plannedVerdict, verdictText } from '../../../../src/domain/explanation/verdict.ts';
import { planNode } from '../../../../src/domain/index.ts';
import { cases } from '../../../../src/testing/index.ts';
import {
  frrConfiguration,
  labelled,
  network,
  node,
  nodeConfig,
  ofNetworks,
  routeAdvertisements,
  uplink,
} from '../brief-objects.ts';
import { explained, inputOf, type Story } from './situations.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

const numRuns = caseCount(100);

/** The changes as `change -> verdict`. */
const changes = (story: Story) =>
  explained(story).changes.map(({ change, verdict }) => `${change} -> ${verdictText(verdict)}`);

/** The verdict on network `blue` after a change that might be reported. */
function after(story: Story, change: string): string | undefined {
  const input = inputOf(story);
  if (input.node === undefined) throw new Error('only of a node that somebody looked at');
  const situation = { ...input, node: input.node };
  const [blue] = situation.cluster.clusterUserDefinedNetworks.filter(({ metadata }) => metadata.name === 'blue');
  const candidates = candidateChanges(
    situation,
    clusterNetwork(blue!, situation.settings),
    situation.cluster.nodes[0]!,
  );
  const found = candidates.find((candidate) => candidate.change === change)?.after();
  return (
    found &&
    verdictText(plannedVerdict(planNode(found.cluster, found.node, found.settings), 'ClusterUserDefinedNetwork/blue'))
  );
}

const advertised = {
  routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('blue') })],
  frrConfigurations: [frrConfiguration('f')],
};
const shared = { clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['blue'] })] };

const alone = 'default routing domain, bridge br-blue, ready';
const inVrf = 'VRF blue, bridge br-blue, ready';
const conflict = 'VRF blue, bridge br-blue, held: UplinkConfigurationConflict';

describe('the changes that are reported', () => {
  it('of a network alone on its bridge are an advertisement, and the interface down', () => {
    expect(changes({})).to.deep.equal([
      `RouteAdvertisements with targetVRF auto -> ${inVrf}`,
      'interface br-blue down -> default routing domain, held: UplinkNotReadyForNode',
    ]);
  });

  it('of a network in a VRF of its own are no advertisement, another network, and the interface down', () => {
    expect(changes({ objects: advertised })).to.deep.equal([
      `no RouteAdvertisements -> ${alone}`,
      `another active network on br-blue -> ${conflict}`,
      'interface br-blue down -> VRF blue, held: UplinkNotReadyForNode',
    ]);
  });

  it('of a network in conflict fixes it first', () => {
    expect(changes({ objects: { ...shared, ...advertised } })).to.deep.equal([
      `no network red on bridge br-blue -> ${inVrf}`,
      `no RouteAdvertisements -> ${alone}`,
      'interface br-blue down -> VRF blue, held: UplinkNotReadyForNode',
    ]);
  });

  it('of several RouteAdvertisements name the one', () => {
    const objects = {
      routeAdvertisements: [
        ...advertised.routeAdvertisements,
        routeAdvertisements('corp', { targetVRF: 'corp', networkSelectors: ofNetworks('blue') }),
        routeAdvertisements('red', { networkSelectors: ofNetworks('red') }),
      ],
      frrConfigurations: advertised.frrConfigurations,
    };
    expect(changes({ objects }).slice(0, 2)).to.deep.equal([
      'no RouteAdvertisements/ra -> VRF corp, bridge br-blue, held: UplinkVRFAttachmentFailed',
      `no RouteAdvertisements/corp -> ${inVrf}`,
    ]);
  });

  it('of an overlap are one item of nodeConfigs instead of several', () => {
    const configs = [
      nodeConfig('br-blue', labelled('rack', 'a')),
      nodeConfig('br-x', labelled('rack', 'x')),
      nodeConfig('gone'),
    ];
    const told = changes({ objects: { uplinks: [uplink('blue', configs)] } });
    expect(told.slice(0, 2)).to.deep.equal([
      `only nodeConfigs[0] of Uplink/blue selecting the node -> ${alone}`,
      'only nodeConfigs[2] of Uplink/blue selecting the node -> default routing domain, held: UplinkNotReadyForNode',
    ]);
  });

  it('of a node that is selected by its labels are no labels', () => {
    const objects = { uplinks: [uplink('blue', [nodeConfig('br-blue', labelled('rack', 'a'))])] };
    expect(changes({ objects })).to.include(
      'no labels on Node/a -> default routing domain, not ready: UplinkNotFoundForNode',
    );
  });

  it('are at most three', () => {
    const objects = { ...advertised, uplinks: [uplink('blue', [nodeConfig('br-blue', labelled('rack', 'a'))])] };
    expect(changes({ objects })).to.have.length(3);
  });

  it('of a network without uplinks, or that is not active, are none', () => {
    expect(changes({ objects: { clusterUserDefinedNetworks: [network('blue', { uplinks: [] })] } })).to.deep.equal([]);
    expect(changes({ settings: { dynamicNetworks: true } })).to.deep.equal([]);
  });

  describe('of a link in a wrong state', () => {
    const host = { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] };
    const managementPort = { name: 'ovn-k8s-mp7' };
    const links: readonly (readonly [what: string, links: NonNullable<Story['node']>['links'], change: string])[] = [
      ['down', [{ ...host, up: false }, { name: 'eth1' }], 'interface br-blue up'],
      ['down below', [{ ...host, operationalState: 'lowerlayerdown' }, { name: 'eth1' }], 'interface br-blue up'],
      ['over a physical port that is down', [host, { name: 'eth1', up: false }], 'interface eth1 up'],
      [
        'over a physical port without a carrier',
        [host, { name: 'eth1', operationalState: 'down' }],
        'interface eth1 up',
      ],
      ['too narrow', [{ ...host, mtu: 1000 }, { name: 'eth1' }], 'MTU 1400 on br-blue'],
      ['over a physical port that is too narrow', [host, { name: 'eth1', mtu: 1000 }], 'MTU 1400 on eth1'],
    ];
    for (const [what, ofNode, change] of links) {
      it(`because it is ${what}: ${change}`, () => {
        const story = { node: { links: [...ofNode!, managementPort] } };
        expect(changes(story)).to.include(`${change} -> ${alone}`);
      });
    }

    it('because it has no address are not to set it up', () => {
      const story = { node: { links: [{ name: 'br-blue' }, { name: 'eth1' }, managementPort] } };
      expect(changes(story).filter((change) => change.startsWith('interface'))).to.deep.equal([]);
    });

    it('because its bridge has no physical port are not to set it down', () => {
      const story = { node: { bridges: [{ name: 'br-blue' }] } };
      expect(changes(story).filter((change) => change.startsWith('interface'))).to.deep.equal([]);
    });
  });

  it('of labels do not change annotations', () => {
    const annotations = { 'k8s.ovn.org/l3-gateway-config': '{"default":{"bridge-id":"br-blue"}}' };
    const story = { objects: { nodes: [node('a', { annotations })] } };
    expect(explained(story).verdict.message).to.include('default gateway bridge');
    expect(changes(story).filter((change) => change.startsWith('no labels'))).to.deep.equal([]);
  });

  it('that add RouteAdvertisements do not make others apply', () => {
    const routing = { routeAdvertisements: [routeAdvertisements('corp', { targetVRF: 'corp' })] };
    expect(after({ objects: routing }, 'RouteAdvertisements with targetVRF auto')).to.equal(inVrf);
  });

  it('do not modify the situation', () => {
    const input = inputOf({ objects: { ...shared, ...advertised } });
    const before = JSON.stringify(input);
    explain(input, 'blue', 'a');
    expect(JSON.stringify(input)).to.equal(before);
  });
});

describe('on generated cases', () => {
  it('every reported change leads to its verdict, which differs from the present one and from those of the others', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        let changes = 0;
        for (const snapshot of nodes) {
          const object = cluster.nodes.find(({ metadata }) => metadata.name === snapshot.nodeName)!;
          const situation = { cluster, node: snapshot, settings };
          for (const ofCluster of cluster.clusterUserDefinedNetworks.slice(0, 2)) {
            const key = clusterNetworkKey(ofCluster.metadata.name);
            const now = plannedVerdict(planNode(cluster, snapshot, settings), key);
            const told = decisiveChanges(situation, clusterNetwork(ofCluster, situation.settings), object, now);
            expect(told.length).to.be.at.most(3);
            changes += told.length;
            const candidates = candidateChanges(situation, clusterNetwork(ofCluster, situation.settings), object);
            const verdicts = [now];
            for (const { change, verdict } of told) {
              const then = candidates.find((candidate) => candidate.change === change)!.after();
              expect(plannedVerdict(planNode(then.cluster, then.node, then.settings), key)).to.deep.equal(verdict);
              verdicts.push(verdict);
            }
            expect(new Set(verdicts.map(verdictText)).size).to.equal(verdicts.length);
          }
        }
        coverage.count({ changes: changes > 0 });
      }),
      { numRuns },
    );
    coverage.expect({ changes: 0.3 });
  });

  it('an explanation of a network with uplinks agrees with the plan', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        const { clusterUserDefinedNetworks } = cluster;
        const isAsked = clusterUserDefinedNetworks.some(({ spec }) => spec.uplinks?.length === 1);
        coverage.count({ explained: nodes.length > 0 && isAsked });
        for (const snapshot of nodes) {
          const plan = planNode(cluster, snapshot, settings);
          const withUplinks = cluster.clusterUserDefinedNetworks.filter(({ spec }) => spec.uplinks?.length === 1);
          for (const { metadata } of withUplinks.slice(0, 2)) {
            const outcome = explain({ cluster, node: snapshot, settings }, metadata.name, snapshot.nodeName);
            expect(outcome.explained && outcome.explanation.verdict).to.deep.equal(
              plannedVerdict(plan, clusterNetworkKey(metadata.name)),
            );
          }
        }
      }),
      { numRuns: caseCount(50) },
    );
    coverage.expect({ explained: 0.3 });
  });
});

describe('a verdict as a short text', () => {
  const ready: NetworkVerdict = { active: true, routingDomain: 'default', held: false, reason: 'Ready', message: '' };
  const texts: readonly (readonly [change: Partial<NetworkVerdict>, text: string])[] = [
    [{ active: false }, 'not active'],
    [{ reason: 'NoUplinks' }, 'no uplinks'],
    [{}, 'default routing domain, ready'],
    [{ bridge: 'br-x', vlan: 7, routingDomain: 'VRF blue' }, 'VRF blue, bridge br-x VLAN 7, ready'],
    [
      { bridge: 'br-x', held: true, reason: 'UplinkConfigurationConflict' },
      'default routing domain, bridge br-x, held: UplinkConfigurationConflict',
    ],
    [{ reason: 'NetworkNotAllocated' }, 'default routing domain, not ready: NetworkNotAllocated'],
  ];
  for (const [change, text] of texts) {
    it(`is "${text}"`, () => {
      expect(verdictText({ ...ready, ...change })).to.equal(text);
    });
  }
});
