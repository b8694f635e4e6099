import { expect } from 'chai';
import { type LastWayOut, lastWaysOut } from '../../../../src/domain/network-readiness/last-way-out.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { type BriefBridge, type BriefLink, type BriefRoute, completeNode } from '../../../../src/testing/index.ts';

const byBlue: BriefRoute = { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] };
const byBlue6: BriefRoute = { destination: '::/0', nextHops: [{ device: 'br-blue', gateway: '2001:db8:b::1' }] };
const byRed: BriefRoute = { ...byBlue, metric: 9, nextHops: [{ device: 'br-red' }] };
const elsewhere: BriefRoute['nextHops'] = [{ device: 'br-ex', gateway: '198.51.100.1' }];
const bothFamilies: readonly string[] = ['198.51.100.6', '2001:db8:ffff::6'];

const tunnelKinds = [
  'tun',
  'wireguard',
  'ovpn',
  'gre',
  'ip6gretap',
  'ipip',
  'sit',
  'ip6tnl',
  'vti6',
  'xfrm',
  'vxlan',
  'geneve',
];
const links: readonly BriefLink[] = [
  { name: 'br-blue' },
  { name: 'br-red' },
  { name: 'br-ex' },
  { name: 'corp', kind: 'vrf', vrfTable: 77 },
  { name: 'br-corp', master: 'corp' },
  { name: 'bond0', kind: 'bond' },
  { name: 'eth9', master: 'bond0' },
  ...tunnelKinds.map((kind) => ({ name: `to-${kind}`, kind })),
  { name: 'ppp0', kind: 'ppp' },
  { name: 'br-user', kind: 'tun' },
];
const bridges: readonly BriefBridge[] = [{ name: 'br-user', ports: [{ name: 'eth2' }] }];
const [half, otherHalf] = halvesOf(byBlue) as [BriefRoute, BriefRoute];

function bound(moving: readonly string[], routes: readonly BriefRoute[], internalIps = bothFamilies) {
  const carriers = new Map([...moving.map((name) => [name, name] as const), ['br-blue.5', 'br-blue']]);
  return Object.fromEntries(
    lastWaysOut(carriers, internalIps, viewNode(completeNode({ nodeName: 'a', links, bridges, routes }))),
  );
}

const alone = (family: 4 | 6, unusable: readonly string[] = []): LastWayOut => ({
  lastDefaultRoute: family,
  alongside: [],
  unusable,
});

/** A default route as its two halves. */
function halvesOf(route: BriefRoute): readonly BriefRoute[] {
  const destinations = route.destination === '::/0' ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1'];
  return destinations.map((destination) => ({ ...route, destination }));
}

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
    ...[byBlue, byBlue6].flatMap((route): typeof cases => {
      const other: BriefRoute = { ...route, metric: 9 };
      const by = (device: string, state: { readonly down?: true } = {}): BriefRoute => ({
        ...other,
        nextHops: [{ device, ...state }],
      });
      const family = route === byBlue ? 4 : 6;
      const halves = halvesOf(route);
      const of = `of IPv${family}`;
      return [
        [
          `is the last one that is not down ${of}`,
          [route, by('br-ex', { down: true })],
          bothFamilies,
          alone(family, ['br-ex']),
        ],
        [
          `is down itself, and so is any other one ${of}`,
          [by('br-blue', { down: true }), { ...route, nextHops: [{ device: 'br-ex', down: true }] }],
          bothFamilies,
          alone(family, ['br-ex']),
        ],
        [
          `is down itself, and another one is not ${of}`,
          [by('br-blue', { down: true }), { ...route, nextHops: [{ device: 'br-ex' }] }],
          bothFamilies,
          undefined,
        ],
        [
          `has another next hop that is down ${of}`,
          [{ ...route, nextHops: [...route.nextHops, { device: 'br-ex', down: true }] }],
          bothFamilies,
          alone(family, ['br-ex']),
        ],
        [
          `stands beside one that is down and one that is not ${of}`,
          [route, by('br-ex', { down: true }), { ...route, metric: 10, nextHops: elsewhere }],
          bothFamilies,
          undefined,
        ],
        [
          `is the last one besides one by a device in a VRF ${of}`,
          [route, by('br-corp')],
          bothFamilies,
          alone(family, ['br-corp']),
        ],
        [`is the last one besides one by a VRF ${of}`, [route, by('corp')], bothFamilies, alone(family, ['corp'])],
        ...tunnelKinds.map((kind): (typeof cases)[number] => [
          `is the last one besides one by a tunnel of kind ${kind} ${of}`,
          [route, by(`to-${kind}`)],
          bothFamilies,
          alone(family, [`to-${kind}`]),
        ]),
        [
          `is whole, and halves lead into a tunnel ${of}`,
          [route, ...halvesOf(by('to-tun'))],
          bothFamilies,
          alone(family, ['to-tun']),
        ],
        [
          `stands beside one by a tunnel and one by another interface ${of}`,
          [route, by('to-tun'), { ...route, metric: 10, nextHops: elsewhere }],
          bothFamilies,
          undefined,
        ],
        [`is not there, as all leave by a tunnel ${of}`, [by('to-wireguard')], bothFamilies, undefined],
        [`stands beside one of a connection of ppp ${of}`, [route, by('ppp0')], bothFamilies, undefined],
        [
          `stands beside one by a bridge of Open vSwitch in user space ${of}`,
          [route, by('br-user')],
          bothFamilies,
          undefined,
        ],
        [`stands beside one by a port of a bond ${of}`, [route, by('eth9')], bothFamilies, undefined],
        [`is in two halves ${of}`, halves, bothFamilies, alone(family)],
        [`is in two halves, and another one is whole ${of}`, [...halves, by('br-ex')], bothFamilies, undefined],
        [`is whole, and another one in halves ${of}`, [route, ...halvesOf(by('br-ex'))], bothFamilies, undefined],
        [
          `is whole, and halves of another one are down ${of}`,
          [route, ...halvesOf(by('br-ex', { down: true }))],
          bothFamilies,
          alone(family, ['br-ex']),
        ],
      ];
    }),
    ['is one of two halves', [half, { ...otherHalf, nextHops: elsewhere }], bothFamilies, alone(4)],
    ['is half of one without the other half', [half], bothFamilies, undefined],
    [
      'is half of one, and the other half is for some packets only',
      [half, { ...otherHalf, source: '10.0.0.0/8' }],
      bothFamilies,
      undefined,
    ],
    [
      'is whole, and half of another one leaves elsewhere',
      [byBlue, { ...half, nextHops: elsewhere }],
      bothFamilies,
      alone(4),
    ],
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
      'br-blue': { lastDefaultRoute: 4, alongside: ['br-red'], unusable: [] },
      'br-red': { lastDefaultRoute: 4, alongside: ['br-blue'], unusable: [] },
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

  it('stay if each has a half of the last one', () => {
    const routes = [half, { ...otherHalf, nextHops: byRed.nextHops }];
    expect(Object.keys(bound(['br-blue', 'br-red'], routes))).to.deep.equal(['br-blue', 'br-red']);
  });

  it('can move if they have halves that are no use without others', () => {
    expect(bound(['br-blue', 'br-red'], [byBlue, { ...half, nextHops: byRed.nextHops }])).to.deep.equal({
      'br-blue': alone(4),
    });
  });

  it('can move except those with the last default routes', () => {
    expect(bound(['br-blue', 'br-red'], [byBlue])).to.deep.equal({ 'br-blue': alone(4) });
  });
});
