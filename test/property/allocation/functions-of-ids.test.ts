/**
 * The values that follow from ids, at the largest size that is supported: 4,095 networks on 5,000 nodes. No two of them get the same of anything, nothing
 * is out of its range, and nothing changes while others come and go.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  clusterRouterAddress,
  gatewayRouterMasqueradeAddress,
  joinAddress,
  joinSubnet,
  managementPortAddress,
  managementPortMasqueradeAddress,
  podRouterAddress,
  transitAddress,
} from '../../../src/domain/network/allocation/addresses.ts';
import { isId } from '../../../src/domain/network/allocation/id-range.ts';
import { transitSwitchKey, vrfTable } from '../../../src/domain/network/names/numbers.ts';
import {
  type DividedSubnet,
  nodesWithSubnets,
  podSubnetsOfNode,
} from '../../../src/domain/network/allocation/pod-subnets.ts';
import { DEFAULT_MASQUERADE_SUBNETS, MASQUERADE_OFFSETS } from '../../../src/domain/basics/conventions.ts';
import {
  addressAt,
  networkOf,
  subnetContains,
  withoutLength,
} from '../../../src/domain/basics/addresses/ip-address.ts';
import { caseCount } from '../../case-count.ts';
import { Coverage } from '../../coverage.ts';

const NETWORKS = 4095;

const NODES = 5000;

const networkIds = Array.from({ length: NETWORKS }, (_, index) => index + 1).filter((id) => isId('network', id));

const nodeIds = Array.from({ length: NODES }, (_, index) => index + 2).filter((id) => isId('node', id));

const families = [
  [4, DEFAULT_MASQUERADE_SUBNETS[0]],
  [6, DEFAULT_MASQUERADE_SUBNETS[1]],
] as const;

/** All values differ, and none is missing. */
function expectDistinct(values: readonly (string | number | undefined)[]): void {
  expect(values).not.to.include(undefined);
  expect(new Set(values).size).to.equal(values.length);
}

/** One or two subnets of different families that have 2 to some power of parts. */
function subnetLists(bits: fc.Arbitrary<number>): fc.Arbitrary<readonly DividedSubnet[]> {
  const subnets: fc.Arbitrary<DividedSubnet> = fc.oneof(
    fc.tuple(fc.nat({ max: 250 }), fc.integer({ min: 8, max: 16 }), bits).map(([second, length, more]) => ({
      cidr: `10.${second}.0.0/${length}`,
      hostSubnet: length + more,
    })),
    fc.tuple(fc.nat({ max: 0xffff }), bits).map(([second, more]) => ({
      cidr: `fd20:${second.toString(16)}::/${64 - more}`,
      hostSubnet: 64,
    })),
  );
  return fc.uniqueArray(subnets, { minLength: 1, maxLength: 2, selector: ({ cidr }) => cidr.includes(':') });
}

/** Half of the lists have parts for 5,000 nodes. */
const anySubnetLists = fc.oneof(
  subnetLists(fc.integer({ min: 2, max: 12 })),
  subnetLists(fc.integer({ min: 13, max: 14 })),
);

describe('what follows from the id of a network', () => {
  it('is distinct for all networks', () => {
    expectDistinct(networkIds.map(transitSwitchKey));
    expectDistinct(networkIds.map(vrfTable));
    for (const [, subnet] of families) {
      const offsets = Object.values(MASQUERADE_OFFSETS);
      expectDistinct([
        ...offsets.map((offset) => addressAt(subnet, offset)),
        ...networkIds.flatMap((id) =>
          [gatewayRouterMasqueradeAddress(subnet, id), managementPortMasqueradeAddress(subnet, id)].map(
            (address) => address && withoutLength(address),
          ),
        ),
      ]);
    }
  });

  it('is a tunnel key of at most 24 bits (RFC 8926, section 3.4)', () => {
    expect(Math.max(...networkIds.map(transitSwitchKey))).to.be.lessThan(2 ** 24);
  });

  it('is a table that OVN-Kubernetes neither removes nor gives to a network of its own: its own are those of management ports, from 1000 on', () => {
    expect(networkIds.map(vrfTable).filter((table) => table < 300 || (table > 999 && table < 100_000))).to.deep.equal(
      [],
    );
  });
});

describe('what follows from the id of a node', () => {
  for (const [family] of families) {
    it(`is distinct for all nodes, IPv${family}`, () => {
      const subnet = joinSubnet([], family);
      expectDistinct([clusterRouterAddress(subnet), ...nodeIds.map((id) => joinAddress(subnet, id))]);
      expectDistinct(nodeIds.map((id) => transitAddress(id, family)));
    });
  }

  it('is a part of its own of the subnets of each network, with a router and a management port in it', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(anySubnetLists, (list) => {
        const count = Math.min(NODES, nodesWithSubnets(list));
        const found = nodeIds.map((id) => podSubnetsOfNode(list, id));
        coverage.count({
          'all nodes': count === NODES,
          'not all nodes': count < NODES,
          'two families': list.length === 2,
        });
        expect(found.filter((parts) => parts !== undefined).length).to.equal(count);
        // Nodes have the parts one after the other, so those beyond the last one have none.
        expect(found.slice(count).filter((parts) => parts !== undefined)).to.deep.equal([]);
        const parts = found.slice(0, count).flatMap((each) => each ?? []);
        expect(parts.length).to.equal(count * list.length);
        // Distinct networks of equal length in one subnet do not overlap.
        expectDistinct(parts);
        for (const part of parts) {
          expect(part).to.equal(networkOf(part));
          expect(list.some(({ cidr }) => subnetContains(cidr, withoutLength(part)))).to.equal(true);
          expectDistinct([podRouterAddress(part), managementPortAddress(part)]);
        }
      }),
      { numRuns: caseCount(20) },
    );
    coverage.expect({ 'all nodes': 0.1, 'not all nodes': 0.1, 'two families': 0.1 });
  });
});
