import { unsupportedUplinks } from '../../../../src/domain/network/unsupported.ts';
import { expect } from 'chai';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { clusterNetwork, namespacedNetwork } from '../../../../src/domain/network/network.ts';
import { network, type NetworkBrief, readNetwork } from '../brief-objects.ts';

type Network = NonNullable<NetworkBrief['network']>;

describe('a network', () => {
  it('is called cluster_udn_NAME in mappings, annotations and OVN', () => {
    expect(readNetwork('blue').networkName).to.equal('cluster_udn_blue');
  });

  it('has its name as a label, whatever its labels are', () => {
    const key = 'k8s.ovn.org/metadata.name';
    expect(readNetwork('blue').labels).to.deep.equal({ [key]: 'blue' });
    expect(readNetwork('blue', { metadata: { labels: { tenant: 'x', [key]: 'red' } } }).labels).to.deep.equal({
      tenant: 'x',
      [key]: 'blue',
    });
  });

  it('has no uplinks both without the field and with an empty list', () => {
    expect(readNetwork('blue', { uplinks: undefined }).uplinks).to.deep.equal([]);
    expect(readNetwork('blue', { uplinks: [] }).uplinks).to.deep.equal([]);
    expect(readNetwork('blue', { uplinks: ['x'] }).uplinks).to.deep.equal(['x']);
  });

  const role = 'Primary';
  const mtus: readonly (readonly [what: string, network: Network, mtu: number | undefined])[] = [
    ['Layer3 with an MTU', { topology: 'Layer3', layer3: { role, mtu: 1300 }, layer2: { role, mtu: 9 } }, 1300],
    ['Layer2 with an MTU', { topology: 'Layer2', layer2: { role, mtu: 1300 }, layer3: { role, mtu: 9 } }, 1300],
    ['Layer3 without', { topology: 'Layer3', layer3: { role } }, undefined],
    ['Layer2 without', { topology: 'Layer2', layer2: { role } }, undefined],
  ];
  for (const [what, brief, mtu] of mtus) {
    it(`of ${what} requires MTU ${mtu ?? 'of the default network'}`, () => {
      expect(readNetwork('blue', { network: brief }).mtu).to.equal(mtu);
    });
  }

  const families: readonly (readonly [what: string, network: Network, families: readonly number[]])[] = [
    ['no subnets', { topology: 'Layer3', layer3: { role } }, []],
    ['no layer3', { topology: 'Layer3', layer2: { role, subnets: ['10.0.0.0/16'] } }, []],
    ['IPv4', { topology: 'Layer3', layer3: { role, subnets: [{ cidr: '10.0.0.0/16' }] } }, [4]],
    ['IPv6', { topology: 'Layer3', layer3: { role, subnets: [{ cidr: 'fd00::/48' }] } }, [6]],
    [
      'both',
      { topology: 'Layer3', layer3: { role, subnets: [{ cidr: 'fd00::/48' }, { cidr: '10.0.0.0/16' }] } },
      [4, 6],
    ],
    [
      'two of one',
      { topology: 'Layer3', layer3: { role, subnets: [{ cidr: '10.0.0.0/16' }, { cidr: '10.1.0.0/16' }] } },
      [4],
    ],
    ['Layer2 and none', { topology: 'Layer2', layer2: { role } }, []],
    ['Layer2 and no layer2', { topology: 'Layer2', layer3: { role, subnets: [{ cidr: '10.0.0.0/16' }] } }, []],
    ['Layer2 and both', { topology: 'Layer2', layer2: { role, subnets: ['fd00::/48', '10.0.0.0/16'] } }, [4, 6]],
    ['text that is no subnet', { topology: 'Layer2', layer2: { role, subnets: ['none'] } }, []],
  ];
  for (const [what, brief, expected] of families) {
    it(`with ${what} has families ${expected.join(', ') || 'none'}`, () => {
      expect(readNetwork('blue', { network: brief }).families).to.deep.equal(expected);
    });
  }
});

describe('a network cannot have uplinks', () => {
  const judge = (brief: Network) => unsupportedUplinks(readNetwork('blue', { network: brief }), defaultSettings);
  const transport = 'UplinkUnsupportedTransport';

  it('in local gateway mode, whatever its spec', () => {
    const settings = { ...defaultSettings, gatewayMode: 'local' } as const;
    for (const brief of [{}, { transport: 'EVPN' }]) {
      expect(unsupportedUplinks(readNetwork('blue', { network: brief }), settings)).to.deep.equal({
        reason: 'UplinkUnsupportedGatewayMode',
      });
    }
  });

  const judgements: readonly (readonly [what: string, network: Network, found: string | undefined])[] = [
    ['EVPN', { transport: 'EVPN' }, 'EVPN transport'],
    ['EVPN on another topology', { transport: 'EVPN', topology: 'Localnet' }, 'EVPN transport'],
    ['topology Localnet', { topology: 'Localnet' }, 'topology Localnet'],
    ['a secondary Layer3', { layer3: { role: 'Secondary' } }, 'role Secondary'],
    ['a secondary Layer2', { topology: 'Layer2', layer2: { role: 'Secondary' } }, 'role Secondary'],
    ['no role', { topology: 'Layer2' }, 'role unset'],
  ];
  for (const [what, brief, found] of judgements) {
    it(`with ${what}`, () => {
      expect(judge(brief)).to.deep.equal({ reason: transport, found });
    });
  }

  const supported: readonly (readonly [what: string, network: Network])[] = [
    ['a primary Layer3', {}],
    ['a primary Layer2', { topology: 'Layer2', layer2: { role: 'Primary' }, layer3: { role: 'Secondary' } }],
    ['another transport', { transport: 'NoOverlay' }],
  ];
  for (const [what, brief] of supported) {
    it(`except with ${what}, if it can`, () => {
      expect(judge(brief)).to.be.undefined;
    });
  }
});

describe('the way out of a network', () => {
  const spec = { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } as const;
  const metadata = { namespace: 'team', name: 'own' };
  const own = { apiVersion: 'k8s.ovn.org/v1', kind: 'UserDefinedNetwork', metadata, spec } as const;
  const secondary = { ...own, spec: { ...spec, layer3: { ...spec.layer3, role: 'Secondary' } } } as const;
  const byUplink = { providedNetworks: 'all', egress: 'uplink=underlay' } as const;
  const ways = ({ exit, uplinks, exitBySetting }: ReturnType<typeof clusterNetwork>) => ({
    exit,
    uplinks,
    exitBySetting,
  });
  const none = { exit: 'none', uplinks: [], exitBySetting: undefined };

  it('is the Uplink of the setting where its object names none, also that of a tenant', () => {
    const expected = { exit: 'uplink', uplinks: ['underlay'], exitBySetting: 'uplink=underlay' };
    expect(ways(namespacedNetwork(own, byUplink))).to.deep.equal(expected);
    expect(ways(clusterNetwork(network('blue', { uplinks: undefined }), byUplink))).to.deep.equal(expected);
    expect(namespacedNetwork(own, byUplink)).to.equal(namespacedNetwork(own, { ...byUplink }));
  });

  it('is the node where the setting says so', () => {
    const byNode = { ...byUplink, egress: 'node' } as const;
    expect(ways(namespacedNetwork(own, byNode))).to.deep.equal({ exit: 'node', uplinks: [], exitBySetting: 'node' });
  });

  it('is its own Uplink whatever the setting is', () => {
    for (const egress of ['none', 'node', 'uplink=underlay'] as const) {
      const found = clusterNetwork(network('blue', { uplinks: ['x'] }), { ...byUplink, egress });
      expect(ways(found), egress).to.deep.equal({ exit: 'uplink', uplinks: ['x'], exitBySetting: undefined });
    }
  });

  it('is none where it could name no Uplink either, or where another implementation provides it', () => {
    expect(ways(namespacedNetwork(secondary, byUplink))).to.deep.equal(none);
    const transported = network('blue', { uplinks: undefined, network: { ...spec, transport: 'EVPN' } });
    expect(ways(clusterNetwork(transported, byUplink))).to.deep.equal(none);
    for (const providedNetworks of ['none', 'with-uplinks'] as const) {
      expect(ways(namespacedNetwork(own, { ...byUplink, providedNetworks })), providedNetworks).to.deep.equal(none);
    }
  });
});
