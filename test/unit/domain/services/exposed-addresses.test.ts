import { expect } from 'chai';
import { judgedOutsideAddresses, sourceRangesOf } from '../../../../src/domain/services/exposed-addresses.ts';
import { service } from '../brief-services.ts';

type Brief = Parameters<typeof service>[2];

const balanced = (brief: Brief) => service('web', 'blue', { type: 'LoadBalancer', ...brief });

/** Addresses as texts: `ADDRESS`, or `ADDRESS REFUSAL`. */
const judged = (brief: Brief) =>
  judgedOutsideAddresses(balanced(brief), {
    externalIps: ['203.0.113.0/24', '2001:db8:e::/48'],
    ownerOf: (address) => (address === '192.0.2.6' ? 'uplink' : undefined),
  }).map(({ address, refusal }) => [address, refusal ?? ''].join(' ').trim());

describe('the addresses of a Service outside of its network', () => {
  for (const { what, brief, expected } of [
    { what: 'is given by a load balancer', brief: { ingress: [{ ip: '192.0.2.50' }] }, expected: ['192.0.2.50'] },
    {
      what: 'is given for packets as they are',
      brief: { ingress: [{ ip: '192.0.2.50', ipMode: 'VIP' }] },
      expected: ['192.0.2.50'],
    },
    {
      what: 'is that of a load balancer which ends connections itself, or in a way that is not known',
      brief: {
        ingress: [
          { ip: '192.0.2.50', ipMode: 'Proxy' },
          { ip: '192.0.2.51', ipMode: 'Odd' },
        ],
      },
      expected: [],
    },
    { what: 'is only a name', brief: { ingress: [{}] }, expected: [] },
    { what: 'is empty', brief: { ingress: [{ ip: '' }] }, expected: [] },
    {
      what: 'was given before the Service became one of another type',
      brief: { type: 'ClusterIP', ingress: [{ ip: '192.0.2.50' }] },
      expected: [],
    },
    { what: 'is asked for, and allowed', brief: { externalIPs: ['203.0.113.9'] }, expected: ['203.0.113.9'] },
    {
      what: 'is asked for, and not allowed',
      brief: { externalIPs: ['198.51.100.9', '0.0.0.0'] },
      expected: ['198.51.100.9 not-allowed', '0.0.0.0 not-allowed'],
    },
    {
      what: 'is given and asked for: it needs no permission',
      brief: { ingress: [{ ip: '192.0.2.50' }], externalIPs: ['192.0.2.50'] },
      expected: ['192.0.2.50'],
    },
    { what: 'belongs to somebody', brief: { ingress: [{ ip: '192.0.2.6' }] }, expected: ['192.0.2.6 uplink'] },
    {
      what: 'is no address, or one in another form of it',
      brief: { ingress: [{ ip: '010.0.0.1' }, { ip: '::ffff:192.0.2.50' }, { ip: 'web.example' }] },
      expected: ['010.0.0.1 no-address', '::ffff:c000:232 no-address', 'web.example no-address'],
    },
    {
      what: 'has a family that the Service does not have',
      brief: { ipFamilies: ['IPv4'], ingress: [{ ip: '2001:db8::50' }] },
      expected: ['2001:db8::50 other-family'],
    },
    { what: 'is in upper case', brief: { ingress: [{ ip: '2001:DB8::50' }] }, expected: ['2001:db8::50'] },
    {
      what: 'may be reached from where nobody knows',
      brief: { ingress: [{ ip: '192.0.2.50' }], loadBalancerSourceRanges: ['10.0.0.1'] },
      expected: ['192.0.2.50 ranges-invalid'],
    },
    {
      what: 'is asked for, which source ranges are not about',
      brief: { externalIPs: ['203.0.113.9'], loadBalancerSourceRanges: ['10.0.0.1'] },
      expected: ['203.0.113.9'],
    },
  ] satisfies readonly { what: string; brief: Brief; expected: readonly string[] }[])
    it(`are ${expected.join(', ') || 'none'} where one ${what}`, () => {
      expect(judged(brief)).to.deep.equal(expected);
    });

  it('are up to 64, each once', () => {
    const ingress = Array.from({ length: 64 }, (_, number) => ({ ip: `192.0.2.${String(100 + (number % 60))}` }));
    expect(judged({ ingress })).to.have.length(60);
  });
});

describe('the source ranges of a Service', () => {
  for (const { ranges, expected } of [
    { ranges: undefined, expected: [] },
    { ranges: [], expected: [] },
    { ranges: [' ', ''], expected: [] },
    { ranges: [' 10.0.0.0/8 '], expected: ['10.0.0.0/8'] },
    { ranges: ['10.1.0.0/16', '10.0.0.0/8', '10.0.0.0/8'], expected: ['10.0.0.0/8'] },
    { ranges: ['10.0.0.1/8'], expected: ['10.0.0.0/8'] },
    { ranges: ['0.0.0.0/0', '2001:db8::/32'], expected: ['0.0.0.0/0', '2001:db8::/32'] },
    { ranges: ['10.0.0.0/8', '10.0.0.1'], expected: 'invalid' },
    { ranges: ['10.0.0.0/33'], expected: 'invalid' },
  ])
    it(`are ${String(expected) || 'none'} where it has ${JSON.stringify(ranges ?? 'none')}`, () => {
      const { subnets, areValid } = sourceRangesOf(
        balanced(ranges === undefined ? {} : { loadBalancerSourceRanges: ranges }),
      );
      expect(areValid ? subnets : 'invalid').to.deep.equal(expected);
    });
});
