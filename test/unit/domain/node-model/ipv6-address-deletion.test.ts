import { expect } from 'chai';
import { deleteAddress, putAddress } from '../../../../src/domain/node-model/address.ts';
import type { Address, NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { address, after, blue, device, kernelRoutes, nodeOf, refusalOf, routeTexts } from './words.ts';

/** A device that makes no link-local address, so that there are fewer lines to read. */
const eth0 = device('eth0', [], { macAddress: '' });
const links = [eth0, device('eth1', [], { macAddress: '' }), blue];
const multicast = 'local multicast ff00::/8 dev eth0 metric 256';

function put(addresses: readonly Address[], brief: Partial<BriefNode> = {}): NodeSnapshot {
  return addresses.reduce((node, next) => after(putAddress(node, 'eth0', next)), nodeOf({ links, ...brief }));
}

describe('an IPv6 address that is deleted', () => {
  const remove = (addresses: readonly Address[], brief: Partial<BriefNode> = {}) =>
    after(deleteAddress(put(addresses, brief), 'eth0', 'fd00::6', 64));
  const subnet = (node: NodeSnapshot) => routeTexts(node, ({ destination }) => destination === 'fd00::/64');
  const own = address('fd00::6/64');

  it('removes its routes, except that to multicast addresses', () => {
    expect(kernelRoutes(remove([own]), 6, 'eth0')).to.deep.equal([multicast]);
  });

  it('removes the route to its peer', () => {
    const node = put([address('fd00::6/128', { peer: 'fd01::7' })]);
    expect(kernelRoutes(after(deleteAddress(node, 'eth0', 'fd00::6', 128)), 6, 'eth0')).to.deep.equal([multicast]);
  });

  for (const [what, other, expected] of [
    ['leaves its subnet’s route to another address', address('fd00::7/64'), ['main fd00::/64 dev eth0 metric 256']],
    [
      'leaves it where another address leaves the subnet to others',
      address('fd00::7/64', { flags: ['noprefixroute'] }),
      ['main fd00::/64 dev eth0 metric 256'],
    ],
    [
      'leaves it until the last address ends',
      address('fd00::7/64', { validSeconds: 90 }),
      ['main fd00::/64 dev eth0 metric 256 expires 90'],
    ],
    ['takes it along where another address has another length', address('fd00::7/65'), []],
  ] satisfies readonly (readonly [string, Address, readonly string[]])[]) {
    it(what, () => {
      expect(subnet(remove([own, other]))).to.deep.equal(expected);
    });
  }

  it('leaves a route to its subnet that expires', () => {
    expect(subnet(remove([{ ...own, validSeconds: 90 }]))).to.deep.equal([
      'main fd00::/64 dev eth0 metric 256 expires 90',
    ]);
  });

  it('removes the best direct route to its subnet, whoever added it', () => {
    const routes = [
      { destination: 'fd00::/64', metric: 5, nextHops: [{ device: 'eth0' }] },
      { destination: 'fd00::/64', metric: 4, nextHops: [{ device: 'eth0', gateway: 'fe80::9' }] },
      { destination: 'fd00::/64', metric: 3, nextHops: [{ device: 'eth1' }] },
    ];
    expect(subnet(remove([own], { routes }))).to.deep.equal([
      'main fd00::/64 dev eth0 metric 256',
      'main fd00::/64 dev eth1 metric 3',
      'main fd00::/64 via fe80::9 dev eth0 metric 4',
    ]);
  });

  it('leaves the anycast address of the subnet to another address', () => {
    const sysctls = { 'net.ipv6.conf.eth0.forwarding': '1' };
    const anycast = 'local anycast fd00::/128 dev eth0';
    expect(kernelRoutes(remove([own, address('fd00::7/64')], { sysctls }), 6, 'eth0')).to.include(anycast);
    expect(kernelRoutes(remove([own], { sysctls }), 6, 'eth0')).not.to.include(anycast);
  });

  it('is no longer the source of routes out of its device; routes out of others keep it', () => {
    const from = (destination: string, out: string) => ({
      destination,
      preferredSource: 'fd00::6',
      nextHops: [{ device: out }],
    });
    const routes = [from('fd20::/64', 'eth0'), from('fd21::/64', 'eth1')];
    expect(routeTexts(remove([own], { routes }))).to.deep.equal([
      'main fd20::/64 dev eth0',
      'main fd21::/64 dev eth1 src fd00::6',
    ]);
  });

  it('removes no other route of its device, and no neighbour', () => {
    const routes = [{ destination: 'fd20::/64', nextHops: [{ device: 'eth0', gateway: 'fd00::9' }] }];
    const neighbours = [{ device: 'eth0', address: 'fd00::9' }];
    const node = remove([own], { routes, neighbours });
    expect(routeTexts(node)).to.deep.equal(['main fd20::/64 via fd00::9 dev eth0']);
    expect(node.neighbours).to.have.length(1);
  });

  it('may be named in another spelling, and must exist with its length', () => {
    expect(deleteAddress(put([own]), 'eth0', 'fd00:0::6', 64)).to.include({ done: true });
    expect(refusalOf(deleteAddress(put([own]), 'eth0', 'fd00::6', 65))).to.contain('Cannot assign');
  });
});
