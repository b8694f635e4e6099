import { clusterNetworkKey, nameOfNetwork } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { ClusterSnapshot, NetworkOnNode, NodePlan, NodeSettings } from '../../../../src/domain/index.ts';
import { nodeStatus, planNode } from '../../../../src/domain/index.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';
import {
  attachment,
  cluster,
  frrConfiguration,
  labelled,
  namespace,
  network,
  node,
  nodeConfig,
  ofNetworks,
  pod,
  routeAdvertisements,
  unclearSelector,
  uplink,
  uplinkState,
} from '../brief-objects.ts';

const healthy: BriefNode = {
  nodeName: 'a',
  links: [
    { name: 'br-blue', macAddress: '02:00:00:00:00:01', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
    { name: 'eth1' },
    { name: 'ovn-k8s-mp7', index: 9 },
    { name: 'ovn-k8s-mp8', index: 10 },
  ],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
};

const usual: Partial<ClusterSnapshot> = {
  nodes: [node('a'), node('b')],
  uplinks: [uplink('blue', 'br-blue')],
  clusterUserDefinedNetworks: [network('blue')],
  networkAttachmentDefinitions: [attachment('blue', '7'), attachment('red', '8')],
};

function plan(
  objects: Partial<ClusterSnapshot> = {},
  brief: Partial<BriefNode> = {},
  settings: Partial<NodeSettings> = {},
): NodePlan {
  const snapshot = completeNode({ ...healthy, ...brief });
  return planNode(cluster({ ...usual, ...objects }), snapshot, { ...defaultSettings, ...settings });
}

const blue = ({ networks }: NodePlan): NetworkOnNode | undefined => networks.find((row) => row.network === 'blue');
const widths = (mtu: number): Partial<BriefNode> => ({ links: healthy.links!.map((link) => ({ ...link, mtu })) });

describe('the plan of a node', () => {
  it('has for each uplink what was found, and for each network its routing domain', () => {
    const { warnings, dataplane, ...decided } = plan();
    expect(warnings).to.deep.equal([]);
    expect(
      dataplane.programmed.map(({ network, device, bridge }) => [nameOfNetwork(network), device, bridge]),
    ).to.deep.equal([['blue', 'br-blue', 'br-blue']]);
    expect(dataplane.kept).to.deep.equal([]);
    expect(decided).to.deep.equal({
      nodeName: 'a',
      uplinks: [
        {
          uplink: 'blue',
          hostInterfaceName: 'br-blue',
          stateNameTaken: false,
          facts: {
            macAddress: '02:00:00:00:00:01',
            ipAddresses: ['192.0.2.6/24'],
            defaultGateways: [],
            bridge: 'br-blue',
            hostPort: 'br-blue',
            physicalPort: 'eth1',
            physicalInterface: 'eth1',
            narrowest: { device: 'br-blue', mtu: 1500 },
          },
        },
      ],
      networks: [
        {
          key: 'ClusterUserDefinedNetwork/blue',
          network: 'blue',
          uplink: 'blue',
          bridge: 'br-blue',
          routingDomain: { domain: { kind: 'default' }, decidedBy: [] },
          held: false,
        },
      ],
    });
  });

  it('is empty for a node that the cluster does not have', () => {
    const { uplinks, networks } = plan({ nodes: [node('b')] });
    expect({ uplinks, networks }).to.deep.equal({ uplinks: [], networks: [] });
  });

  it('lists uplinks by name and networks by name, then uplink', () => {
    const { uplinks, networks } = plan({
      uplinks: ['z', 'blue', 'm'].map((name) => uplink(name, 'br-blue')),
      clusterUserDefinedNetworks: [
        network('red', { uplinks: ['z', 'blue', 'z'] }),
        network('blue'),
        network('blue-2', { uplinks: ['blue'] }),
      ],
    });
    expect(uplinks.map((onNode) => onNode.uplink)).to.deep.equal(['blue', 'm', 'z']);
    expect(networks.map((row) => `${row.network} ${row.uplink}`)).to.deep.equal([
      'blue blue',
      'blue-2 blue',
      'red blue',
      'red z',
    ]);
  });

  it('has the uid of an Uplink that has one', () => {
    expect(plan({ uplinks: [uplink('blue', 'br-blue', { uid: 'u-1' })] }).uplinks[0]).to.include({ uid: 'u-1' });
  });

  it('leaves out an Uplink that does not select the node', () => {
    const elsewhere = uplink('blue', [nodeConfig('br-blue', labelled('rack', 'x'))]);
    expect(plan({ uplinks: [elsewhere] }).uplinks).to.deep.equal([]);
  });

  it('discovers nothing if an Uplink selects several interfaces', () => {
    const { uplinks, networks } = plan({ uplinks: [uplink('blue', [nodeConfig('y'), nodeConfig('x')])] });
    const unusable = { cause: 'overlap', hostInterfaceNames: ['x', 'y'] };
    expect(uplinks).to.deep.equal([{ uplink: 'blue', stateNameTaken: false, unusable }]);
    expect(networks[0]).to.deep.include({
      held: true,
      failure: { reason: 'UplinkOverlapOnNode', hostInterfaceNames: ['x', 'y'] },
    });
  });

  it('discovers nothing if a selector is not understood', () => {
    const { uplinks, networks } = plan({ uplinks: [uplink('blue', [nodeConfig('x', unclearSelector)])] });
    const problem = { hostInterfaceName: 'x', kind: 'operator-unknown', key: 'rack', detail: 'Near' };
    const unusable = { cause: 'unclear-selector', problem };
    expect(uplinks).to.deep.equal([{ uplink: 'blue', stateNameTaken: false, unusable }]);
    expect(networks[0]).to.deep.include({ held: true, failure: { reason: 'UplinkNotReadyForNode', unusable } });
  });

  it('holds the networks of an Uplink that cannot be read, on every node, and leaves its state as it is', () => {
    const found = plan({ uplinks: [], unreadable: [{ kind: 'uplinks', name: 'blue' }] });
    const unusable = { cause: 'unreadable' };
    expect(found.uplinks).to.deep.equal([{ uplink: 'blue', stateNameTaken: false, unusable }]);
    expect(found.networks[0]).to.deep.include({ held: true, failure: { reason: 'UplinkNotReadyForNode', unusable } });
    expect(nodeStatus(found)).to.deep.equal([]);
  });

  it('keeps a network that cannot be read as it is', () => {
    const unreadable = [{ kind: 'clusterUserDefinedNetworks', name: 'blue' }] as const;
    const { networks, dataplane } = plan({ clusterUserDefinedNetworks: [], unreadable });
    expect(networks).to.deep.equal([]);
    expect(dataplane.kept.map(({ network }) => nameOfNetwork(network))).to.deep.equal(['blue']);
  });

  for (const unreadable of [
    { kind: 'pods', namespace: 'blue', name: 'running' },
    { kind: 'namespaces', name: 'blue' },
  ] as const) {
    it(`keeps networks that are not active while one of ${unreadable.kind} cannot be read, with Dynamic UDN alone`, () => {
      const keptWith = (dynamicNetworks: boolean) =>
        plan({ unreadable: [unreadable] }, {}, { dynamicNetworks }).dataplane.kept.map(({ network }) =>
          nameOfNetwork(network),
        );
      expect(keptWith(true)).to.deep.equal(['blue']);
      expect(keptWith(false)).to.deep.equal([]);
    });
  }

  it('does not count an FRRConfiguration of OVN-Kubernetes itself that cannot be read', () => {
    const unreadable = [{ kind: 'frrConfigurations', namespace: 'frr', name: 'ovnk-generated-x' }] as const;
    const { networks } = plan({ routeAdvertisements: [routeAdvertisements('ra')], unreadable });
    expect(networks[0]?.failure).to.equal(undefined);
  });

  it('discovers nothing if the type of an uplink is unknown', () => {
    const config = { ...nodeConfig('br-blue'), type: 'SRIOV' as 'OVSBridge' };
    const { uplinks, networks } = plan({ uplinks: [uplink('blue', [config])] });
    const unusable = { cause: 'unknown-type', type: 'SRIOV' };
    expect(uplinks).to.deep.equal([{ uplink: 'blue', hostInterfaceName: 'br-blue', stateNameTaken: false, unusable }]);
    expect(networks[0]).to.deep.include({ held: true, failure: { reason: 'UplinkNotReadyForNode', unusable } });
  });

  it('has what was found before discovery failed, and holds the networks', () => {
    const { uplinks, networks } = plan({}, { bridges: [] });
    const unusable = { cause: 'discovery', failure: { reason: 'BridgeNotFound' } };
    expect(uplinks[0]).to.deep.include({ unusable });
    expect(uplinks[0]?.facts).to.deep.include({ macAddress: '02:00:00:00:00:01' }).and.not.have.property('bridge');
    expect(networks[0]).to.deep.include({ held: true, failure: { reason: 'UplinkNotReadyForNode', unusable } });
  });

  it('reports that the name of a state is taken', () => {
    const taken = { ...uplinkState('red', 'b'), metadata: { name: 'blue.a' } };
    expect(plan({ uplinkStates: [taken] }).uplinks[0]).to.include({ stateNameTaken: true });
    expect(plan({ uplinkStates: [uplinkState('blue', 'a')] }).uplinks[0]).to.include({ stateNameTaken: false });
  });

  it('keeps an address that is tentative and was published', () => {
    const tentative = { address: '192.0.2.6', prefixLength: 24, flags: ['tentative'] };
    const links = [{ ...healthy.links![0]!, addresses: [tentative] }, ...healthy.links!.slice(1)];
    expect(plan({ uplinkStates: [uplinkState('blue', 'a')] }, { links }).uplinks[0]).not.to.have.property('unusable');
    expect(plan({}, { links }).uplinks[0]).to.have.property('unusable');
  });
});

describe('a network that no uplink carries', () => {
  const untouched = { held: false };
  const local = { gatewayMode: 'local' as const };
  const evpn = network('blue', { network: { transport: 'EVPN' } });
  const elsewhere = uplink('blue', [nodeConfig('br-blue', labelled('rack', 'x'))]);
  const causes: readonly (readonly [
    what: string,
    reason: string,
    objects: Partial<ClusterSnapshot>,
    settings: Partial<NodeSettings>,
  ])[] = [
    ['there is no such Uplink', 'UplinkNotFound', { uplinks: [] }, {}],
    ['the Uplink does not select the node', 'UplinkNotFoundForNode', { uplinks: [elsewhere] }, {}],
    ['the gateway mode is local', 'UplinkUnsupportedGatewayMode', {}, local],
    ['the gateway mode is local, and there is no Uplink', 'UplinkUnsupportedGatewayMode', { uplinks: [] }, local],
    ['its transport is EVPN', 'UplinkUnsupportedTransport', { clusterUserDefinedNetworks: [evpn] }, {}],
  ];
  /** The properties that are reported for a network that is carried: a mapping entry, a bridge, a VLAN. */
  const tagged = { name: 'br-blue', tag: 7, interfaces: [{ name: 'br-blue' }] };
  const everything: Partial<BriefNode> = {
    switchExternalIds: { 'ovn-uplinks-bridge-mappings': 'cluster_udn_blue:br-blue' },
    bridges: [{ name: 'br-blue', ports: [tagged, { name: 'eth1' }] }],
  };
  for (const [what, reason, objects, settings] of causes) {
    it(`is on no bridge and is never held if ${what}`, () => {
      const row = blue(plan(objects, everything, settings));
      expect(row).to.deep.include(untouched);
      expect(row?.failure).to.include({ reason });
      expect(row).not.to.have.any.keys('bridge', 'vlan');
    });
  }

  it('conflicts with nothing', () => {
    const objects = {
      clusterUserDefinedNetworks: [network('blue'), network('red', { network: { transport: 'EVPN' } })],
      routeAdvertisements: [routeAdvertisements('ra')],
      frrConfigurations: [frrConfiguration('f')],
    };
    expect(blue(plan(objects))).not.to.have.property('failure');
  });
});

describe('the networks that are planned', () => {
  const dynamic = { dynamicNetworks: true };
  const objects = { namespaces: [namespace('blue')] };

  it('are those that are active on the node', () => {
    expect(blue(plan({ ...objects, pods: [pod('p', 'blue', 'a')] }, {}, dynamic))).to.exist;
    expect(blue(plan({ ...objects, pods: [pod('p', 'blue', 'b')] }, {}, dynamic))).to.be.undefined;
  });

  it('are not those without uplinks', () => {
    expect(plan({ clusterUserDefinedNetworks: [network('blue', { uplinks: [] })] }).networks).to.deep.equal([]);
  });
});

describe('the MTU that an uplink must have', () => {
  const wide = (name: string, mtu: number | undefined, brief = {}) =>
    network(name, { network: { layer3: { role: 'Primary', ...(mtu !== undefined && { mtu }) }, ...brief } });
  const required = (
    networks: readonly ReturnType<typeof network>[],
    objects: Partial<ClusterSnapshot> = {},
    settings: Partial<NodeSettings> = {},
  ) => {
    const { uplinks } = plan({ clusterUserDefinedNetworks: networks, ...objects }, widths(500), settings);
    const failure = uplinks[0]?.unusable?.cause === 'discovery' ? uplinks[0].unusable.failure : undefined;
    return failure?.reason === 'MTUInvalid' ? [failure.required, failure.network] : failure;
  };

  it("is the default network's if no network uses the uplink", () => {
    expect(required([])).to.deep.equal([1400, undefined]);
    expect(required([], {}, { defaultNetworkMtu: 8900 })).to.deep.equal([8900, undefined]);
  });

  it("is the default network's for a network without one", () => {
    expect(required([wide('blue', undefined)], {}, { defaultNetworkMtu: 8900 })).to.deep.equal([8900, 'blue']);
  });

  it('is that of the widest network', () => {
    expect(required([wide('a', 1300), wide('c', 9000), wide('b', 1500)])).to.deep.equal([9000, 'c']);
  });

  it('names the first of several networks with the same MTU, whatever their order', () => {
    expect(required([wide('b', 9000), wide('a', 9000), wide('c', 9000)])).to.deep.equal([9000, 'a']);
    expect(required([wide('c', 9000), wide('b', 9000), wide('a', 9000)])).to.deep.equal([9000, 'a']);
  });

  it('may be below the default network’s', () => {
    expect(required([wide('blue', 600)])).to.deep.equal([600, 'blue']);
  });

  it('does not depend on networks that the uplink cannot carry', () => {
    expect(required([wide('blue', 600), wide('red', 9000, { transport: 'EVPN' })])).to.deep.equal([600, 'blue']);
  });

  it('does not depend on networks that are not active on the node', () => {
    const objects = {
      namespaces: [namespace('blue'), namespace('red')],
      pods: [pod('p', 'blue', 'a'), pod('q', 'red', 'b')],
    };
    expect(required([wide('blue', 600), wide('red', 9000)], objects, { dynamicNetworks: true })).to.deep.equal([
      600,
      'blue',
    ]);
  });

  it('does not depend on networks of other uplinks', () => {
    const other = { ...wide('red', 9000), spec: { ...wide('red', 9000).spec, uplinks: ['other'] } };
    expect(required([wide('blue', 600), other])).to.deep.equal([600, 'blue']);
  });
});

describe('the bridge of a network', () => {
  const broken: Partial<BriefNode> = { bridges: [] };
  const mapped = (text: string) => ({ switchExternalIds: { 'ovn-uplinks-bridge-mappings': text } });

  it('is the one that was found', () => {
    expect(blue(plan({}, mapped('cluster_udn_blue:br-old')))).to.include({ bridge: 'br-blue' });
  });

  it('is that of the managed mapping entry while none is found', () => {
    expect(blue(plan({}, { ...broken, ...mapped('cluster_udn_red:br-red,cluster_udn_blue:br-old') }))).to.include({
      bridge: 'br-old',
    });
  });

  it('is unknown without either', () => {
    expect(blue(plan({}, broken))).not.to.have.property('bridge');
  });

  it('is shared, and so is the conflict, while discovery fails', () => {
    const { networks } = plan(
      {
        clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['blue'] })],
        routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('red') })],
        frrConfigurations: [frrConfiguration('f')],
      },
      { ...broken, ...mapped('cluster_udn_red:br-x,cluster_udn_blue:br-x') },
    );
    expect(networks.map(({ failure }) => failure?.reason)).to.deep.equal([
      'UplinkConfigurationConflict',
      'UplinkConfigurationConflict',
    ]);
  });
});

describe('a network in a VRF', () => {
  const objects = { routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: [frrConfiguration('f')] };

  it('is in the given VRF, with the deciding objects', () => {
    expect(blue(plan(objects))).to.deep.include({
      vrf: 'blue',
      held: false,
      routingDomain: {
        domain: { kind: 'own-vrf', vrf: 'blue' },
        decidedBy: [{ routeAdvertisements: 'ra', targetVrf: 'auto', frrConfigurations: ['frr/f'] }],
      },
    });
  });

  it('has a VRF named by its id if its name is too long for one', () => {
    const long = 'a-network-with-a-long-name';
    const { networks } = plan({
      ...objects,
      clusterUserDefinedNetworks: [network(long)],
      networkAttachmentDefinitions: [attachment(long, '7')],
    });
    expect(networks[0]).to.include({ vrf: 'mp7-udn-vrf' });
  });

  it('is in conflict with any network on its bridge, and both are held', () => {
    const { networks } = plan({
      ...objects,
      clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['blue'] })],
      routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('blue') })],
    });
    const conflict = { over: 'bridge', bridge: 'br-blue', networks: ['blue', 'red'].map(clusterNetworkKey) };
    for (const row of networks) {
      expect(row).to.deep.include({
        held: true,
        failure: { reason: 'UplinkConfigurationConflict', conflicts: [conflict] },
      });
    }
    expect(networks).to.have.length(2);
  });

  it('reports the VLAN of its port', () => {
    const tagged = { name: 'br-blue', tag: 7, interfaces: [{ name: 'br-blue', type: 'internal' }] };
    expect(blue(plan({}, { bridges: [{ name: 'br-blue', ports: [tagged, { name: 'eth1' }] }] }))).to.include({
      vlan: 7,
    });
  });

  it('needs an address of its families on the uplink, and is held until then', () => {
    const subnets = [{ cidr: 'fd00::/48' }];
    const dual = network('blue', { network: { layer3: { role: 'Primary', subnets } } });
    expect(blue(plan({ clusterUserDefinedNetworks: [dual] }))).to.deep.include({
      held: true,
      failure: { reason: 'AddressFamilyMissing', families: [6] },
    });
  });
});
