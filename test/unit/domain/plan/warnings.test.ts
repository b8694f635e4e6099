import { expect } from 'chai';
import type { ClusterSnapshot, Warning } from '../../../../src/domain/index.ts';
import { planCluster, planNode } from '../../../../src/domain/index.ts';
import { sortedWarnings } from '../../../../src/domain/plan/view/warning.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';
import {
  attachment,
  cluster,
  frrConfiguration,
  network,
  node,
  nodeConfig,
  ofNetworks,
  routeAdvertisements,
  unclearSelector,
  uplink,
  uplinkState,
} from '../brief-objects.ts';

/** Warnings as `object path`. */
const places = (warnings: readonly Warning[]) =>
  warnings.map(({ object, path }) => (path === undefined ? object : `${object} ${path}`));

const ofCluster = (objects: Partial<ClusterSnapshot>) => planCluster(cluster(objects), defaultSettings).warnings;

const unclear = { matchExpressions: [{ key: 'rack', operator: 'Near' }] };

describe('a cluster', () => {
  it('without problems gets no warning', () => {
    const objects = {
      nodes: [node('a')],
      uplinks: [uplink('blue', 'br-blue')],
      uplinkStates: [uplinkState('blue', 'a')],
      clusterUserDefinedNetworks: [network('blue')],
      networkAttachmentDefinitions: [
        attachment('blue', '7'),
        attachment('blue', '7', 'two'),
        attachment('red', undefined),
      ],
      routeAdvertisements: [routeAdvertisements('ra')],
      frrConfigurations: [frrConfiguration('f')],
    };
    expect(ofCluster(objects)).to.deep.equal([]);
  });

  it('gives a warning about types of uplink that this version does not know, each once', () => {
    const configs = ['Zebra', 'OVSBridge', 'Antelope', 'Zebra'].map((type) => ({
      ...nodeConfig('x'),
      type: type as 'OVSBridge',
    }));
    const warnings = ofCluster({ uplinks: [uplink('blue', configs)] });
    expect(places(warnings)).to.deep.equal(['Uplink/blue spec.nodeConfigs', 'Uplink/blue spec.nodeConfigs']);
    expect(warnings[0]?.message).to.include('"Antelope"').and.not.include('OVSBridge');
    expect(warnings[1]?.message).to.include('"Zebra"');
  });

  it('gives a warning about subnets with host bits', () => {
    const layer3 = {
      role: 'Primary',
      subnets: [{ cidr: '10.1.2.3/16' }, { cidr: 'fd20::/48' }],
      joinSubnets: ['fd98::1/64'],
    };
    const spec = { topology: 'Layer2', layer2: { role: 'Primary', subnets: ['10.2.0.1/16'] } };
    const metadata = { namespace: 'demo', name: 'red' };
    const warnings = ofCluster({
      clusterUserDefinedNetworks: [network('blue', { network: { layer3 } })],
      userDefinedNetworks: [{ apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata, spec }],
    });
    expect(warnings).to.deep.equal([
      {
        object: 'ClusterUserDefinedNetwork/blue',
        path: 'spec.network.layer3.joinSubnets[0]',
        message: 'fd98::1/64 has host bits: fd98::/64 is used',
      },
      {
        object: 'ClusterUserDefinedNetwork/blue',
        path: 'spec.network.layer3.subnets[0].cidr',
        message: '10.1.2.3/16 has host bits: 10.1.0.0/16 is used',
      },
      {
        object: 'UserDefinedNetwork/demo/red',
        path: 'spec.layer2.subnets[0]',
        message: '10.2.0.1/16 has host bits: 10.2.0.0/16 is used',
      },
    ]);
  });

  const selectors: readonly (readonly [place: string, objects: Partial<ClusterSnapshot>])[] = [
    [
      'ClusterUserDefinedNetwork/blue spec.namespaceSelector',
      { clusterUserDefinedNetworks: [network('blue', { namespaceSelector: unclearSelector })] },
    ],
    [
      'RouteAdvertisements/ra spec.nodeSelector',
      { routeAdvertisements: [routeAdvertisements('ra', { nodeSelector: unclear })] },
    ],
    [
      'RouteAdvertisements/ra spec.frrConfigurationSelector',
      { routeAdvertisements: [routeAdvertisements('ra', { frrConfigurationSelector: unclear })] },
    ],
    [
      'RouteAdvertisements/ra spec.networkSelectors',
      {
        routeAdvertisements: [
          routeAdvertisements('ra', {
            networkSelectors: [
              ...ofNetworks('blue'),
              {
                networkSelectionType: 'ClusterUserDefinedNetworks',
                clusterUserDefinedNetworkSelector: { networkSelector: unclear },
              },
            ],
          }),
        ],
      },
    ],
    [
      'FRRConfiguration/frr/f spec.nodeSelector',
      { frrConfigurations: [frrConfiguration('f', { nodeSelector: unclear })] },
    ],
  ];
  for (const [place, objects] of selectors) {
    it(`gives a warning that nothing can be matched against ${place}`, () => {
      const warnings = ofCluster(objects);
      expect(places(warnings)).to.deep.equal([place]);
      expect(warnings[0]?.message).to.include('"Near"').and.include('"rack"').and.include('; ');
    });
  }

  it('gives a warning about unknown kinds of network selection only', () => {
    const known = [
      'DefaultNetwork',
      'ClusterUserDefinedNetworks',
      'PrimaryUserDefinedNetworks',
      'SecondaryUserDefinedNetworks',
      'NetworkAttachmentDefinitions',
    ];
    const selecting = (...types: readonly string[]) =>
      ofCluster({
        routeAdvertisements: [
          routeAdvertisements('ra', {
            networkSelectors: types.map((networkSelectionType) => ({ networkSelectionType })),
          }),
        ],
      });
    expect(selecting(...known)).to.deep.equal([]);
    const warnings = selecting('Neighbours');
    expect(places(warnings)).to.deep.equal(['RouteAdvertisements/ra spec.networkSelectors']);
    expect(warnings[0]?.message).to.include('"Neighbours"');
  });

  it('gives no warning about RouteAdvertisements without networkSelectors', () => {
    const { networkSelectors: _none, ...spec } = routeAdvertisements('ra').spec;
    expect(ofCluster({ routeAdvertisements: [{ ...routeAdvertisements('ra'), spec }] })).to.deep.equal([]);
  });

  it('gives a warning about a network id that is not a number', () => {
    const warnings = ofCluster({ networkAttachmentDefinitions: [attachment('blue', 'seven', 'ns')] });
    expect(places(warnings)).to.deep.equal([
      'NetworkAttachmentDefinition/ns/blue metadata.annotations["k8s.ovn.org/network-id"]',
    ]);
    expect(warnings[0]?.message).to.include('"seven"');
  });

  it('gives no warning about an id that belongs to no network, or about missing annotations', () => {
    const { apiVersion, kind, metadata } = attachment('blue', 'seven');
    const annotations = { 'k8s.ovn.org/network-id': 'seven' };
    const { annotations: _none, ...bare } = metadata;
    expect(
      ofCluster({
        networkAttachmentDefinitions: [
          { apiVersion, kind, metadata: { ...metadata, annotations } },
          { apiVersion, kind, metadata: bare },
        ],
      }),
    ).to.deep.equal([]);
  });

  it('gives a warning about a network with several ids', () => {
    const warnings = ofCluster({
      networkAttachmentDefinitions: [attachment('blue', '9'), attachment('blue', '8', 'two'), attachment('red', '1')],
    });
    expect(places(warnings)).to.deep.equal(['Network/cluster_udn_blue']);
    expect(warnings[0]?.message).to.include('8, 9');
  });

  describe('with a state', () => {
    const objects = { nodes: [node('a'), node('b')], uplinks: [uplink('blue', 'br-blue')] };

    it('under another name than its own gives a warning with its identity', () => {
      const state = { ...uplinkState('blue', 'a'), metadata: { name: 'odd' } };
      const warnings = ofCluster({ ...objects, uplinkStates: [state] });
      expect(places(warnings)).to.deep.equal(['UplinkState/odd']);
      expect(warnings[0]?.message).to.include('blue.a');
    });

    it('under another name gives no warning if nothing selects it: it is deleted', () => {
      const state = { ...uplinkState('blue', 'gone'), metadata: { name: 'odd' } };
      expect(ofCluster({ ...objects, uplinkStates: [state] })).to.deep.equal([]);
    });

    it('under the name of another object gives a warning', () => {
      const state = { ...uplinkState('red', 'a'), metadata: { name: 'blue.a' } };
      const warnings = ofCluster({ ...objects, uplinkStates: [state] });
      expect(places(warnings)).to.deep.equal(['UplinkState/blue.a']);
      expect(warnings[0]?.message).to.include('uplink blue').and.include('node a');
    });

    it('without an identity gives no warning', () => {
      const { status: _none, ...state } = uplinkState('blue', 'a');
      expect(ofCluster({ ...objects, uplinkStates: [{ ...state, metadata: { name: 'odd' } }] })).to.deep.equal([]);
    });
  });
});

describe('a node', () => {
  const healthy: BriefNode = {
    nodeName: 'a',
    links: [
      { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
      { name: 'eth1' },
      { name: 'ovn-k8s-mp7', index: 9 },
    ],
    bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
  };
  const ofNode = (objects: Partial<ClusterSnapshot>, brief: Partial<BriefNode> = {}) =>
    planNode(
      cluster({
        nodes: [node('a')],
        uplinks: [uplink('blue', 'br-blue')],
        clusterUserDefinedNetworks: [network('blue')],
        networkAttachmentDefinitions: [attachment('blue', '7')],
        ...objects,
      }),
      completeNode({ ...healthy, ...brief }),
      defaultSettings,
    ).warnings;

  const inVrf = (vrf: string | undefined) =>
    frrConfiguration('f', { bgp: { routers: [{ vrf: 'x' }, vrf === undefined ? {} : { vrf }] } });

  it('without problems gets no warning', () => {
    expect(ofNode({})).to.deep.equal([]);
    expect(
      ofNode({ routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: [inVrf('blue')] }),
    ).to.deep.equal([]);
  });

  it('that the cluster does not have gives a warning', () => {
    const warnings = ofNode({ nodes: [] });
    expect(places(warnings)).to.deep.equal(['Node/a']);
  });

  it('gives a warning about a gateway annotation that is not understood', () => {
    const annotations = { 'k8s.ovn.org/l3-gateway-config': 'none' };
    const warnings = ofNode({ nodes: [node('a', { annotations })] });
    expect(places(warnings)).to.deep.equal(['Node/a metadata.annotations["k8s.ovn.org/l3-gateway-config"]']);
    expect(warnings[0]?.message).to.include('not valid JSON');
  });

  describe('with deciding RouteAdvertisements', () => {
    const accepted = (status: 'True' | 'False' | 'Unknown') => ({
      conditions: [
        { type: 'Other', status: 'False' as const, reason: 'X' },
        { type: 'Accepted', status, reason: 'Because' },
      ],
    });
    const deciding = (status: Parameters<typeof routeAdvertisements>[2], configuration = inVrf('blue')) =>
      ofNode({ routeAdvertisements: [routeAdvertisements('ra', {}, status)], frrConfigurations: [configuration] });

    it('gives a warning if they are not accepted, and why', () => {
      for (const status of ['False', 'Unknown'] as const) {
        const warnings = deciding(accepted(status));
        expect(places(warnings)).to.deep.equal(['RouteAdvertisements/ra status.conditions']);
        expect(warnings[0]?.message).to.include('Because');
      }
    });

    it('gives no warning if they are accepted, or not judged yet', () => {
      expect(deciding(accepted('True'))).to.deep.equal([]);
      expect(deciding({ conditions: [] })).to.deep.equal([]);
      expect(deciding({})).to.deep.equal([]);
      expect(deciding(undefined)).to.deep.equal([]);
    });

    it('gives a warning if none of their FRRConfigurations has a router in the VRF', () => {
      for (const configuration of [
        inVrf('red'),
        inVrf(undefined),
        frrConfiguration('f'),
        frrConfiguration('f', { bgp: {} }),
      ]) {
        const warnings = deciding(undefined, configuration);
        expect(places(warnings)).to.deep.equal(['RouteAdvertisements/ra spec.targetVRF']);
        expect(warnings[0]?.message).to.include('VRF blue');
      }
    });

    it('gives no warning about routers in the default routing domain', () => {
      const objects = {
        routeAdvertisements: [routeAdvertisements('ra', { targetVRF: 'default' })],
        frrConfigurations: [frrConfiguration('f')],
      };
      expect(ofNode(objects)).to.deep.equal([]);
    });

    it('gives no warning about those that do not apply there', () => {
      const objects = { routeAdvertisements: [routeAdvertisements('ra', {}, accepted('False'))] };
      expect(ofNode(objects)).to.deep.equal([]);
    });

    it('gives one warning for several networks', () => {
      const warnings = ofNode({
        clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['blue'] })],
        routeAdvertisements: [routeAdvertisements('ra', { targetVRF: 'default' }, accepted('False'))],
        frrConfigurations: [frrConfiguration('f')],
      });
      expect(places(warnings)).to.deep.equal(['RouteAdvertisements/ra status.conditions']);
    });

    it('gives no warning about networks without uplinks', () => {
      const warnings = ofNode({
        clusterUserDefinedNetworks: [network('blue', { uplinks: [] })],
        routeAdvertisements: [routeAdvertisements('ra', {}, accepted('False'))],
        frrConfigurations: [frrConfiguration('f')],
      });
      expect(warnings).to.deep.equal([]);
    });
  });

  describe('where net.ipv4.tcp_l3mdev_accept', () => {
    const setting = 'net.ipv4.tcp_l3mdev_accept';
    const advertised = { routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: [inVrf('blue')] };

    it('is 0 gives a warning for networks in a VRF', () => {
      const [warning, ...others] = ofNode(advertised, { sysctls: { [setting]: '0' } });
      expect(others).to.deep.equal([]);
      expect(warning).to.include({ object: 'Node/a', seenOnNode: true });
      expect(warning?.message).to.include(setting);
    });

    const quiet: readonly (readonly [what: string, objects: Partial<ClusterSnapshot>, brief: Partial<BriefNode>])[] = [
      ['is 1', advertised, { sysctls: { [setting]: '1' } }],
      ['was not read', advertised, {}],
      ['is 0 and no network is in a VRF', {}, { sysctls: { [setting]: '0' } }],
      ['is 0 and the only network in a VRF is held', advertised, { sysctls: { [setting]: '0' }, bridges: [] }],
    ];
    for (const [what, objects, brief] of quiet) {
      it(`${what} gives no warning`, () => {
        expect(ofNode(objects, brief)).to.deep.equal([]);
      });
    }
  });
});

describe('warnings', () => {
  it('are by object, path and message, each once', () => {
    const [a, b, c, d] = [
      { object: 'A/a', message: 'z' },
      { object: 'A/a', path: 'spec', message: 'a' },
      { object: 'A/a', path: 'spec', message: 'b' },
      { object: 'A/b', message: 'a' },
    ] as const;
    expect(sortedWarnings([d, c, b, a, { ...b }, { ...a }])).to.deep.equal([a, b, c, d]);
  });
});
