import { expect } from 'chai';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { sourcesThatLeave } from '../../../../src/domain/network-readiness/sources-that-leave.ts';
import { routeText } from '../../../../src/domain/entities/kernel/route-command.ts';
import { type BriefRoute, completeNode } from '../../../../src/testing/index.ts';

const route: BriefRoute = {
  destination: '10.9.0.0/16',
  nextHops: [{ device: 'br-b', gateway: '192.0.3.1' }],
  preferredSource: '192.0.2.6',
};

function judge(
  moves: Readonly<Record<string, number>>,
  routes: readonly BriefRoute[] = [route],
  more: readonly string[] = [],
) {
  const addresses = (byte: number) => [{ address: `192.0.${byte}.6`, prefixLength: 24 }];
  const bearers = more.map((name) => ({ name, addresses: addresses(2) }));
  const links = [{ name: 'br-a', addresses: addresses(2) }, { name: 'br-b', addresses: addresses(3) }, ...bearers];
  const node = completeNode({ nodeName: 'a', links, routes, kernelRoutes: true });
  const leaving = sourcesThatLeave(new Map(Object.entries(moves)), viewNode(node));
  return Object.fromEntries(
    [...leaving].map(([device, { route: lost, ...by }]) => [device, { thing: routeText(lost), ...by }]),
  );
}

const found = {
  'br-b': { thing: 'route 10.9.0.0/16 via 192.0.3.1 dev br-b src 192.0.2.6', source: '192.0.2.6', bearer: 'br-a' },
};

describe('interfaces that would move together', () => {
  it('cannot if one has the source address of a route of the other', () => {
    expect(judge({ 'br-a': 1001, 'br-b': 1002 })).to.deep.equal(found);
  });

  it('can move one by one', () => {
    expect(judge({ 'br-a': 1001 })).to.deep.equal({});
    expect(judge({ 'br-b': 1002 })).to.deep.equal({});
  });

  it('can if an interface that stays has the source address too', () => {
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, [route], ['lo'])).to.deep.equal({});
    expect(judge({ 'br-a': 1001, 'br-b': 1002, 'br-c': 1003 }, [route], ['br-c'])).to.deep.equal(found);
  });

  it("can if the source address moves into the route's table", () => {
    expect(judge({ 'br-a': 1002, 'br-b': 1002 })).to.deep.equal({});
    expect(judge({ 'br-a': 77, 'br-b': 1002 }, [{ ...route, table: 77 }])).to.deep.equal({});
  });

  it('can without a source, or with one that no interface has', () => {
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, [{ ...route, preferredSource: '203.0.113.1' }])).to.deep.equal({});
    const { preferredSource: _source, ...plain } = route;
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, [plain])).to.deep.equal({});
  });

  it('can if the owner of the route restores it', () => {
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, [{ ...route, protocol: 'bgp' }])).to.deep.equal({});
  });

  it('are reported for the first of several routes, in any order', () => {
    const routes = [route, { ...route, destination: '10.8.0.0/16' }];
    const first = { 'br-b': { ...found['br-b'], thing: 'route 10.8.0.0/16 via 192.0.3.1 dev br-b src 192.0.2.6' } };
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, routes)).to.deep.equal(first);
    expect(judge({ 'br-a': 1001, 'br-b': 1002 }, routes.toReversed())).to.deep.equal(first);
  });
});
