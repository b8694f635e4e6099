import { expect } from 'chai';
import fc from 'fast-check';
import { type RoutingDomain, routingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import { frrConfiguration, routeAdvertisements } from '../brief-objects.ts';

/** Advertisements that count, by their targets. */
const effective = (targets: readonly (string | undefined)[]) =>
  targets.map((targetVRF, position) => {
    const { targetVRF: _auto, ...spec } = routeAdvertisements('').spec;
    const object = routeAdvertisements(`ra-${position}`);
    return {
      routeAdvertisements: { ...object, spec: { ...spec, ...(targetVRF !== undefined && { targetVRF }) } },
      frrConfigurations: [frrConfiguration('b'), frrConfiguration('a', undefined, { namespace: 'x' })],
    };
  });

const domainOf = (targets: readonly (string | undefined)[], ownVrf: string | undefined = 'blue') =>
  routingDomain(effective(targets), ownVrf).domain;

const own: RoutingDomain = { kind: 'own-vrf', vrf: 'blue' };
const corp: RoutingDomain = { kind: 'other-vrf', vrf: 'corp' };

describe('the routing domain of a network', () => {
  const decisions: readonly (readonly [targets: readonly (string | undefined)[], domain: RoutingDomain])[] = [
    [[], { kind: 'default' }],
    [['default'], { kind: 'default' }],
    [[undefined], { kind: 'default' }],
    [[''], { kind: 'default' }],
    [['auto', 'default'], { kind: 'default' }],
    [['auto', undefined], { kind: 'default' }],
    [['corp', 'auto', 'default'], { kind: 'default' }],
    [['auto'], own],
    [['auto', 'auto'], own],
    [['blue'], own],
    [['blue', 'auto'], own],
    [['corp'], corp],
    [['corp', 'corp'], corp],
    [['corp', 'auto'], { kind: 'contradiction', vrfs: ['blue', 'corp'] }],
    [['corp', 'blue'], { kind: 'contradiction', vrfs: ['blue', 'corp'] }],
    [['red', 'corp'], { kind: 'contradiction', vrfs: ['corp', 'red'] }],
  ];
  for (const [targets, domain] of decisions) {
    const targeted =
      targets.map((target) => (target === undefined ? 'absent' : JSON.stringify(target))).join(' and ') || 'none';
    it(`blue is ${JSON.stringify(domain)} for targets ${targeted}`, () => {
      expect(domainOf(targets)).to.deep.equal(domain);
      expect(domainOf([...targets].reverse())).to.deep.equal(domain);
    });
  }

  it('is its own VRF without a name while that depends on an id', () => {
    const { domain } = routingDomain(effective(['auto']), undefined);
    expect(domain).to.deep.equal({ kind: 'own-vrf' });
  });

  it('lists the deciding RouteAdvertisements', () => {
    expect(routingDomain(effective(['auto', undefined]), 'blue').decidedBy).to.deep.equal([
      { routeAdvertisements: 'ra-0', targetVrf: 'auto', frrConfigurations: ['frr/b', 'x/a'] },
      { routeAdvertisements: 'ra-1', targetVrf: 'default', frrConfigurations: ['frr/b', 'x/a'] },
    ]);
  });

  it('is the default one if any of them targets it', () => {
    const targets = fc.array(fc.constantFrom('auto', 'corp', 'blue', 'default', undefined), { maxLength: 5 });
    fc.assert(
      fc.property(targets, (asked) => {
        const isDefault = asked.length === 0 || asked.some((target) => target === undefined || target === 'default');
        expect(domainOf(asked).kind === 'default').to.equal(isDefault);
      }),
    );
  });
});
