import { expect } from 'chai';
import {
  frrConfiguration,
  labelled,
  namespace,
  network,
  node,
  nodeConfig,
  pod,
  routeAdvertisements,
  unclearSelector,
  uplink,
} from '../brief-objects.ts';
import { explained, factLines, factsWith, type Story } from './situations.ts';

const own = 'ClusterUserDefinedNetwork/blue';

describe('the facts on activity', () => {
  const namespaces = [namespace('blue'), namespace('blue-2', { tenant: 'blue' }), namespace('red')];
  const told = (objects: Story['objects']) =>
    factLines(explained({ objects: { namespaces, ...objects }, settings: { dynamicNetworks: true } }))[0];

  it('name the first pod that keeps the network active there', () => {
    const pods = [
      pod('z', 'blue', 'a'),
      pod('b', 'blue-2', 'a'),
      pod('c', 'blue', 'a'),
      pod('a', 'blue', 'b'),
      pod('a', 'red', 'a'),
      pod('a2', 'blue', 'a', { status: { phase: 'Failed' } }),
    ];
    expect(told({ pods })).to.equal('active: a pod of its namespaces runs here <- Pod/blue-2/b');
  });

  it('report that no pod does', () => {
    expect(told({ pods: [pod('a', 'red', 'a'), pod('a', 'blue', 'b')] })).to.equal(
      `not active: no pod of its namespaces runs on the node outside the host network <- ${own}`,
    );
  });

  it('name a pod of its namespaces only, if its selector is not understood', () => {
    const objects = {
      clusterUserDefinedNetworks: [network('blue', { namespaceSelector: unclearSelector })],
      pods: [pod('b', 'blue', 'a'), pod('a', 'aaa', 'a')],
    };
    expect(told(objects)).to.equal('active: a pod of its namespaces runs here <- Pod/blue/b');
  });
});

describe('the facts on selection', () => {
  const configs = [
    nodeConfig('br-x', labelled('rack', 'x')),
    nodeConfig('br-blue', {
      matchLabels: { zone: 'z', rack: 'a' },
      matchExpressions: [
        { key: 'row', operator: 'In', values: ['1', '2'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    }),
  ];
  const labels = { rack: 'a', zone: 'z', row: '2' };

  it('report which item applies, and by what', () => {
    const objects = { uplinks: [uplink('blue', configs)], nodes: [node('a', { labels })] };
    expect(factsWith({ objects }, 'nodeConfigs')).to.deep.equal([
      'uplink blue, nodeConfigs[1] (old DoesNotExist, rack=a, row In (1, 2), zone=z): interface br-blue <- Uplink/blue',
    ]);
  });

  it('report each item that applies, if several do', () => {
    const objects = { uplinks: [uplink('blue', [...configs, nodeConfig('br-y')])], nodes: [node('a', { labels })] };
    const lines = factsWith({ objects }, 'nodeConfigs');
    expect(lines.slice(0, 2).map((line) => /nodeConfigs\[\d\]/.exec(line)?.[0])).to.deep.equal([
      'nodeConfigs[1]',
      'nodeConfigs[2]',
    ]);
    expect(lines[2]).to.match(/^UplinkOverlapOnNode: .*br-blue, br-y/);
  });

  describe('if none applies', () => {
    const elsewhere = [uplink('blue', [nodeConfig('br-blue', labelled('rack', 'x'))])];
    const told = (metadata: Parameters<typeof node>[1]) =>
      factLines(explained({ objects: { uplinks: elsewhere, nodes: [node('a', metadata)] } })).slice(1, 3);

    it('report that, and the labels of the node', () => {
      expect(told({ labels: { zone: 'z', rack: 'a' } })).to.deep.equal([
        'uplink blue: no item of nodeConfigs applies to the node <- Uplink/blue',
        '  labels of the node: rack=a, zone=z <- Node/a',
      ]);
    });

    it('report that the node has no labels', () => {
      expect(told({})[1]).to.equal('  labels of the node: none <- Node/a');
    });

    it('report that the node has no labels if its list of them is empty', () => {
      expect(told({ labels: {} })[1]).to.equal('  labels of the node: none <- Node/a');
    });
  });

  it('report that the Uplink does not exist', () => {
    expect(factsWith({ objects: { uplinks: [] } }, 'uplink blue')).to.include('uplink blue does not exist');
  });

  it('report that a selector is not understood', () => {
    const objects = { uplinks: [uplink('blue', [nodeConfig('br-blue', unclearSelector)])] };
    const [fact] = factsWith({ objects }, 'uplink blue');
    expect(fact).to.match(/^uplink blue: .*"Near".* <- Uplink\/blue$/);
  });
});

describe('the facts on advertisements', () => {
  const frr = [frrConfiguration('f')];
  const told = (objects: Story['objects']) =>
    factsWith({ objects: { frrConfigurations: frr, ...objects } }, 'RouteAdv');

  it('report why one does not apply', () => {
    const lines = told({
      routeAdvertisements: [
        routeAdvertisements('nowhere', { nodeSelector: labelled('rack', 'x') }),
        routeAdvertisements('no-frr', { frrConfigurationSelector: labelled('use', 'x') }),
      ],
    });
    expect(lines).to.deep.equal([
      '  RouteAdvertisements/no-frr does not count: it selects no FRRConfiguration <- RouteAdvertisements/no-frr',
      '  RouteAdvertisements/nowhere does not count: its nodeSelector does not select the node <- RouteAdvertisements/nowhere',
    ]);
    const elsewhere = [frrConfiguration('f', { nodeSelector: labelled('rack', 'x') })];
    expect(told({ routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: elsewhere })).to.deep.equal([
      '  RouteAdvertisements/ra does not count: none of its FRRConfigurations applies to the node <- RouteAdvertisements/ra',
    ]);
  });

  it('name only the FRRConfigurations that apply', () => {
    const elsewhere = frrConfiguration('e', { nodeSelector: labelled('rack', 'x') });
    expect(
      told({ routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: [elsewhere, ...frr] }),
    ).to.deep.equal([
      '  targetVRF auto by RouteAdvertisements/ra, with FRRConfiguration frr/f <- RouteAdvertisements/ra, FRRConfiguration/frr/f',
    ]);
  });

  it('report a missing target as the default one', () => {
    const { targetVRF: _auto, ...spec } = routeAdvertisements('ra').spec;
    expect(told({ routeAdvertisements: [{ ...routeAdvertisements('ra'), spec }] })[0]).to.include(
      'targetVRF default by',
    );
    expect(told({ routeAdvertisements: [routeAdvertisements('ra', { targetVRF: '' })] })[0]).to.include(
      'targetVRF default by',
    );
  });
});
