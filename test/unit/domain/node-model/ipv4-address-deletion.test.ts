import { expect } from 'chai';
import { deleteAddress } from '../../../../src/domain/node-model/address.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { address, addressTexts, after, blue, device, kernelRoutes, nodeOf, refusalOf, routeTexts } from './words.ts';

const links = [device('eth0'), device('eth1', ['198.51.100.6/24']), blue];

describe('an IPv4 address that is deleted', () => {
  const eth0 = {
    name: 'eth0',
    addresses: [
      address('192.0.2.6/24'),
      address('192.0.2.7/24', { flags: ['secondary'] }),
      address('192.0.2.8/24', { flags: ['secondary'] }),
      address('10.0.0.6/8'),
    ],
  };
  const remove = (text: string, length: number, brief: Partial<BriefNode> = {}) =>
    deleteAddress(nodeOf({ links: [eth0, device('eth1'), blue], ...brief }), 'eth0', text, length);

  it('removes its routes', () => {
    expect(kernelRoutes(after(remove('10.0.0.6', 8)), 4, 'eth0').join()).not.to.contain('10.');
  });

  it('removes the secondary ones of its subnet', () => {
    const node = after(remove('192.0.2.6', 24));
    expect(addressTexts(node, 'eth0').filter((text) => text.startsWith('192.'))).to.be.empty;
    expect(kernelRoutes(node, 4, 'eth0').join()).not.to.contain('192.');
  });

  for (const name of ['all', 'eth0']) {
    it(`is replaced by the first secondary one if ${name} promotes them`, () => {
      const node = after(remove('192.0.2.6', 24, { sysctls: { [`net.ipv4.conf.${name}.promote_secondaries`]: '1' } }));
      expect(addressTexts(node, 'eth0')).to.include.members(['192.0.2.7/24', '192.0.2.8/24 secondary']);
      expect(kernelRoutes(node, 4, 'eth0')).to.include.members([
        'local local 192.0.2.7/32 dev eth0 src 192.0.2.7',
        'local local 192.0.2.8/32 dev eth0 src 192.0.2.7',
        'main 192.0.2.0/24 dev eth0 src 192.0.2.7',
      ]);
    });
  }

  it('leaves the others of its subnet if it is secondary', () => {
    const node = after(remove('192.0.2.7', 24));
    expect(addressTexts(node, 'eth0')).to.include.members(['192.0.2.6/24', '192.0.2.8/24 secondary']);
    expect(kernelRoutes(node, 4, 'eth0')).to.include('main 192.0.2.0/24 dev eth0 src 192.0.2.6');
  });

  it('removes routes of its routing domain with it as their source; in other tables they stay', () => {
    const from = (destination: string, table: number) => ({
      destination,
      table,
      preferredSource: '10.0.0.6',
      nextHops: [{ device: 'eth1' }],
    });
    const routes = [from('20.0.0.0/8', 254), from('20.0.0.0/8', 100), from('20.0.0.0/8', 1001)];
    expect(routeTexts(after(remove('10.0.0.6', 8, { routes })))).to.deep.equal([
      '100 20.0.0.0/8 dev eth1 src 10.0.0.6',
      '1001 20.0.0.0/8 dev eth1 src 10.0.0.6',
    ]);
  });

  it('leaves routes with it as their source if another device has it, too', () => {
    const routes = [{ destination: '20.0.0.0/8', preferredSource: '10.0.0.6', nextHops: [{ device: 'eth1' }] }];
    const both = [eth0, device('eth1', ['10.0.0.6/32'])];
    expect(routeTexts(after(remove('10.0.0.6', 8, { links: both, routes })))).to.have.length(1);
  });

  it('is on a VRF device the source of routes in the table of the VRF', () => {
    const routes = [254, 1001].map((table) => ({
      destination: '10.96.0.0/16',
      table,
      preferredSource: '169.254.0.2',
      nextHops: [{ device: 'eth0' }],
    }));
    const vrf = { ...blue, addresses: [address('169.254.0.2/32')] };
    const node = nodeOf({ links: [device('eth0', ['192.0.2.6/24'], { master: 'blue' }), vrf], routes });
    expect(routeTexts(after(deleteAddress(node, 'blue', '169.254.0.2', 32)))).to.deep.equal([
      'main 10.96.0.0/16 dev eth0 src 169.254.0.2',
    ]);
  });

  it('removes, as the last of its device, every IPv4 route and neighbour, but no nexthop object', () => {
    const ways = [{ device: 'eth1' }];
    const routes = [
      { destination: '20.0.0.0/8', table: 100, nextHops: ways },
      { destination: '21.0.0.0/8', type: 'local', scope: 'host', nextHops: ways },
      { destination: 'fd20::/64', nextHops: ways },
      { destination: '22.0.0.0/8', nextHopObject: 1, nextHops: ways },
      { destination: '23.0.0.0/8', nextHops: [...ways, { device: 'eth0' }] },
    ];
    const neighbours = [
      { device: 'eth1', address: '198.51.100.9' },
      { device: 'eth1', address: 'fd00::9' },
      { device: 'eth0', address: '192.0.2.9' },
    ];
    const nextHopObjects = [{ id: 1, device: 'eth1' }];
    const node = nodeOf({
      links: [eth0, device('eth1', ['198.51.100.6/24'])],
      routes,
      neighbours,
      neighbourProxies: neighbours,
      nextHopObjects,
    });
    const left = after(deleteAddress(node, 'eth1', '198.51.100.6', 24));
    expect(routeTexts(left)).to.deep.equal([
      'main 22.0.0.0/8 nhid 1 dev eth1',
      'main 23.0.0.0/8 dev eth1 + dev eth0',
      'main fd20::/64 dev eth1',
    ]);
    for (const table of [left.neighbours, left.neighbourProxies]) {
      expect(table.map(({ address: text }) => text)).to.deep.equal(['fd00::9', '192.0.2.9']);
    }
  });

  it('must exist with its length', () => {
    for (const [text, length] of [
      ['10.0.0.6', 9],
      ['10.0.0.7', 8],
    ] as const) {
      expect(refusalOf(remove(text, length))).to.contain('Cannot assign requested address');
    }
    expect(refusalOf(deleteAddress(nodeOf({ links }), 'eth9', '10.0.0.6', 8))).to.contain('Cannot find device');
  });
});
