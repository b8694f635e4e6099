import { expect } from 'chai';
import { isSameMatch, isSameNeighbour, isSameRoute, servesAs } from '../../../../src/domain/dataplane/content.ts';
import type { Neighbour, Route, Rule } from '../../../../src/domain/index.ts';

describe('a route that the kernel takes for the same one', () => {
  const route: Route = {
    family: 4,
    table: 1012,
    destination: '0.0.0.0/0',
    metric: 0,
    type: 'unicast',
    protocol: '94',
    nextHops: [
      { device: 'br-blue', gateway: '192.0.2.1' },
      { device: 'br-blue', gateway: '192.0.2.2', onlink: true },
    ],
    preferredSource: '169.254.0.2',
    metrics: { mtu: 1400 },
  };
  const [first, second] = route.nextHops as [Route['nextHops'][0], Route['nextHops'][0]];
  const others: readonly (readonly [what: string, route: Partial<Route>, same: boolean])[] = [
    ['is the very same', {}, true],
    ['is of another protocol', { protocol: 'static' }, true],
    ['has its next hops in another order', { nextHops: [second, first] }, true],
    ['says the weight that is usual', { nextHops: [{ ...first, weight: 1 }, second] }, true],
    ['has other metrics that ours does not have', { metrics: { mtu: 1400, advmss: 1300 } }, true],
    ['is of another type', { type: 'unreachable' }, false],
    ['has a next hop less', { nextHops: [first] }, false],
    ['has another gateway', { nextHops: [{ ...first, gateway: '192.0.2.9' }, second] }, false],
    ['has another device', { nextHops: [{ ...first, device: 'br-red' }, second] }, false],
    ['has another weight', { nextHops: [{ ...first, weight: 2 }, second] }, false],
    ['is not on link', { nextHops: [first, { device: 'br-blue', gateway: '192.0.2.2' }] }, false],
    ['takes its next hops from an object', { nextHopObject: 5 }, false],
    ['has another source', { preferredSource: '169.254.0.3' }, false],
    ['has another MTU', { metrics: { mtu: 1500 } }, false],
    ['has no MTU', { metrics: {} }, false],
  ];
  for (const [what, other, same] of others) {
    it(`${same ? 'serves as well' : 'does something else'} where it ${what}`, () => {
      expect(isSameRoute(route, { ...route, ...other })).to.equal(same);
      expect(isSameRoute({ ...route, ...other }, route)).to.equal(same);
    });
  }

  it('serves as well where it has no source and no metrics either', () => {
    const { preferredSource: _source, metrics: _metrics, ...bare } = route;
    expect(isSameRoute(bare, { ...bare, metrics: {} })).to.be.true;
    expect(isSameRoute(route, bare)).to.be.false;
  });
});

describe('a rule', () => {
  const rule: Rule = { family: 4, priority: 1999, table: 1012, protocol: '94', mark: 0x1007, others: {} };
  const others: readonly (readonly [what: string, rule: Partial<Rule>, same: boolean])[] = [
    ['is the very same', {}, true],
    ['looks up another table', { table: 254 }, true],
    ['is of another protocol', { protocol: 'static' }, true],
    ['says that all bits of the mark count', { markMask: 0xffffffff }, true],
    ['is of the other family', { family: 6 }, false],
    ['has another priority', { priority: 2001 }, false],
    ['has another mark', { mark: 0x1008 }, false],
    ['has only some bits of the mark count', { markMask: 0xffff }, false],
    ['demands something more', { others: { iif: '"br-blue"' } }, false],
  ];
  for (const [what, other, same] of others) {
    it(`picks ${same ? 'the same' : 'other'} packets where it ${what}`, () => {
      expect(isSameMatch(rule, { ...rule, ...other })).to.equal(same);
      expect(isSameMatch({ ...rule, ...other }, rule)).to.equal(same);
    });
  }
});

describe('a neighbour', () => {
  const wanted: Neighbour = {
    device: 'br-blue',
    address: 'fe80::858:a9ff:fefe:4',
    macAddress: '0a:58:a9:fe:00:04',
    states: ['permanent'],
    protocol: '94',
  };
  const others: readonly (readonly [what: string, neighbour: Partial<Neighbour>, same: boolean, serves: boolean])[] = [
    ['of the same content', {}, true, true],
    ['of another protocol', { protocol: 'static' }, true, true],
    ['with another MAC address', { macAddress: '02:00:00:00:00:01' }, true, false],
    ['without resolution', { states: ['noarp'] }, true, true],
    ['that the kernel learned', { states: ['reachable'] }, true, false],
    ['on another device', { device: 'br-red' }, false, false],
    ['of another address', { address: 'fe80::1' }, false, false],
  ];
  for (const [what, other, same, serves] of others) {
    it(`${what} is ${same ? 'the same one' : 'another one'} and ${serves ? 'serves' : 'does not serve'}`, () => {
      expect(isSameNeighbour({ ...wanted, ...other }, wanted)).to.equal(same);
      expect(servesAs({ ...wanted, ...other }, wanted)).to.equal(serves);
    });
  }
});
