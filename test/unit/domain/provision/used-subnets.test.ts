import { expect } from 'chai';
import fc from 'fast-check';
import { subnetsOverlap } from '../../../../src/domain/ip-address.ts';
import { subnetIndex, withUse } from '../../../../src/domain/provision/used-subnets.ts';
import { Coverage } from '../../../coverage.ts';

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
