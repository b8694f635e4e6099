import { expect } from 'chai';
import type { ServiceCidr } from '../../../../../src/domain/api/service-cidr.ts';
import { withServiceCidrs } from '../../../../../src/domain/plan/view/service-cidrs.ts';
import { defaultSettings } from '../../../../../src/domain/snapshot/settings.ts';
import { serviceCidr } from '../../brief-objects.ts';

const settings = { ...defaultSettings, serviceCidrs: ['10.96.3.4/16'] };
const cidrsWith = (...serviceCidrs: readonly ServiceCidr[]) =>
  withServiceCidrs(settings, { serviceCidrs }).serviceCidrs;

describe('the subnets of Services', () => {
  for (const { where, objects, expected } of [
    { where: 'there are no ServiceCIDRs', objects: [], expected: ['10.96.3.4/16'] },
    {
      where: 'one has others, of both families',
      objects: [serviceCidr('more', '10.112.0.0/16', 'FD98:0::/112')],
      expected: ['10.96.3.4/16', '10.112.0.0/16', 'fd98::/112'],
    },
    {
      where: 'several have them, in any order',
      objects: [serviceCidr('b', '10.112.0.0/16'), serviceCidr('a', '10.113.0.0/16', '10.112.0.0/16')],
      expected: ['10.96.3.4/16', '10.112.0.0/16', '10.113.0.0/16'],
    },
    {
      where: 'one has that of the settings',
      objects: [serviceCidr('kubernetes', '10.96.0.0/16')],
      expected: ['10.96.3.4/16'],
    },
    {
      where: 'one is being deleted, and Services still have addresses there',
      objects: [
        {
          ...serviceCidr('more', '10.112.0.0/16'),
          metadata: { name: 'more', deletionTimestamp: '2026-01-01T00:00:00Z' },
        },
      ],
      expected: ['10.96.3.4/16', '10.112.0.0/16'],
    },
    {
      where: 'one has none',
      objects: [serviceCidr('empty'), { ...serviceCidr('bare'), spec: {} }],
      expected: ['10.96.3.4/16'],
    },
    {
      where: 'one has texts that are no subnets',
      objects: [serviceCidr('odd', '10.112.0.0/33', '10.112.0.1', 'x', '::ffff:10.1.0.0/112/3', '')],
      expected: ['10.96.3.4/16'],
    },
  ])
    it(`are ${expected.join(', ')} where ${where}`, () => {
      expect(cidrsWith(...objects)).to.deep.equal(expected);
    });

  it('are the same object as long as they are the same, whatever else changes in ServiceCIDRs', () => {
    const [one, other] = [serviceCidr('more', '10.112.0.0/16'), serviceCidr('other', '10.112.0.0/16')];
    const [first, second] = [[one], [other]].map((serviceCidrs) => withServiceCidrs(settings, { serviceCidrs }));
    expect(first).to.equal(second);
    expect(withServiceCidrs(settings, { serviceCidrs: [] })).to.equal(settings);
    expect(withServiceCidrs(first!, { serviceCidrs: [one] })).to.equal(first);
  });
});
