import { expect } from 'chai';
import type { Route } from '../../../../src/domain/index.ts';
import { foreignRouteObstacle, ownRouteInPlaceOf } from '../../../../src/domain/operations/own-route.ts';
import { routeKey } from '../../../../src/domain/ownership/displaced-things.ts';
import { nodeWith, route } from '../entities/host-entities.ts';

describe('the route of ours that the kernel would take for the same one', () => {
  const own = route('10.0.0.0/8', { table: 1012, protocol: '94', source: '192.0.2.0/24', typeOfService: '0x10' });
  const { source: _source, ...fromAnywhere } = own;
  const { typeOfService: _service, ...ofAnyService } = own;
  const inNode = (...routes: readonly Route[]) => ownRouteInPlaceOf(own, { ...nodeWith(), routes });

  const others: readonly (readonly [what: string, other: Route])[] = [
    ['destination', { ...own, destination: '10.0.0.0/9' }],
    ['table', { ...own, table: 254 }],
    ['family', { ...own, family: 6 }],
    ['metric', { ...own, metric: 5 }],
    ['source', { ...own, source: '192.0.3.0/24' }],
    ['source, where it has none', fromAnywhere],
    ['type of service', { ...own, typeOfService: '0x08' }],
    ['type of service, where it has none', ofAnyService],
  ];
  for (const [what, other] of others) {
    it(`is none of another ${what}`, () => {
      expect(inNode(other)).to.equal(undefined);
      expect(routeKey(other), 'nor is its key').not.to.equal(routeKey(own));
    });
  }

  it('is one whose content is another', () => {
    const same: Route = { ...own, type: 'unreachable', nextHops: [], metrics: { mtu: 1400 } };
    expect(inNode(...others.map(([, other]) => other), same)).to.equal(same);
    expect(routeKey(same), 'as is its key').to.equal(routeKey(own));
  });

  it('is found beside one of somebody else’s, which is in the way of replacing it', () => {
    const theirs = { ...own, protocol: 'static' };
    for (const routes of [
      [theirs, own],
      [own, theirs],
    ]) {
      expect(inNode(...routes)).to.equal(own);
      expect(foreignRouteObstacle(own, { ...nodeWith(), routes })).to.match(/ of protocol static is not ours$/);
    }
    expect(inNode(theirs)).to.be.undefined;
    expect(foreignRouteObstacle(own, { ...nodeWith(), routes: [own] })).to.be.undefined;
  });
});
