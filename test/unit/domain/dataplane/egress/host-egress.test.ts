import { expect } from 'chai';
import { hostEgress } from '../../../../../src/domain/dataplane/egress/host-egress.ts';
import { ruleText } from '../../../../../src/domain/entities/kernel/rule.ts';

/** The routes and rules of a network, for people. */
function textsFor(routerAddresses: readonly string[]): readonly string[] {
  const networkAddresses = [
    { family: 4, address: '169.254.0.12' },
    { family: 6, address: 'fd69::c' },
  ] as const;
  return hostEgress({ networkId: 1, routerAddresses, table: 300, networkAddresses }).map((entity) => {
    if (entity.kind === 'rule') return ruleText(entity.rule);
    if (entity.kind !== 'route') throw new Error(entity.kind);
    const { family, table, destination, nextHops } = entity.route;
    const [{ device = '', gateway = '' } = {}] = nextHops;
    return `IPv${family} route in table ${table}: ${destination} by ${gateway} on ${device}`;
  });
}

describe('the way of a network by the host', () => {
  const rules4 = [
    'IPv4 rule 1999: to 169.254.0.12 looks up table 300',
    'IPv4 rule 998: from 169.254.0.12 looks up table main',
  ];
  const rules6 = ['IPv6 rule 1999: to fd69::c looks up table 300', 'IPv6 rule 998: from fd69::c looks up table main'];

  it('is for each family a route to its address by the router of its pods, and a rule for each direction', () => {
    expect(textsFor(['10.20.0.1/24', 'fd20::1/64'])).to.deep.equal([
      'IPv4 route in table 300: 169.254.0.12/32 by 10.20.0.1 on ovn-k8s-mp1',
      ...rules4,
      'IPv6 route in table 300: fd69::c/128 by fd20::1 on ovn-k8s-mp1',
      ...rules6,
    ]);
  });

  it('is by the first of several routers of a family', () => {
    const routes = textsFor(['10.20.0.1/24', '10.21.0.1/24', 'fd20::1/64']).filter((text) => text.includes('route'));
    expect(routes).to.deep.equal([
      'IPv4 route in table 300: 169.254.0.12/32 by 10.20.0.1 on ovn-k8s-mp1',
      'IPv6 route in table 300: fd69::c/128 by fd20::1 on ovn-k8s-mp1',
    ]);
  });

  it('has no route of a family without a router', () => {
    expect(textsFor(['fd20::1/64'])).to.deep.equal([
      ...rules4,
      'IPv6 route in table 300: fd69::c/128 by fd20::1 on ovn-k8s-mp1',
      ...rules6,
    ]);
  });
});
