import { expect } from 'chai';
import { explain } from '../../../../src/domain/explanation/explain.ts';
import {
  frrConfiguration,
  network,
  notReady,
  ofNetworks,
  routeAdvertisements,
  uplink,
  uplinkState,
} from '../brief-objects.ts';
import { explained, factLines, factsWith, inputOf, type Story } from './situations.ts';

const own = 'ClusterUserDefinedNetwork/blue';

describe('an explanation', () => {
  it('is of an existing network and an existing node', () => {
    expect(explain(inputOf(), 'red', 'a')).to.deep.equal({ explained: false, unknown: 'network' });
    expect(explain(inputOf(), 'blue', 'b')).to.deep.equal({ explained: false, unknown: 'node' });
    expect(explain(inputOf(), 'red', 'b')).to.deep.equal({ explained: false, unknown: 'network' });
    const { network: ofNetwork, node: onNode } = explained();
    expect([ofNetwork, onNode]).to.deep.equal(['blue', 'a']);
  });

  it('reports the facts in the order of the decision, each with its source', () => {
    expect(factLines(explained())).to.deep.equal([
      `active on every node: networks are not dynamic <- ${own}`,
      'uplink blue, nodeConfigs[0] (every node): interface br-blue <- Uplink/blue',
      '  addresses 192.0.2.6/24; gateways 192.0.2.1 <- ip-address.json, ip-route4.json, ip-route6.json',
      '  br-blue is LOCAL of bridge br-blue, physical port eth1 <- ip-link.json, ovsdb.json',
      'routing domain: default',
      '  no RouteAdvertisements select the network',
      'alone on bridge br-blue',
    ]);
  });

  it('reports for a conflict the deciding objects, the networks that share the bridge, and that all are held', () => {
    const objects = {
      clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['blue'] })],
      routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('blue') })],
      frrConfigurations: [frrConfiguration('g'), frrConfiguration('f')],
    };
    expect(factLines(explained({ objects })).slice(4)).to.deep.equal([
      'routing domain: VRF blue',
      '  targetVRF auto by RouteAdvertisements/ra, with FRRConfiguration frr/f, frr/g' +
        ' <- RouteAdvertisements/ra, FRRConfiguration/frr/f, FRRConfiguration/frr/g',
      'shares bridge br-blue with red (default) <- ClusterUserDefinedNetwork/red',
      'UplinkConfigurationConflict: bridge br-blue is shared with red, and not all of them are in the default routing domain',
      '  held: what is programmed stays as it is',
    ]);
  });

  it('reports each uplink of the network, by name', () => {
    const objects = {
      uplinks: [uplink('blue', 'br-blue'), uplink('two', 'br-two')],
      clusterUserDefinedNetworks: [network('blue', { uplinks: ['two', 'blue', 'two'] })],
    };
    const uplinks = factsWith({ objects }, 'uplink ').map((line) => line.split(',')[0]);
    expect(uplinks).to.deep.equal(['uplink blue', 'uplink two']);
    expect(factsWith({ objects }, 'HostInterfaceNotFound')).to.have.length.above(0);
  });

  describe('of planned changes', () => {
    const routing = {
      routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('blue') })],
      frrConfigurations: [frrConfiguration('f')],
    };

    it('reports the operations of the network only, in order', () => {
      const objects = { ...routing, clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: [] })] };
      expect(explained({ objects }).operations?.map(({ mark, summary }) => `${mark} ${summary}`)).to.deep.equal([
        '+ VRF blue with table 1009',
        '~ VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
        '+ br-blue into VRF blue',
        '+ route default via 192.0.2.1 dev br-blue table 1009, moved from table main',
        '+ bridge mapping cluster_udn_blue:br-blue',
      ]);
    });

    it('reports disruptive operations only', () => {
      const disturbing = explained({ objects: routing }).operations?.filter(({ disturbs }) => disturbs !== undefined);
      expect(disturbing).to.deep.equal([
        {
          mark: '+',
          summary: 'br-blue into VRF blue',
          disruption: 'link-cycle',
          disturbs: 'br-blue goes down and up: its connections pause',
        },
      ]);
    });

    it('reports none if the network is held', () => {
      expect(explained({ objects: routing, node: { bridges: [] } }).operations).to.deep.equal([]);
    });

    it('reports none if the node was not observed, or has no uplink', () => {
      expect(explained({ node: undefined })).not.to.have.property('operations');
      const objects = { clusterUserDefinedNetworks: [network('blue', { uplinks: [] })] };
      expect(explained({ objects })).not.to.have.property('operations');
    });
  });

  describe('of a network without uplinks', () => {
    const story: Story = { objects: { clusterUserDefinedNetworks: [network('blue', { uplinks: [] })] } };

    it('reports that no change is planned for it', () => {
      expect(factLines(explained(story))).to.deep.equal([
        `active on every node: networks are not dynamic <- ${own}`,
        `the network has no uplinks: nothing is done for it <- ${own}`,
      ]);
      expect(factLines(explained({ ...story, node: undefined }))).to.deep.equal(factLines(explained(story)));
    });

    it('does not contradict itself on whether it is active', () => {
      const { facts, verdict } = explained(story);
      expect(facts[0]?.text).to.match(/^active/);
      expect(verdict.message).not.to.include('not active');
    });
  });
});

describe('the verdict', () => {
  it('on a network that is ready is its routing domain', () => {
    const tagged = { name: 'br-blue', tag: 7, interfaces: [{ name: 'br-blue', type: 'internal' }] };
    const bridges = [{ name: 'br-blue', ports: [tagged, { name: 'eth1' }] }];
    expect(explained({ node: { bridges } }).verdict).to.deep.equal({
      active: true,
      routingDomain: 'default',
      bridge: 'br-blue',
      vlan: 7,
      held: false,
      reason: 'Ready',
      message: '',
    });
  });

  it('on a network that is not ready is the reason, and whether it is held', () => {
    const objects = { routeAdvertisements: [routeAdvertisements('ra')], frrConfigurations: [frrConfiguration('f')] };
    expect(explained({ objects, node: { bridges: [] } }).verdict).to.deep.equal({
      active: true,
      routingDomain: 'VRF blue',
      vrf: 'blue',
      held: true,
      reason: 'UplinkNotReadyForNode',
      message: 'BridgeNotFound: interface br-blue is not on an Open vSwitch bridge',
    });
  });

  it('on a network that is not active is only that', () => {
    const { verdict } = explained({ settings: { dynamicNetworks: true } });
    expect(verdict).to.include({ active: false, held: false, reason: 'NotActive' });
    expect(verdict).to.have.all.keys('active', 'routingDomain', 'held', 'reason', 'message');
  });
});

describe('the fact on the routing domain', () => {
  const frrConfigurations = [frrConfiguration('f')];
  const told = (objects: Story['objects'], name = 'blue') => {
    const outcome = explain(inputOf({ objects: { frrConfigurations, ...objects } }), name, 'a');
    return outcome.explained
      ? factLines(outcome.explanation).find((line) => line.startsWith('routing domain'))
      : undefined;
  };

  it('is the VRF or the default one', () => {
    expect(told({})).to.equal('routing domain: default');
    expect(told({ routeAdvertisements: [routeAdvertisements('ra')] })).to.equal('routing domain: VRF blue');
  });

  it('is not the default one if several VRFs are targeted', () => {
    const both = [routeAdvertisements('ra'), routeAdvertisements('corp', { targetVRF: 'corp' })];
    expect(told({ routeAdvertisements: both })).not.to.equal('routing domain: default');
  });

  it('is not the default one if its own VRF has no name yet', () => {
    const long = 'a-network-with-a-long-name';
    const objects = { clusterUserDefinedNetworks: [network(long)], routeAdvertisements: [routeAdvertisements('ra')] };
    expect(told(objects, long)).not.to.equal('routing domain: default');
  });
});

describe('an explanation of a node that was not observed', () => {
  const ready = { networks: [{ name: 'blue', vrf: 'blue', ready: 'True' as const, reason: 'Ready' }] };
  const reported = (...uplinkStates: readonly ReturnType<typeof uplinkState>[]) =>
    explained({ node: undefined, objects: { uplinkStates } });

  it('reports what the node has reported', () => {
    const explanation = reported(uplinkState('blue', 'a', ready));
    expect(factLines(explanation)).to.deep.equal([
      `active on every node: networks are not dynamic <- ${own}`,
      'uplink blue, nodeConfigs[0] (every node): interface br-blue <- Uplink/blue',
      '  the node reports: interface br-blue, bridge br-blue, ready <- UplinkState/blue.a',
      'routing domain: VRF blue',
      '  no RouteAdvertisements select the network',
    ]);
    expect(explanation.verdict).to.deep.equal({
      active: true,
      routingDomain: 'VRF blue',
      bridge: 'br-blue',
      vrf: 'blue',
      held: false,
      reason: 'Ready',
      message: '',
    });
    expect(explanation.changes).to.deep.equal([]);
  });

  it('reports why it is not ready', () => {
    const { ovsBridge: _none, ...status } = uplinkState(
      'blue',
      'a',
      notReady('BridgeNotFound', 'on no bridge'),
    ).status!;
    const explanation = reported({ ...uplinkState('blue', 'a'), status });
    expect(factLines(explanation)[2]).to.equal(
      '  the node reports: interface br-blue, bridge unknown, UplinkNotReadyForNode: on no bridge <- UplinkState/blue.a',
    );
    expect(explanation.verdict).to.deep.equal({
      active: true,
      routingDomain: 'default',
      held: true,
      reason: 'UplinkNotReadyForNode',
      message: 'on no bridge',
    });
  });

  it('reports the reason alone if the node has no message', () => {
    const { message: _none, ...condition } = { ...notReady('BridgeNotFound').conditions![0]! };
    expect(factLines(reported(uplinkState('blue', 'a', { conditions: [condition] })))[2]).to.equal(
      '  the node reports: interface br-blue, bridge br-blue, UplinkNotReadyForNode <- UplinkState/blue.a',
    );
  });

  it('reports that the node has reported nothing', () => {
    expect(factLines(reported())[2]).to.equal(
      '  no capture of the node was given, and it has no current report <- UplinkState/blue.a',
    );
  });

  it('is inactive where the network is not active', () => {
    const explanation = explained({ node: undefined, settings: { dynamicNetworks: true } });
    expect(explanation.verdict).to.include({ active: false, reason: 'NotActive' });
    expect(factLines(explanation).some((line) => line.includes('routing domain'))).to.be.false;
  });

  const holding: readonly (readonly [reason: string, held: boolean])[] = [
    ['UplinkConfigurationConflict', true],
    ['UplinkOverlapOnNode', true],
    ['UplinkNotReadyForNode', true],
    ['NetworkNotAllocated', true],
    ['PrerequisiteMissing', true],
    ['UplinkVRFAttachmentFailed', true],
    ['AddressFamilyMissing', true],
    ['SubnetsOverlap', true],
    ['UplinkBridgeMappingFailed', true],
    ['GatewayRouterFailed', true],
  ];
  for (const [reason, held] of holding) {
    it(`reports that it is ${held ? 'held' : 'not held'} with ${reason}`, () => {
      const networks = [{ name: 'blue', ready: 'False' as const, reason, message: 'why' }];
      expect(reported(uplinkState('blue', 'a', { networks })).verdict).to.include({ reason, held, message: 'why' });
    });
  }
});
