import { expect } from 'chai';
import { type LastWayOut, lastWaysOut } from '../../../../src/domain/network-readiness/last-way-out.ts';
import { type BriefRoute, completeNode } from '../../../../src/testing/index.ts';

const byBlue: BriefRoute = { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] };
const byBlue6: BriefRoute = { destination: '::/0', nextHops: [{ device: 'br-blue', gateway: '2001:db8:b::1' }] };
const byRed: BriefRoute = { ...byBlue, metric: 9, nextHops: [{ device: 'br-red' }] };
const elsewhere: BriefRoute['nextHops'] = [{ device: 'br-ex', gateway: '198.51.100.1' }];
const bothFamilies: readonly string[] = ['198.51.100.6', '2001:db8:ffff::6'];

function bound(moving: readonly string[], routes: readonly BriefRoute[], internalIps = bothFamilies) {
  const carriers = new Map([...moving.map((name) => [name, name] as const), ['br-blue.5', 'br-blue']]);
  return Object.fromEntries(lastWaysOut(carriers, internalIps, completeNode({ nodeName: 'a', routes })));
}

const alone = (family: 4 | 6): LastWayOut => ({ lastDefaultRoute: family, alongside: [] });

describe('a single interface', () => {
  const cases: readonly (readonly [
    what: string,
    routes: readonly BriefRoute[],
    internalIps: readonly string[],
    by: LastWayOut | undefined,
  ])[] = [
    ['is the last one of IPv4', [byBlue], bothFamilies, alone(4)],
    ['is the last one of IPv6', [byBlue6], bothFamilies, alone(6)],
    ['is the last one of both families', [byBlue6, byBlue], bothFamilies, alone(4)],
    ['is one of several that all leave by it', [byBlue, { ...byBlue, metric: 100 }], bothFamilies, alone(4)],
    [
      'is the last one, with several next hops',
      [{ ...byBlue, nextHops: [...byBlue.nextHops, { device: 'br-blue' }] }],
      bothFamilies,
      alone(4),
    ],
    [
      'is the last one besides an unreachable one',
      [byBlue, { ...byBlue, metric: 9, type: 'unreachable', nextHops: [] }],
      bothFamilies,
      alone(4),
    ],
    [
      'is the last one besides an unreachable one of IPv6, which is on the loopback device',
      [byBlue6, { ...byBlue6, metric: 9, type: 'unreachable', nextHops: [{ device: 'lo' }] }],
      bothFamilies,
      alone(6),
    ],
    ['is the last one of main', [byBlue, { ...byBlue, table: 500, nextHops: elsewhere }], bothFamilies, alone(4)],
    [
      'is the last one for all packets',
      [byBlue, { ...byBlue, source: '10.0.0.0/8', nextHops: elsewhere }],
      bothFamilies,
      alone(4),
    ],
    [
      'is the last one for every service',
      [byBlue, { ...byBlue, typeOfService: '0x10', nextHops: elsewhere }],
      bothFamilies,
      alone(4),
    ],
    ['is of a VLAN device on it', [{ ...byBlue, nextHops: [{ device: 'br-blue.5' }] }], bothFamilies, alone(4)],
    ['is not there', [], bothFamilies, undefined],
    [
      'stands beside one out of another interface',
      [byBlue, { ...byBlue, metric: 100, nextHops: elsewhere }],
      bothFamilies,
      undefined,
    ],
    [
      'has a next hop out of another interface',
      [{ ...byBlue, nextHops: [...byBlue.nextHops, ...elsewhere] }],
      bothFamilies,
      undefined,
    ],
    ['is of a family in which the Node has no InternalIP', [byBlue6], ['198.51.100.6'], undefined],
    ['is of a Node without any InternalIP', [byBlue, byBlue6], [], undefined],
    ['is for some packets only', [{ ...byBlue, source: '10.0.0.0/8' }], bothFamilies, undefined],
    ['is of another table', [{ ...byBlue, table: 500 }], bothFamilies, undefined],
    ['is no default route', [{ ...byBlue, destination: '10.0.0.0/8' }], bothFamilies, undefined],
  ];
  for (const [what, routes, internalIps, by] of cases) {
    it(`${by ? 'is not' : 'can be'} moved into a VRF where the default route out of it ${what}`, () => {
      expect(bound(['br-blue'], routes, internalIps)).to.deep.equal(by ? { 'br-blue': by } : {});
    });
  }
});

describe('several interfaces', () => {
  it('all stay if each has one of the last default routes', () => {
    expect(bound(['br-blue', 'br-red'], [byBlue, byRed])).to.deep.equal({
      'br-blue': { lastDefaultRoute: 4, alongside: ['br-red'] },
      'br-red': { lastDefaultRoute: 4, alongside: ['br-blue'] },
    });
  });

  it('stay if they have one multipath route', () => {
    const both = { ...byBlue, nextHops: [...byBlue.nextHops, ...byRed.nextHops] };
    expect(Object.keys(bound(['br-blue', 'br-red'], [both]))).to.deep.equal(['br-blue', 'br-red']);
  });

  it('can move if a default route out of another one is left', () => {
    expect(bound(['br-blue', 'br-red'], [byBlue, byRed, { ...byBlue, metric: 100, nextHops: elsewhere }])).to.be.empty;
    expect(bound(['br-blue'], [byBlue, byRed])).to.be.empty;
  });

  it('can move except those with the last default routes', () => {
    expect(bound(['br-blue', 'br-red'], [byBlue])).to.deep.equal({ 'br-blue': alone(4) });
  });
});
