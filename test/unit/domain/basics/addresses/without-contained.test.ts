import { expect } from 'chai';
import fc from 'fast-check';
import { Coverage } from '../../../../coverage.ts';
import {
  compareAddresses,
  networkOf,
  prefixLengthOf,
  subnetContains,
  withoutContained,
  withoutLength,
} from '../../../../../src/domain/basics/addresses/ip-address.ts';

const contains = (outer: string, inner: string) =>
  prefixLengthOf(outer) <= prefixLengthOf(inner) && subnetContains(outer, withoutLength(inner));

/** Subnets that no other one contains, each compared with every other one. */
function naively(subnets: readonly string[]): readonly string[] {
  const networks = [...new Set(subnets.flatMap((subnet) => networkOf(subnet) ?? []))];
  const kept = networks.filter((inner) => !networks.some((outer) => outer !== inner && contains(outer, inner)));
  return kept.toSorted((left, right) => compareAddresses(withoutLength(left), withoutLength(right)));
}

const byte = fc.constantFrom(0, 1, 64, 128, 255);
const near = fc.tuple(byte, byte).map(([third, fourth]) => `10.0.${third}.${fourth}`);
const near6 = fc.tuple(byte, byte).map(([left, right]) => `fd00::${left.toString(16)}:${right.toString(16)}`);
const cidrs = fc.oneof(
  fc.tuple(near, fc.integer({ min: 14, max: 32 })).map(([address, length]) => `${address}/${length}`),
  fc.tuple(near6, fc.integer({ min: 92, max: 128 })).map(([address, length]) => `${address}/${length}`),
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, length]) => `${address}/${length}`),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, length]) => `${address}/${length}`),
  fc.constantFrom('0.0.0.0/0', '::/0', 'none', '10.0.0.1', '10.0.0.0/33'),
);

describe('subnets without those that others contain', () => {
  it('are those that no other one contains, each once', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(cidrs, { maxLength: 12 }), (subnets) => {
        const kept = naively(subnets);
        coverage.count({ all: kept.length === subnets.length, some: kept.length > 1 && kept.length < subnets.length });
        expect(withoutContained(subnets)).to.deep.equal(kept);
      }),
      { numRuns: 1000 },
    );
    coverage.expect({ all: 0.05, some: 0.2 });
  });

  it('are in the order of their addresses, IPv4 first, in the spelling of routes', () => {
    const subnets = ['fd00:0::/64', '192.0.2.7/24', '10.0.0.0/8', '10.1.2.3/32', '9.0.0.0/8', 'fd00::1/128'];
    expect(withoutContained(subnets)).to.deep.equal(['9.0.0.0/8', '10.0.0.0/8', '192.0.2.0/24', 'fd00::/64']);
  });
});
