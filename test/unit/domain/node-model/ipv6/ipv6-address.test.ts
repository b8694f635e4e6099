import { expect } from 'chai';
import { putAddress } from '../../../../../src/domain/node-model/address.ts';
import type { Address, NodeSnapshot } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefNode } from '../../../../../src/testing/brief-node.ts';
import { address, addressTexts, after, blue, device, kernelRoutes, nodeOf, refusalOf, routeTexts } from '../words.ts';

/** A device that makes no link-local address, so that there are fewer lines to read. */
const eth0 = device('eth0', [], { macAddress: '' });
const links = [eth0, device('eth1', [], { macAddress: '' }), blue];
const multicast = 'local multicast ff00::/8 dev eth0 metric 256';

function put(addresses: readonly Address[], brief: Partial<BriefNode> = {}): NodeSnapshot {
  return addresses.reduce((node, next) => after(putAddress(node, 'eth0', next)), nodeOf({ links, ...brief }));
}

describe('the kernel’s routes of an IPv6 address', () => {
  for (const [what, wanted, expected] of [
    [
      'are itself and its subnet',
      address('fd00::6/64'),
      ['local local fd00::6/128 dev eth0', 'main fd00::/64 dev eth0 metric 256'],
    ],
    [
      'are itself and itself as a subnet',
      address('fd00::6/128'),
      ['local local fd00::6/128 dev eth0', 'main fd00::6/128 dev eth0 metric 256'],
    ],
    [
      'do not lead to its subnet where it says so',
      address('fd00::6/64', { flags: ['noprefixroute'] }),
      ['local local fd00::6/128 dev eth0'],
    ],
    [
      'have its metric on the way to the subnet',
      address('fd00::6/64', { metric: 77 }),
      ['local local fd00::6/128 dev eth0', 'main fd00::/64 dev eth0 metric 77'],
    ],
    [
      'end with it on the way to the subnet',
      address('fd00::6/64', { validSeconds: 900 }),
      ['local local fd00::6/128 dev eth0', 'main fd00::/64 dev eth0 metric 256 expires 900'],
    ],
    [
      'lead to itself and to its peer',
      address('fd00::6/128', { peer: 'fd00:0::7' }),
      [
        'local local fd00::6/128 dev eth0',
        'main fd00::6/128 dev eth0 metric 256',
        'main fd00::7/128 dev eth0 metric 256',
      ],
    ],
  ] satisfies readonly (readonly [string, Address, readonly string[]])[]) {
    it(what, () => {
      expect(kernelRoutes(put([wanted]), 6, 'eth0')).to.deep.equal([...expected, multicast].sort());
    });
  }

  for (const [what, wanted, anycast] of [
    ['its subnet', address('fd00::6/64'), ['local anycast fd00::/128 dev eth0']],
    [
      'the subnet, which it does not lead to',
      address('fd00::6/64', { flags: ['noprefixroute'] }),
      ['local anycast fd00::/128 dev eth0'],
    ],
    ['none in a subnet of two', address('fd00::6/127'), []],
    ['none for a single one', address('fd00::6/128'), []],
  ] satisfies readonly (readonly [string, Address, readonly string[]])[]) {
    it(`have the anycast address of the routers where the device forwards: of ${what}`, () => {
      const node = put([wanted], { sysctls: { 'net.ipv6.conf.eth0.forwarding': '1' } });
      expect(kernelRoutes(node, 6, 'eth0').filter((text) => text.includes('anycast'))).to.deep.equal(anycast);
    });
  }

  it('are in the table of the VRF on a VRF device, which has none to multicast addresses', () => {
    const node = after(putAddress(nodeOf({ links }), 'blue', address('fd69::2/128')));
    expect(kernelRoutes(node, 6, 'blue')).to.deep.equal([
      '1001 fd69::2/128 dev blue metric 256',
      '1001 local fd69::2/128 dev blue',
    ]);
  });

  it('are none on a device that is down, until duplicates can be looked for', () => {
    const node = put([address('fd00::6/64')], { links: [{ ...eth0, up: false }] });
    expect(addressTexts(node, 'eth0')).to.deep.equal(['fd00::6/64 tentative']);
    expect(kernelRoutes(node, 6, 'eth0')).to.be.empty;
  });

  for (const [what, wanted, brief] of [
    ['if nobody looks for duplicates of it', address('fd00::6/64', { flags: ['nodad'] }), {}],
    [
      'if nobody looks for duplicates on the device',
      address('fd00::6/64'),
      { sysctls: { 'net.ipv6.conf.all.accept_dad': '0', 'net.ipv6.conf.eth0.accept_dad': '0' } },
    ],
  ] as const) {
    it(`are itself on a device that is down, ${what}`, () => {
      const node = put([wanted], { links: [{ ...eth0, up: false }], ...brief });
      expect(kernelRoutes(node, 6, 'eth0')).to.deep.equal(['local local fd00::6/128 dev eth0']);
    });
  }

  it('are its subnet and multicast only, without a carrier', () => {
    const node = put([address('fd00::6/64')], { links: [{ ...eth0, operationalState: 'lowerlayerdown' }] });
    expect(addressTexts(node, 'eth0')).to.deep.equal(['fd00::6/64 tentative']);
    expect(kernelRoutes(node, 6, 'eth0')).to.deep.equal([multicast, 'main fd00::/64 dev eth0 metric 256']);
  });

  it('are not added beside one with the same next hop, which then may become permanent', () => {
    const routes = [{ destination: 'fd00::/64', metric: 256, expiresSeconds: 60, nextHops: [{ device: 'eth0' }] }];
    const node = put([address('fd00::6/64')], { routes });
    expect(routeTexts(node, ({ destination }) => destination === 'fd00::/64')).to.deep.equal([
      'main fd00::/64 dev eth0 metric 256',
    ]);
  });
});

describe('an IPv6 address that is added', () => {
  it('has the given flags, no label and no broadcast address', () => {
    const wanted = address('fd00:0::6/64', { flags: ['nodad', 'secondary'], label: 'eth0', broadcast: '10.0.0.255' });
    expect(put([wanted]).links[0]?.addresses).to.deep.equal([address('fd00::6/64', { flags: ['nodad'] })]);
  });

  for (const [text, scope] of [
    ['fd00::6', 'global'],
    ['fe80::6', 'link'],
    ['fec0::6', 'site'],
  ] as const) {
    it(`is of scope ${scope}: ${text}`, () => {
      expect(put([address(`${text}/64`, { scope: 'host' })]).links[0]?.addresses[0]?.scope).to.equal(scope);
    });
  }

  it('may be the loopback address on a VRF device alone', () => {
    const node = nodeOf({ links });
    expect(after(putAddress(node, 'blue', address('::1/128'))).links[2]?.addresses[0]?.scope).to.equal('host');
    expect(refusalOf(putAddress(node, 'eth0', address('::1/128')))).to.contain('Cannot assign');
  });

  it('may be no multicast address, nor the unspecified one', () => {
    for (const text of ['ff02::5/64', '::/64']) {
      expect(refusalOf(putAddress(nodeOf({ links }), 'eth0', address(text)))).to.contain('Cannot assign');
    }
  });

  it('needs a device that has IPv6', () => {
    const node = nodeOf({ links, sysctls: { 'net.ipv6.conf.eth0.disable_ipv6': '1' } });
    expect(refusalOf(putAddress(node, 'eth0', address('fd00::6/64')))).to.contain('IPv6 is disabled');
  });

  it('may be preferred for a time and valid for ever', () => {
    const wanted = address('fd00::6/64', { preferredSeconds: 0 });
    expect(put([wanted]).links[0]?.addresses).to.deep.equal([{ ...wanted, flags: ['deprecated'] }]);
  });
});

describe('an IPv6 address that is added again', () => {
  const subnets = (node: NodeSnapshot) => kernelRoutes(node, 6, 'eth0').filter((text) => text.startsWith('main'));

  it('is identified by the address alone: its length stays', () => {
    expect(addressTexts(put([address('fd00::6/64'), address('fd00::6/65')]), 'eth0')).to.deep.equal(['fd00::6/64']);
  });

  it('has the flags and lifetimes given then', () => {
    const node = put([address('fd00::6/64', { flags: ['nodad'] }), address('fd00::6/64', { validSeconds: 9 })]);
    expect(addressTexts(node, 'eth0')).to.deep.equal(['fd00::6/64 dynamic']);
  });

  for (const [what, first, second, expected] of [
    ['has the protocol that it is given', '0x5', '0x12', '0x12'],
    ['loses its protocol where none is said', '0x5', undefined, undefined],
  ] as const) {
    it(what, () => {
      const given = [first, second].map((protocol) => address('fd00::6/64', protocol && { protocol }));
      expect(put(given).links.find(({ name }) => name === 'eth0')?.addresses[0]?.protocol).to.equal(expected);
    });
  }

  for (const [what, first, second, expected] of [
    ['keeps a metric that nothing is said of', { metric: 77 }, {}, ['main fd00::/64 dev eth0 metric 77']],
    ['moves its subnet’s route to another metric', {}, { metric: 77 }, ['main fd00::/64 dev eth0 metric 77']],
    ['withdraws its subnet’s route', {}, { flags: ['noprefixroute'] }, []],
    ['makes a route to its subnet', { flags: ['noprefixroute'] }, {}, ['main fd00::/64 dev eth0 metric 256']],
    [
      'lets its subnet’s route end at once when it is to end',
      {},
      { validSeconds: 900 },
      ['main fd00::/64 dev eth0 metric 256 expires 0'],
    ],
    ['keeps its subnet’s route for good', { validSeconds: 900 }, {}, ['main fd00::/64 dev eth0 metric 256']],
    ['has a peer that shares its subnet', {}, { peer: 'fd00::7' }, ['main fd00::/64 dev eth0 metric 256']],
    [
      'has a peer elsewhere',
      {},
      { peer: 'fd01::7' },
      ['main fd00::/64 dev eth0 metric 256', 'main fd01::/64 dev eth0 metric 256'],
    ],
  ] satisfies readonly (readonly [string, Partial<Address>, Partial<Address>, readonly string[]])[]) {
    it(what, () => {
      expect(subnets(put([address('fd00::6/64', first), address('fd00::6/64', second)]))).to.deep.equal(expected);
    });
  }
});
