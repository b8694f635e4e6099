import { expect } from 'chai';
import { setAlias, setUp } from '../../../../src/domain/node-model/link.ts';
import { addressTexts, after, device, kernelRoutes, nodeOf, refusalOf } from './words.ts';

describe('the alias of a device', () => {
  const node = nodeOf({ links: [device('eth0', [], { alias: 'old' })] });

  it('is replaced, and removed by an empty one', () => {
    expect(after(setAlias(node, 'eth0', 'new')).links[0]?.alias).to.equal('new');
    expect(after(setAlias(node, 'eth0', '')).links[0]).not.to.have.property('alias');
  });

  it('has at most 255 bytes', () => {
    expect(setAlias(node, 'eth0', 'é'.repeat(127))).to.include({ done: true });
    expect(refusalOf(setAlias(node, 'eth0', 'é'.repeat(128)))).to.contain('255 bytes');
  });

  it('needs the device', () => {
    expect(refusalOf(setAlias(node, 'eth9', 'new'))).to.contain('Cannot find device');
  });
});

describe('a device that is set up', () => {
  const down = device('eth0', ['192.0.2.6/24', '2001:db8::6/64'], { up: false, operationalState: 'down' });

  it('has the routes of its addresses, and its link-local address', () => {
    const node = after(setUp(nodeOf({ links: [down] }), 'eth0'));
    expect(node.links[0]).to.include({ up: true, operationalState: 'up' });
    expect(addressTexts(node, 'eth0')).to.deep.equal(['192.0.2.6/24', '2001:db8::6/64', 'fe80::ff:fe00:1/64']);
    expect(kernelRoutes(node, 4, 'eth0')).to.have.length(3);
    expect(kernelRoutes(node, 6, 'eth0')).to.have.length(5);
  });

  for (const kind of ['dummy', 'tun']) {
    it(`is in no known state if it is of kind ${kind}`, () => {
      const node = after(setUp(nodeOf({ links: [{ ...down, kind }] }), 'eth0'));
      expect(node.links[0]?.operationalState).to.equal('unknown');
    });
  }

  it('is unchanged when it is up already', () => {
    const node = nodeOf({ links: [device('eth0')] });
    expect(setUp(node, 'eth0')).to.deep.equal({ done: true, node });
  });

  it('must be there', () => {
    expect(refusalOf(setUp(nodeOf({}), 'eth9'))).to.contain('Cannot find device');
  });

  it('has no IPv6 if that is disabled, or if its MTU is too small', () => {
    for (const [more, sysctls] of [
      [{}, { 'net.ipv6.conf.eth0.disable_ipv6': '1' }],
      [{ mtu: 1279 }, {}],
    ] as const) {
      const links = [{ ...down, addresses: [], ...more }];
      const node = after(setUp(nodeOf({ links, sysctls }), 'eth0'));
      expect(addressTexts(node, 'eth0')).to.be.empty;
      expect(kernelRoutes(node, 6, 'eth0')).to.be.empty;
    }
  });
});

describe("the kernel's link-local address", () => {
  const cases = [
    ['of the MAC address, by default', {}, ['fe80::ff:fe00:1/64']],
    ['not at all where it is said so', { addressGeneration: 'none' }, []],
    ['of the MAC address where it is said so', { addressGeneration: 'eui64' }, ['fe80::ff:fe00:1/64']],
    ['of a secret that nobody knows where it is said so', { addressGeneration: 'random' }, []],
    ['not of a MAC address that there is not', { macAddress: '' }, []],
    ['not on loopback', { type: 'loopback' }, []],
    ['not on a VRF device', { kind: 'vrf' }, []],
    ['not without a carrier', { kind: 'vlan', lowerDevice: 'eth1' }, []],
  ] as const;
  for (const [what, more, expected] of cases) {
    it(`is added ${what}`, () => {
      const links = [device('eth0', [], { up: false, ...more }), device('eth1', [], { operationalState: 'down' })];
      const node = after(setUp(nodeOf({ links }), 'eth0'));
      expect(addressTexts(node, 'eth0')).to.deep.equal(expected);
    });
  }
});
