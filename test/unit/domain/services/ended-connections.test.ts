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

  it('have the addresses and ports of a text, in both families', () => {
    expect(endedConnections('udp', one)).to.deep.equal({
      protocol: 'udp',
      service: { address: '10.96.0.1', port: 53 },
      endpoint: { address: '10.20.0.1', port: 5353 },
    });
    expect(endedConnections('sctp', '[fd96::1]:53>[fd20::1]:5353')).to.deep.equal({
      protocol: 'sctp',
      service: { address: 'fd96::1', port: 53 },
      endpoint: { address: 'fd20::1', port: 5353 },
    });
  });

  for (const text of ['', 'nonsense', '10.96.0.1:53', '10.96.0.1>10.20.0.1', '10.96.0.1:53>10.20.0.1:x'])
    it(`are none of the text "${text}", which somebody else has written`, () => {
      expect(endedConnections('udp', text)).to.equal(undefined);
    });
});
