import { expect } from 'chai';
import { endedConnections, endedWith } from '../../../../src/domain/services/ended-connections.ts';

const [one, two] = ['10.96.0.1:53>10.20.0.1:5353', '10.96.0.1:53>10.20.0.2:5353'];

const balanced = (endpoints: string, protocol: 'tcp' | 'udp' | 'sctp' = 'udp') => ({
  protocol,
  vips: { '10.96.0.1:53': endpoints },
});

const found = (endpoints: string, ended: readonly string[] = [], protocol: 'tcp' | 'udp' | 'sctp' = 'udp') => ({
  ...balanced(endpoints, protocol),
  ended,
});

const both = '10.20.0.1:5353,10.20.0.2:5353';

describe('the connections that end with a change', () => {
  for (const { where, before, after, expected } of [
    { where: 'nothing goes', before: found(both), after: balanced(both), expected: [] },
    { where: 'an endpoint comes', before: found('10.20.0.1:5353'), after: balanced(both), expected: [] },
    { where: 'an endpoint goes', before: found(both), after: balanced('10.20.0.2:5353'), expected: [one] },
    { where: 'all endpoints go', before: found(both), after: balanced(''), expected: [one, two] },
    { where: 'the address goes', before: found(both), after: { ...balanced(both), vips: {} }, expected: [one, two] },
    { where: 'the load balancer goes', before: found(both), after: undefined, expected: [one, two] },
    { where: 'others had to end before', before: found(both, ['x>y']), after: balanced(both), expected: ['x>y'] },
    { where: 'an endpoint that went comes back', before: found('', [one]), after: balanced(both), expected: [] },
    { where: 'it is of TCP', before: found(both, [], 'tcp'), after: undefined, expected: [] },
    { where: 'it is of SCTP', before: found(both, [], 'sctp'), after: balanced('', 'sctp'), expected: [one, two] },
  ])
    it(`are ${expected.join(' and ') || 'none'} where ${where}`, () => {
      expect(endedWith(before, after)).to.deep.equal(expected);
    });

  /** Connections as texts, with a star for all ports. */
  const texts = (left: Parameters<typeof endedConnections>[0], ended: readonly string[]) =>
    endedConnections(left, ended).map(({ protocol, service, endpoint }) => {
      const [to, from] = [service, endpoint].map((place) => `${place?.address ?? ''} ${String(place?.port ?? '*')}`);
      return `${protocol} ${to} > ${from}`;
    });

  for (const { where, left, ended, expected } of [
    { where: 'the endpoint goes', left: balanced('10.20.0.2:5353'), ended: [one], expected: ['* > 10.20.0.1 *'] },
    {
      where: 'all go',
      left: balanced(''),
      ended: [one, two],
      expected: ['* > 10.20.0.1 *', '* > 10.20.0.2 *'],
    },
    {
      where: 'it goes from several ports, as one',
      left: balanced(''),
      ended: [one, '10.96.0.1:54>10.20.0.1:5353', '10.96.0.1:54>10.20.0.1:5454'],
      expected: ['* > 10.20.0.1 *'],
    },
    {
      where: 'another port still leads to it',
      left: { ...balanced('10.20.0.2:5353'), vips: { '10.96.0.1:54': '10.20.0.1:5454' } },
      ended: [one, two],
      expected: ['53 > 10.20.0.1 5353', '* > 10.20.0.2 *'],
    },
    {
      where: 'another number of the port does',
      left: balanced('10.20.0.1:5454'),
      ended: [one],
      expected: ['53 > 10.20.0.1 5353'],
    },
    {
      where: 'another address of the Service does',
      left: { ...balanced(''), vips: { '10.96.0.2:53': '10.20.0.1:5353' } },
      ended: [one],
      expected: ['* > 10.20.0.1 *'],
    },
    { where: 'it is of TCP', left: balanced('', 'tcp'), ended: [one], expected: [] },
  ])
    it(`are ${expected.join(' and ') || 'none'} where ${where}`, () => {
      const { protocol } = left;
      expect(texts(left, ended)).to.deep.equal(expected.map((each) => `${protocol} 10.96.0.1 ${each}`));
    });

  it('have addresses of both families', () => {
    const left = { protocol: 'sctp', vips: { '[fd96::1]:54': '[fd20::1]:5353' } } as const;
    expect(texts(left, ['[fd96::1]:53>[fd20::1]:5353'])).to.deep.equal(['sctp fd96::1 53 > fd20::1 5353']);
    expect(texts({ ...left, vips: {} }, ['[fd96::1]:53>[fd20::1]:5353'])).to.deep.equal(['sctp fd96::1 * > fd20::1 *']);
  });

  for (const text of ['', 'nonsense', '10.96.0.1:53', '10.96.0.1>10.20.0.1', '10.96.0.1:53>10.20.0.1:x'])
    it(`are none of the text "${text}", which somebody else has written`, () => {
      expect(texts(balanced(''), [text])).to.deep.equal([]);
    });
});
