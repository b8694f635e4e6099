import { expect } from 'chai';
import type { RoutingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import { reportedDomainText, routingDomainText } from '../../../../src/domain/status/routing-domain-text.ts';

describe('a routing domain as text', () => {
  const domains: readonly (readonly [domain: RoutingDomain, text: string])[] = [
    [{ kind: 'default' }, 'default'],
    [{ kind: 'own-vrf', vrf: 'blue' }, 'VRF blue'],
    [{ kind: 'own-vrf' }, 'own VRF, not named yet'],
    [{ kind: 'other-vrf', vrf: 'corp' }, 'VRF corp'],
    [{ kind: 'contradiction', vrfs: ['a', 'b', 'c', 'd'] }, 'conflicting VRFs: a, b, c, …'],
  ];
  for (const [domain, text] of domains) {
    it(`is "${text}"`, () => {
      expect(routingDomainText(domain)).to.equal(text);
    });
  }

  it('is named by the VRF if only that was reported', () => {
    expect(reportedDomainText('blue')).to.equal('VRF blue');
    expect(reportedDomainText(undefined)).to.equal('default');
  });
});
