import { clusterNetwork, type Network } from '../../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { subnetsOverlap } from '../../../../../src/domain/basics/addresses/ip-address.ts';
import {
  overlapsOnNode,
  subnetIndex,
  type UsedTwice,
  withUse,
} from '../../../../../src/domain/network/provision/used-subnets.ts';
import { network as brief } from '../../brief-objects.ts';
import { Coverage } from '../../../../coverage.ts';

const byte = fc.constantFrom(0, 1, 2, 127, 128, 255);

/** Subnets that are near each other often enough to overlap. */
const subnets = fc.oneof(
  fc
    .tuple(byte, byte, fc.integer({ min: 8, max: 32 }))
    .map(([second, third, length]) => `10.${second}.${third}.0/${length}`),
  fc
    .tuple(byte, fc.integer({ min: 16, max: 128 }))
    .map(([second, length]) => `fd20:${second.toString(16)}::/${length}`),
  fc.constantFrom('none', '10.0.0.0/33', '0.0.0.0/0'),
);

describe('the subnets that are in use', () => {
  it('have one that overlaps with another subnet exactly if any of them does', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(subnets, { maxLength: 12 }), subnets, (used, subnet) => {
        const found = subnetIndex(withUse('node', used)).overlapping(subnet);
        const isAny = used.some((other) => subnetsOverlap(other, subnet));
        coverage.count({ overlapping: isAny, apart: !isAny && used.length > 5 });
        expect(found !== undefined).to.equal(isAny);
        if (found !== undefined) expect(subnetsOverlap(found.subnet, subnet)).to.equal(true);
      }),
      { numRuns: 1000 },
    );
    coverage.expect({ overlapping: 0.2, apart: 0.1 });
  });

  it('are found from the largest around it on', () => {
    const index = subnetIndex([
      ...withUse('node', ['10.0.1.0/24'], 'worker-a'),
      ...withUse('services', ['10.0.0.0/16']),
      ...withUse('node', ['10.0.1.0/24'], 'worker-b'),
    ]);
    expect(index.overlapping('10.0.1.7/32')).to.deep.equal({ use: 'services', subnet: '10.0.0.0/16' });
  });

  it('are found in it from the first on', () => {
    const index = subnetIndex(withUse('node', ['10.3.0.0/24', '10.2.0.0/24'], 'worker-a'));
    expect(index.overlapping('10.0.0.0/8')).to.deep.equal({ use: 'node', subnet: '10.2.0.0/24', of: 'worker-a' });
  });
});

describe('a network and its uplink', () => {
  const text = ({ own, other }: UsedTwice) => `${own.use} ${own.subnet}, ${other.use} ${other.subnet}`;
  const compare = (
    subnets: readonly string[],
    ipAddresses: readonly string[],
    joinSubnets: readonly string[] = [],
    defaultGateways: readonly string[] = [],
  ) => {
    const network: Network = {
      ...clusterNetwork(brief('blue'), { providedNetworks: 'all', egress: 'none' }),
      topology: 'Layer3',
      subnets: subnets.map((cidr) => ({ cidr })),
      joinSubnets,
    };
    const { usedTwice, withinUplink } = overlapsOnNode(network, { uplink: 'up', ipAddresses, defaultGateways });
    return { usedTwice: usedTwice && text(usedTwice), withinUplink: withinUplink.map(text) };
  };

  const cases: readonly (readonly [
    what: string,
    subnets: readonly string[],
    ipAddresses: readonly string[],
    joinSubnets: readonly string[],
    result: string | undefined,
  ])[] = [
    ['apart', ['10.20.0.0/16', 'fd20::/48'], ['192.0.2.6/24', '2001:db8::6/64'], [], undefined],
    ['in the default join subnet', ['10.20.0.0/16'], ['100.65.7.6/24'], [], 'join 100.65.0.0/16, uplink 100.65.7.0/24'],
    ['equal to it', ['10.20.0.0/16'], ['100.65.0.6/16'], [], 'join 100.65.0.0/16, uplink 100.65.0.0/16'],
    ['in the default IPv6 join subnet', ['fd20::/48'], ['fd99::6/64'], [], 'join fd99::/64, uplink fd99::/64'],
    ['in that of a family that the network lacks', ['10.20.0.0/16'], ['192.0.2.6/24', 'fd99::6/64'], [], undefined],
    [
      'in a join subnet of its own',
      ['10.20.0.0/16'],
      ['172.16.0.6/24'],
      ['172.16.0.0/16'],
      'join 172.16.0.0/16, uplink 172.16.0.0/24',
    ],
    ['in the default one, which it does not use', ['10.20.0.0/16'], ['100.65.0.6/24'], ['172.16.0.0/16'], undefined],
    ['in that of its pods', ['192.0.0.0/16'], ['192.0.2.6/24'], [], 'pods 192.0.0.0/16, uplink 192.0.2.0/24'],
    [
      'in the IPv6 one of its pods',
      ['10.20.0.0/16', '2001:db8::/48'],
      ['192.0.2.6/24', '2001:db8::6/64'],
      [],
      'pods 2001:db8::/48, uplink 2001:db8::/64',
    ],
    ['a host prefix', ['192.0.0.0/16'], ['192.0.2.6/32'], [], 'pods 192.0.0.0/16, uplink 192.0.2.6/32'],
  ];
  for (const [what, subnets, ipAddresses, joinSubnets, result] of cases) {
    it(`use subnets twice: ${result === undefined ? 'not ' : ''}${what}`, () => {
      expect(compare(subnets, ipAddresses, joinSubnets)).to.deep.equal({ usedTwice: result, withinUplink: [] });
    });
  }

  const larger: readonly (readonly [
    what: string,
    subnets: readonly string[],
    ipAddress: string,
    gateway: string,
    overlap: string,
    isRefused: boolean,
  ])[] = [
    ['pods', ['10.20.0.0/16'], '10.200.0.6/8', '10.0.0.1', 'pods 10.20.0.0/16, uplink 10.0.0.0/8', false],
    ['IPv6 pods', ['fd20::/48'], 'fd20:0:1::6/32', 'fe80::1', 'pods fd20::/48, uplink fd20::/32', false],
    [
      'pods of a Layer2 network',
      ['192.0.2.128/25'],
      '192.0.2.6/24',
      '192.0.2.1',
      'pods 192.0.2.128/25, uplink 192.0.2.0/24',
      false,
    ],
    ['routers', ['10.20.0.0/16'], '100.100.0.6/10', '100.100.0.1', 'join 100.65.0.0/16, uplink 100.64.0.0/10', false],
    ['IPv6 routers', ['fd20::/48'], 'fd99:1::6/16', 'fd99:1::1', 'join fd99::/64, uplink fd99::/16', false],
    [
      'pods with its own address',
      ['10.20.0.0/16'],
      '10.20.0.6/8',
      '10.0.0.1',
      'pods 10.20.0.0/16, uplink 10.0.0.0/8',
      true,
    ],
    [
      'pods with its gateway',
      ['10.20.0.0/16'],
      '10.200.0.6/8',
      '10.20.0.1',
      'pods 10.20.0.0/16, uplink 10.0.0.0/8',
      true,
    ],
    [
      'routers with its gateway',
      ['10.20.0.0/16'],
      '100.100.0.6/10',
      '100.65.0.1',
      'join 100.65.0.0/16, uplink 100.64.0.0/10',
      true,
    ],
  ];
  for (const [what, subnets, ipAddress, gateway, overlap, isRefused] of larger) {
    it(`${isRefused ? 'use subnets twice' : 'hide hosts'}: a subnet of the link around that of ${what}`, () => {
      expect(compare(subnets, [ipAddress], [], [gateway])).to.deep.equal({
        usedTwice: isRefused ? overlap : undefined,
        withinUplink: isRefused ? [] : [overlap],
      });
    });
  }
});
