import { expect } from 'chai';
import { addRoute, deleteRoute, replaceRoute } from '../../../../src/domain/node-model/route.ts';
import type { Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { after, kernelRoutes, refusalOf, routeTexts } from './words.ts';
import { route, routingNode } from './routing-node.ts';

const node = routingNode();
const through = (gateway: string, device?: string) => [{ gateway, ...(device !== undefined && { device }) }];
const out = (device: string) => [{ device }];
const link = { scope: 'link' };

describe('an IPv4 route that replaces', () => {
  it('replaces the one with its key, whoever added it', () => {
    const wanted = route('10.0.0.0/24', { protocol: '94', ...link, nextHops: out('eth3') });
    const result = after(replaceRoute(node, wanted));
    expect(kernelRoutes(result, 4, 'eth0')).not.to.include('main 10.0.0.0/24 dev eth0 src 10.0.0.1');
    expect(routeTexts(result)).to.include('main 10.0.0.0/24 dev eth3');
  });

  it('is added if there is none', () => {
    const wanted = route('20.0.0.0/24', { ...link, nextHops: out('eth0') });
    expect(routeTexts(after(replaceRoute(node, wanted)))).to.include('main 20.0.0.0/24 dev eth0');
  });

  it('is checked as a new one', () => {
    const wanted = route('20.0.0.0/24', { ...link, nextHops: out('eth2') });
    expect(refusalOf(replaceRoute(node, wanted))).to.contain('not up');
  });
});

describe('an IPv4 route that is deleted', () => {
  const legs = [
    { gateway: '10.0.0.9', device: 'eth0' },
    { gateway: '10.0.0.8', device: 'eth0', weight: 3 },
  ];
  const single = route('20.0.0.0/24', {
    ...link,
    metric: 5,
    preferredSource: '10.0.0.1',
    metrics: { mtu: 1400 },
    nextHops: out('eth0'),
  });
  const multiple = route('20.1.0.0/24', { nextHops: legs });
  const byObject = route('20.2.0.0/24', { nextHopObject: 1, nextHops: [] });
  const there = [single, multiple, byObject].reduce((current, one) => after(addRoute(current, one)), node);
  const { preferredSource: _source, metrics: _metrics, ...bare } = single;

  for (const [what, named] of [
    ['everything', single],
    ['everything but the source and the metrics', bare],
    ['everything but the metric', { ...bare, metric: 0 }],
    ['everything but the next hops', { ...bare, nextHops: [] }],
    ['all of its next hops', multiple],
    ['all of its next hops without weights', { ...multiple, nextHops: legs.map(({ weight: _weight, ...leg }) => leg) }],
    ['the first of its next hops', { ...multiple, nextHops: legs.slice(0, 1) }],
    ['its next hop object', byObject],
    ['nothing of its next hop object', (({ nextHopObject: _object, ...rest }) => rest)(byObject)],
  ] satisfies readonly (readonly [string, Route])[]) {
    it(`is selected if ${what} is named`, () => {
      const left = after(deleteRoute(there, named)).routes;
      expect(left).to.have.length(there.routes.length - 1);
      expect(left.map(({ destination }) => destination)).not.to.include(named.destination);
    });
  }

  for (const [what, named] of [
    ['table', { ...single, table: 100 }],
    ['metric', { ...single, metric: 6 }],
    ['scope', { ...single, scope: 'global' }],
    ['type', { ...single, type: 'unreachable' }],
    ['protocol', { ...single, protocol: '94' }],
    ['source', { ...single, preferredSource: '10.0.0.2' }],
    ['metrics', { ...single, metrics: { mtu: 1300 } }],
    ['device', { ...single, nextHops: out('eth3') }],
    ['gateway', { ...single, nextHops: through('10.0.0.9', 'eth0') }],
    ['second next hop', { ...multiple, nextHops: legs.slice(1) }],
    ['order of next hops', { ...multiple, nextHops: [...legs].reverse() }],
    ['weights', { ...multiple, nextHops: legs.map((leg) => ({ ...leg, weight: 2 })) }],
    ['number of next hops', { ...multiple, nextHops: [...legs, ...legs] }],
    ['object', { ...byObject, nextHopObject: 2 }],
    [
      'next hops, where it has an object',
      { ...byObject, nextHopObject: undefined, nextHops: legs.slice(0, 1) } as unknown as Route,
    ],
  ] satisfies readonly (readonly [string, Route])[]) {
    it(`is not selected by another ${what}`, () => {
      expect(refusalOf(deleteRoute(there, named))).to.contain('No such process');
    });
  }
});
