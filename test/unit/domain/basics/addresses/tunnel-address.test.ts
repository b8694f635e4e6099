import { expect } from 'chai';
import {
  readTunnelAddress,
  tunnelAddressesIn,
  unusableText,
} from '../../../../../src/domain/basics/addresses/tunnel-address.ts';

describe('where tunnels end', () => {
  const addresses: readonly (readonly [text: string, address: string])[] = [
    ['198.51.100.11', '198.51.100.11'],
    ['2001:db8::11', '2001:db8::11'],
    ['198.51.100.11/24', '198.51.100.11'],
    ['2001:db8::11/64', '2001:db8::11'],
    ['::ffff:198.51.100.11', '198.51.100.11'],
    ['::ffff:198.51.100.11/120', '198.51.100.11'],
    ['2001:DB8:0:0::11', '2001:db8::11'],
    ['2001:DB8::0011/64', '2001:db8::11'],
    ['169.254.1.1', '169.254.1.1'],
    ['fd00::1', 'fd00::1'],
  ];
  for (const [text, address] of addresses) {
    it(`is at ${address} by ${text}`, () => {
      expect(tunnelAddressesIn([text])).to.deep.equal({ addresses: [address], unusable: [] });
    });
  }

  const none: readonly (readonly [text: string, problem: string])[] = [
    ['198.51.100.300', 'is not an address'],
    ['198.51.100.011', 'is not an address'],
    ['198.51.100.11/33', 'is not an address'],
    ['node-b', 'is not an address'],
    ['', 'is not an address'],
    ['fe80::1%eth0', 'is not an address'],
    ['0.0.0.0', 'is the unspecified address'],
    ['0.0.0.0/0', 'is the unspecified address'],
    ['0.1.2.3', 'is an address of 0.0.0.0/8, which no interface has'],
    ['::', 'is the unspecified address'],
    ['::ffff:0.0.0.0', 'is the unspecified address'],
    ['127.0.0.1', 'is an address of the loopback interface'],
    ['127.0.1.1/8', 'is an address of the loopback interface'],
    ['::1', 'is an address of the loopback interface'],
    ['::ffff:127.0.0.1', 'is an address of the loopback interface'],
    ['224.0.0.1', 'is a multicast address'],
    ['ff02::1', 'is a multicast address'],
    ['255.255.255.255', 'is the broadcast address'],
    ['fe80::1', 'is a link-local address, which needs an interface'],
  ];
  for (const [text, problem] of none) {
    it(`is nowhere by ${JSON.stringify(text)}`, () => {
      expect(tunnelAddressesIn([text])).to.deep.equal({ addresses: [], unusable: [{ text, problem }] });
    });
  }

  it('is at the loopback interface of the only node of a cluster', () => {
    const problem = 'is an address of the loopback interface';
    expect(readTunnelAddress('127.0.0.1')).to.deep.equal({ problem, loopback: '127.0.0.1' });
    expect(readTunnelAddress('0:0::1/128')).to.deep.equal({ problem, loopback: '::1' });
  });

  it('is at an IPv6 address once, however it is written', () => {
    expect(tunnelAddressesIn(['2001:db8::1', '2001:DB8::1', '2001:db8:0::1/64'])).to.deep.equal({
      addresses: ['2001:db8::1'],
      unusable: [],
    });
  });

  it('is at each address once, in name order, and at no other', () => {
    const { addresses: found, unusable } = tunnelAddressesIn(['2001:db8::2', 'x', '192.0.2.1/24', '192.0.2.1', 'x']);
    expect(found).to.deep.equal(['192.0.2.1', '2001:db8::2']);
    expect(unusable.map(unusableText)).to.deep.equal(['"x" is not an address']);
  });
});
