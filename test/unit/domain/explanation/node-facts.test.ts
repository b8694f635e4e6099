import { expect } from 'chai';
import { frrConfiguration, network, ofNetworks, routeAdvertisements, uplink } from '../brief-objects.ts';
import { factsWith, type Story } from './situations.ts';

describe('the facts on discovery', () => {
  it('have the path from the interface to the bridge', () => {
    const port = { name: 'p', tag: 7, interfaces: [{ name: 'br-blue', type: 'internal' }] };
    const untagged = { name: 'p', interfaces: [{ name: 'br-blue', type: 'internal' }] };
    const bridge = (first: typeof port | typeof untagged) => ({
      bridges: [{ name: 'br-x', ports: [first, { name: 'eth1' }] }],
    });
    expect(factsWith({ node: bridge(port) }, 'is a port')).to.deep.equal([
      '  br-blue is a port of bridge br-x, VLAN 7, physical port eth1 <- ip-link.json, ovsdb.json',
    ]);
    expect(factsWith({ node: bridge(untagged) }, 'is a port')).to.deep.equal([
      '  br-blue is a port of bridge br-x, physical port eth1 <- ip-link.json, ovsdb.json',
    ]);
  });

  it('have the representor on the path to the bridge', () => {
    const brief = {
      links: [
        { name: 'br-blue', macAddress: '02:00:00:00:00:aa', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
        { name: 'eth1' },
      ],
      bridges: [{ name: 'br-x', ports: [{ name: 'pf0vf0' }, { name: 'eth1' }] }],
      devlinkPorts: [{ device: 'pf0vf0', flavour: 'pcivf', functionMacAddress: '02:00:00:00:00:aa' }],
    };
    expect(factsWith({ node: brief }, 'representor')).to.deep.equal([
      '  a representor of br-blue is a port of bridge br-x, physical port eth1 <- ip-link.json, ovsdb.json',
    ]);
  });

  it('report that there is no default gateway', () => {
    expect(factsWith({ node: { routes: [] } }, 'addresses')).to.deep.equal([
      '  addresses 192.0.2.6/24; no default gateway <- ip-address.json, ip-route4.json, ip-route6.json',
    ]);
  });

  const failures: readonly (readonly [reason: string, node: Story['node'], files: string])[] = [
    ['HostInterfaceNotFound', { links: [] }, 'ip-link.json'],
    ['GatewayInfoUnavailable', { links: [{ name: 'br-blue' }] }, 'ip-link.json, ip-address.json'],
    ['BridgeNotFound', { bridges: [] }, 'ovsdb.json'],
    ['BridgeInvalid', { bridges: [{ name: 'br-blue' }] }, 'ovsdb.json, ip-link.json'],
    [
      'MTUInvalid',
      {
        links: [
          { name: 'br-blue', mtu: 500, addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
          { name: 'eth1' },
        ],
      },
      'ip-link.json',
    ],
  ];
  for (const [reason, brief, files] of failures) {
    it(`end with ${reason}, and the files to look at`, () => {
      const [fact] = factsWith({ node: brief }, `  ${reason}: `);
      expect(fact?.split(' <- ')[1]).to.equal(files);
    });
  }

  it('report the bridge without a physical port if there is none', () => {
    expect(factsWith({ node: { bridges: [{ name: 'br-blue' }] } }, 'LOCAL')).to.deep.equal([
      '  br-blue is LOCAL of bridge br-blue <- ip-link.json, ovsdb.json',
    ]);
  });
});

describe('the facts on neighbours', () => {
  const four = ['n1', 'n2', 'n3', 'n4'].map((name) => network(name, { uplinks: ['blue'] }));

  it('name three, with their routing domains, and report that there are more', () => {
    const objects = {
      clusterUserDefinedNetworks: [network('blue'), ...four],
      routeAdvertisements: [routeAdvertisements('ra', { networkSelectors: ofNetworks('n2') })],
      frrConfigurations: [frrConfiguration('f')],
    };
    expect(factsWith({ objects }, 'shares')).to.deep.equal([
      'shares bridge br-blue with n1 (default), n2 (VRF n2), n3 (default), … <- ' +
        ['n1', 'n2', 'n3'].map((name) => `ClusterUserDefinedNetwork/${name}`).join(', '),
    ]);
  });

  it('are none if the bridge is unknown', () => {
    expect(factsWith({ node: { bridges: [] } }, 'alone')).to.deep.equal([]);
  });

  it('do not count networks on other bridges', () => {
    const objects = {
      uplinks: [uplink('blue', 'br-blue'), uplink('two', 'gone')],
      clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: ['two'] })],
    };
    expect(factsWith({ objects }, 'alone')).to.deep.equal(['alone on bridge br-blue']);
  });
});
