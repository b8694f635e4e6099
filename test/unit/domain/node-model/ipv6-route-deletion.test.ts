import { expect } from 'chai';
import { deleteRoute, replaceRoute } from '../../../../src/domain/node-model/route.ts';
import type { NodeSnapshot, Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { route, routingNode } from './routing-node.ts';
import { after, kernelRoutes, refusalOf, routeText, routeTexts } from './words.ts';

const node = routingNode();
const through = (gateway: string, out?: string) => [{ gateway, ...(out !== undefined && { device: out }) }];
const out = (name: string) => [{ device: name }];

function texts(current: NodeSnapshot): readonly string[] {
  return routeTexts(current, ({ destination }) => destination === 'fd20::/64');
}

describe('an IPv6 route that replaces', () => {
  const legs = [
    { gateway: 'fd00::9', device: 'eth0' },
    { gateway: 'fd00::8', device: 'eth0' },
  ];
  const multiple = route('fd20::/64', { metric: 1024, nextHops: legs });
  const direct = route('fd20::/64', { metric: 1024, nextHops: out('eth0') });
  const gateway = route('fd20::/64', { metric: 1024, nextHops: through('fd00::7', 'eth0') });

  for (const [what, there, wanted, expected] of [
    ['takes the place of all legs of one', [multiple], gateway, [gateway]],
    ['brings all of its legs', [gateway], multiple, [multiple]],
    ['without a gateway takes the place of one with a gateway, if it is the only one', [multiple], direct, [direct]],
    ['with a gateway prefers one with a gateway', [direct, gateway], multiple, [direct, multiple]],
    [
      'without a gateway prefers one without',
      [gateway, direct],
      { ...direct, protocol: '94' },
      [gateway, { ...direct, protocol: '94' }],
    ],
    ['is added where there is none', [], direct, [direct]],
  ] satisfies readonly (readonly [string, readonly Route[], Route, readonly Route[]])[]) {
    it(what, () => {
      const result = after(replaceRoute({ ...node, routes: [...node.routes, ...there] }, wanted));
      expect(texts(result)).to.deep.equal(expected.map(routeText).sort());
    });
  }

  it("replaces the kernel's route to a subnet", () => {
    const wanted = route('fd00::/64', { metric: 256, nextHops: out('eth3') });
    expect(kernelRoutes(after(replaceRoute(node, wanted)), 6, 'eth0')).not.to.include(
      'main fd00::/64 dev eth0 metric 256',
    );
  });
});

describe('an IPv6 route that is deleted', () => {
  const legs = [
    { gateway: 'fd00::9', device: 'eth0' },
    { gateway: 'fd00::8', device: 'eth0', weight: 3 },
  ];
  const direct = route('fd20::/64', { metric: 1024, nextHops: out('eth0') });
  const multiple = route('fd20::/64', { metric: 1024, nextHops: legs });
  const byObject = route('fd20::/64', { metric: 1024, nextHopObject: 2, nextHops: through('fd00::9', 'eth0') });
  const { nextHopObject: _object, ...likeObject } = byObject;
  const remove = (there: Route, named: Route) => deleteRoute({ ...node, routes: [there] }, named);
  const left = (there: Route, named: Route) => texts(after(remove(there, named)));

  for (const [what, there, named, expected] of [
    ['with all that is known of it', direct, direct, []],
    ['without its metric', direct, { ...direct, metric: 0 }, []],
    ['in another spelling', direct, { ...direct, destination: 'fd20:0::/64' }, []],
    ['by another type: that does not count', direct, { ...direct, type: 'unreachable', nextHops: [] }, []],
    ['with its gateways by its device alone', multiple, direct, []],
    ['with all of its legs', multiple, multiple, []],
    [
      'by one gateway, of which the leg alone goes',
      multiple,
      { ...multiple, nextHops: legs.slice(1) },
      ['main fd20::/64 via fd00::9 dev eth0 metric 1024'],
    ],
    ['by its object', byObject, byObject, []],
    ['by next hops, where it has an object: they do not count', byObject, likeObject, []],
  ] satisfies readonly (readonly [string, Route, Route, readonly string[]])[]) {
    it(`is selected ${what}`, () => {
      expect(left(there, named)).to.deep.equal(expected);
    });
  }

  for (const [what, there, named] of [
    ['table', direct, { ...direct, table: 100 }],
    ['metric', direct, { ...direct, metric: 5 }],
    ['protocol', direct, { ...direct, protocol: '94' }],
    ['device', direct, { ...direct, nextHops: out('eth3') }],
    ['gateway', multiple, { ...multiple, nextHops: through('fd00::7', 'eth0') }],
    ['object', byObject, { ...byObject, nextHopObject: 1 }],
    ['way, where an object is named', direct, byObject],
  ] satisfies readonly (readonly [string, Route, Route])[]) {
    it(`is not selected by another ${what}`, () => {
      expect(refusalOf(remove(there, named))).to.contain('No such process');
    });
  }
});
