import { clusterNetworkKey, nameOfNetwork } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { bytesOf, prefixLengthOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { type AdvertisedNetwork, subnetOverlaps } from '../../../../src/domain/routing-domain/subnet-overlap.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

const on = (bridge: string, network: string, ...subnets: readonly string[]): AdvertisedNetwork => ({
  network: clusterNetworkKey(network),
  bridge,
  subnets,
});

/** Each overlap of a network as text. */
function overlapsOf(advertised: readonly AdvertisedNetwork[], network: string): readonly string[] {
  const found = subnetOverlaps(advertised).get(clusterNetworkKey(network)) ?? [];
  return found.map(
    ({ bridge, subnet, other }) => `${bridge}: ${subnet} with ${other.subnet} of ${nameOfNetwork(other.network)}`,
  );
}

describe('advertised networks overlap', () => {
  it('where they have the same subnet, each with the other', () => {
    const both = [on('br-one', 'blue', '10.20.1.0/24'), on('br-one', 'red', '10.20.1.0/24')];
    expect(overlapsOf(both, 'blue')).to.deep.equal(['br-one: 10.20.1.0/24 with 10.20.1.0/24 of red']);
    expect(overlapsOf(both, 'red')).to.deep.equal(['br-one: 10.20.1.0/24 with 10.20.1.0/24 of blue']);
  });
  it('where a subnet contains those of others, which do not overlap with each other', () => {
    const three = [
      on('br-one', 'green', '10.20.9.0/24'),
      on('br-one', 'blue', '10.20.1.0/24'),
      on('br-one', 'all', '10.0.0.0/8'),
    ];
    expect(overlapsOf(three, 'all')).to.deep.equal([
      'br-one: 10.0.0.0/8 with 10.20.1.0/24 of blue',
      'br-one: 10.0.0.0/8 with 10.20.9.0/24 of green',
    ]);
    expect(overlapsOf(three, 'blue')).to.deep.equal(['br-one: 10.20.1.0/24 with 10.0.0.0/8 of all']);
  });
  it('in IPv6, however a subnet is written', () => {
    const both = [on('br-one', 'blue', 'FD20:0::5/64'), on('br-one', 'red', 'fd20::/48')];
    expect(overlapsOf(both, 'blue')).to.deep.equal(['br-one: fd20::/64 with fd20::/48 of red']);
  });
  it('on one bridge alone', () => {
    expect([
      ...subnetOverlaps([on('br-one', 'blue', '10.20.1.0/24'), on('br-two', 'red', '10.20.1.0/24')]),
    ]).to.deep.equal([]);
  });
  it('not with themselves, nor with the other family, nor with what is not a subnet', () => {
    const networks = [
      on('br-one', 'blue', '0.0.0.0/0', '10.20.1.0/24'),
      on('br-one', 'red', '::/0'),
      on('br-one', 'green', 'everything'),
    ];
    expect([...subnetOverlaps(networks)]).to.deep.equal([]);
  });

  it('exactly where an address is in a subnet of both, in whatever order they come', () => {
    const coverage = new Coverage();
    const subnet = fc
      .tuple(fc.nat(3), fc.nat(3), fc.constantFrom(8, 14, 15, 16, 22, 23, 24))
      .map(([second, third, length]) => `10.${second}.${third}.0/${length}`);
    const advertised = fc
      .array(fc.tuple(fc.constantFrom('br-one', 'br-two'), fc.array(subnet, { maxLength: 3 })), { maxLength: 6 })
      .map((networks) =>
        networks.map(([bridge, subnets], index) => on(bridge, `network-${String(index)}`, ...subnets)),
      );
    const bits = (cidr: string) =>
      (bytesOf(cidr.split('/')[0] ?? '') ?? [])
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join('')
        .slice(0, prefixLengthOf(cidr));
    const doOverlap = (left: string, right: string) =>
      bits(left).startsWith(bits(right)) || bits(right).startsWith(bits(left));
    fc.assert(
      fc.property(advertised, (networks) => {
        const expected = networks
          .filter((own) =>
            networks.some(
              (other) =>
                other !== own &&
                other.bridge === own.bridge &&
                own.subnets.some((left) => other.subnets.some((right) => doOverlap(left, right))),
            ),
          )
          .map(({ network }) => network);
        coverage.count({ overlap: expected.length > 0, none: expected.length === 0 });
        const found = (order: readonly AdvertisedNetwork[]) => subnetOverlaps(order);
        expect([...found(networks).keys()].sort()).to.deep.equal(expected);
        const reversed = found([...networks].reverse());
        for (const name of expected)
          expect(reversed.get(name)).to.have.deep.members([...(found(networks).get(name) ?? [])]);
      }),
      { numRuns: caseCount(500) },
    );
    coverage.expect({ overlap: 0.2, none: 0.1 });
  });
});
