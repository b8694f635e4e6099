import { expect } from 'chai';
import { putAddress } from '../../../../../src/domain/node-model/address.ts';
import type { Address, NodeSnapshot } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { address, addressTexts, after, blue, device, kernelRoutes, nodeOf, refusalOf, routeTexts } from '../words.ts';

const links = [device('eth0'), device('eth1', ['198.51.100.6/24']), blue];

function put(...addresses: readonly Address[]): NodeSnapshot {
  return addresses.reduce((node, next) => after(putAddress(node, 'eth0', next)), nodeOf({ links }));
}

describe('the kernel’s routes of an IPv4 address', () => {
  for (const [what, wanted, expected] of [
    [
      'are itself, its subnet and the broadcast address of that',
      address('192.0.2.6/24'),
      [
        'local broadcast 192.0.2.255/32 dev eth0 src 192.0.2.6',
        'local local 192.0.2.6/32 dev eth0 src 192.0.2.6',
        'main 192.0.2.0/24 dev eth0 src 192.0.2.6',
      ],
    ],
    ['are itself alone for a single one', address('192.0.2.6/32'), ['local local 192.0.2.6/32 dev eth0 src 192.0.2.6']],
    [
      'have no broadcast address in a subnet of two',
      address('192.0.2.6/31'),
      ['local local 192.0.2.6/32 dev eth0 src 192.0.2.6', 'main 192.0.2.6/31 dev eth0 src 192.0.2.6'],
    ],
    [
      'do not lead to its subnet where it says so, but its broadcast address is heard',
      address('192.0.2.6/24', { flags: ['noprefixroute'] }),
      ['local broadcast 192.0.2.255/32 dev eth0 src 192.0.2.6', 'local local 192.0.2.6/32 dev eth0 src 192.0.2.6'],
    ],
    [
      'have its metric on the way to the subnet',
      address('192.0.2.6/31', { metric: 77 }),
      ['local local 192.0.2.6/32 dev eth0 src 192.0.2.6', 'main 192.0.2.6/31 dev eth0 src 192.0.2.6 metric 77'],
    ],
    [
      'lead to its peer, and not to its own subnet',
      address('192.0.2.6/32', { peer: '192.0.2.99' }),
      ['local local 192.0.2.6/32 dev eth0 src 192.0.2.6', 'main 192.0.2.99/32 dev eth0 src 192.0.2.6'],
    ],
    [
      'lead to the subnet of its peer',
      address('192.0.2.6/24', { peer: '10.0.0.9' }),
      [
        'local broadcast 10.0.0.255/32 dev eth0 src 192.0.2.6',
        'local local 192.0.2.6/32 dev eth0 src 192.0.2.6',
        'main 10.0.0.0/24 dev eth0 src 192.0.2.6',
      ],
    ],
    [
      'have a broadcast address that was asked for, once if it is the usual one',
      address('192.0.2.6/31', { broadcast: '192.0.2.99' }),
      [
        'local broadcast 192.0.2.99/32 dev eth0 src 192.0.2.6',
        'local local 192.0.2.6/32 dev eth0 src 192.0.2.6',
        'main 192.0.2.6/31 dev eth0 src 192.0.2.6',
      ],
    ],
    ['do not lead to a subnet in 0.0.0.0/8', address('0.0.2.6/24'), ['local local 0.0.2.6/32 dev eth0 src 0.0.2.6']],
  ] satisfies readonly (readonly [string, Address, readonly string[]])[]) {
    it(what, () => {
      expect(kernelRoutes(put(wanted), 4, 'eth0')).to.deep.equal(expected);
    });
  }

  it('are in the table of the VRF on a VRF device, and on a member', () => {
    const node = nodeOf({ links: [device('eth0', ['192.0.2.6/24'], { master: 'blue' }), blue] });
    const [first = ''] = kernelRoutes(node, 4, 'eth0');
    expect(first).to.match(/^1001 /);
    expect(kernelRoutes(after(putAddress(node, 'blue', address('169.254.0.2/32'))), 4, 'blue')).to.deep.equal([
      '1001 local 169.254.0.2/32 dev blue src 169.254.0.2',
    ]);
  });

  it('are outside of it on a port of a bridge that is a member of it', () => {
    const bridge = { name: 'br0', kind: 'bridge', master: 'blue' };
    const node = nodeOf({ links: [device('eth0', ['192.0.2.6/32'], { master: 'br0' }), bridge, blue] });
    expect(kernelRoutes(node, 4, 'eth0')).to.deep.equal(['local local 192.0.2.6/32 dev eth0 src 192.0.2.6']);
  });

  it('are only its local route while the device is down', () => {
    const node = nodeOf({ links: [device('eth0', ['192.0.2.6/24'], { up: false })] });
    expect(kernelRoutes(node, 4, 'eth0')).to.deep.equal(['local local 192.0.2.6/32 dev eth0 src 192.0.2.6']);
  });

  it('lead to a subnet by loopback as local ones', () => {
    const node = nodeOf({ links: [device('lo', ['127.0.0.1/8'], { type: 'loopback' })] });
    expect(kernelRoutes(node, 4, 'lo')).to.include('local local 127.0.0.0/8 dev lo src 127.0.0.1');
  });

  it('are beside those of another device in the same subnet', () => {
    const node = after(putAddress(nodeOf({ links }), 'eth0', address('198.51.100.7/24')));
    expect(routeTexts(node, ({ destination }) => destination === '198.51.100.0/24')).to.deep.equal([
      'main 198.51.100.0/24 dev eth0 src 198.51.100.7',
      'main 198.51.100.0/24 dev eth1 src 198.51.100.6',
    ]);
  });
});

describe('an IPv4 address that is added', () => {
  it('has the name of its device as its label, and those of the given flags that have an effect', () => {
    const wanted = address('192.0.2.6/24', { flags: ['nodad', 'noprefixroute', 'secondary', 'tentative'] });
    expect(put(wanted).links[0]?.addresses.at(-1)).to.deep.equal({
      ...wanted,
      label: 'eth0',
      flags: ['noprefixroute'],
    });
    expect(put({ ...wanted, label: 'eth0:1' }).links[0]?.addresses.at(-1)?.label).to.equal('eth0:1');
  });

  for (const [what, more, flags, lifetimes] of [
    ['for ever', { preferredSeconds: 5 }, [], {}],
    ['for a time', { validSeconds: 9 }, ['dynamic'], { validSeconds: 9 }],
    [
      'for a time past which it is not preferred',
      { validSeconds: 9, preferredSeconds: 0 },
      ['deprecated', 'dynamic'],
      { validSeconds: 9, preferredSeconds: 0 },
    ],
  ] as const) {
    it(`is there ${what}`, () => {
      const wanted = address('192.0.2.6/24', { label: 'eth0' });
      expect(put({ ...wanted, ...more }).links[0]?.addresses.at(-1)).to.deep.equal({ ...wanted, flags, ...lifetimes });
    });
  }

  it('is secondary beside another of its subnet, whose source its route has', () => {
    const node = put(address('192.0.2.6/24'), address('192.0.2.7/24'));
    expect(addressTexts(node, 'eth0')).to.include.members(['192.0.2.6/24', '192.0.2.7/24 secondary']);
    expect(kernelRoutes(node, 4, 'eth0')).to.include('local local 192.0.2.7/32 dev eth0 src 192.0.2.6');
  });

  it('is primary in its own subnet if that has another length or another peer', () => {
    const node = put(address('192.0.2.6/24'), address('192.0.2.7/25'), address('192.0.2.8/24', { peer: '10.0.0.1' }));
    expect(addressTexts(node, 'eth0').filter((text) => text.includes('secondary'))).to.be.empty;
  });

  it('must have the scope of the others of its subnet', () => {
    const change = putAddress(put(address('192.0.2.6/24')), 'eth0', address('192.0.2.7/24', { scope: 'link' }));
    expect(refusalOf(change)).to.contain('Invalid scope');
  });

  it('changes the metric and the lifetimes of an existing one, and nothing else', () => {
    const old = address('192.0.2.6/24', { metric: 77, label: 'eth0:1', broadcast: '192.0.2.255' });
    const node = put(
      old,
      address('192.0.2.6/24', { label: 'eth0:2', flags: ['noprefixroute'], metric: 78, validSeconds: 9 }),
    );
    expect(node.links[0]?.addresses.at(-1)).to.deep.equal({ ...old, metric: 78, validSeconds: 9, flags: ['dynamic'] });
    expect(kernelRoutes(node, 4, 'eth0')).to.include('main 192.0.2.0/24 dev eth0 src 192.0.2.6 metric 78');
    expect(kernelRoutes(node, 4, 'eth0')).to.have.length(3);
    expect(put(old, address('192.0.2.6/24')).links[0]?.addresses.at(-1)).not.to.have.property('metric');
  });

  for (const [what, name, wanted, reason] of [
    ['a device', 'eth9', address('192.0.2.6/24'), 'Cannot find device'],
    ['an address', 'eth0', address('x/24'), 'no address'],
    ['a length that it can have', 'eth0', address('192.0.2.6/33'), 'no address'],
    ['a lifetime', 'eth0', address('192.0.2.6/24', { validSeconds: 0 }), 'Invalid lifetime'],
    [
      'a lifetime no shorter than its preferred one',
      'eth0',
      address('192.0.2.6/24', { validSeconds: 5, preferredSeconds: 6 }),
      'Invalid lifetime',
    ],
  ] as const) {
    it(`needs ${what}`, () => {
      expect(refusalOf(putAddress(nodeOf({ links }), name, wanted))).to.contain(reason);
    });
  }
});
