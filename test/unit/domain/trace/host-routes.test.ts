import { expect } from 'chai';
import type { Route, Rule } from '../../../../src/domain/index.ts';
import { hostRoute, type HostQuery, unfollowedRules } from '../../../../src/domain/trace/host-routes.ts';
import { completeNode } from '../../../../src/testing/index.ts';

const rule = (priority: number, table: number, rest: Partial<Rule> = {}): Rule => ({
  family: 4,
  priority,
  table,
  protocol: 'static',
  others: {},
  ...rest,
});

const route = (table: number, destination: string, rest: Partial<Route> = {}): Route => ({
  family: 4,
  table,
  destination,
  metric: 0,
  type: 'unicast',
  protocol: 'static',
  nextHops: [{ device: `dev${String(table)}` }],
  ...rest,
});

const query: HostQuery = { family: 4, source: '192.0.2.6', destination: '198.51.100.1', mark: 0 };

/** What decides: the priority of the rule and the table of the route, or why there is none. */
function decided(rules: readonly Rule[], routes: readonly Route[], asked: Partial<HostQuery> = {}): string {
  const links = [10, 20, 254].map((table) => ({ name: `dev${String(table)}` }));
  const found = hostRoute({ ...completeNode({ nodeName: 'a', links }), rules, routes }, { ...query, ...asked });
  if (found.kind === 'route') return `${String(found.rule.priority)} ${String(found.route.table)}`;
  return found.kind === 'refused' ? `${String(found.rule.priority)} refused` : 'none';
}

describe('the rule and the route of a packet of the host', () => {
  const main = rule(32_766, 254);
  const [default10, default254] = [route(10, '0.0.0.0/0'), route(254, '0.0.0.0/0')];

  it('is the first rule whose table has a route', () => {
    expect(decided([main, rule(100, 10)], [default10, default254])).to.equal('100 10');
    expect(decided([main, rule(100, 20)], [default10, default254])).to.equal('32766 254');
    expect(decided([main], [])).to.equal('none');
  });

  it('is one with the mark of the packet under the mask, or without a mark', () => {
    const marked = rule(100, 10, { mark: 0x1001 });
    expect(decided([marked, main], [default10, default254])).to.equal('32766 254');
    expect(decided([marked, main], [default10, default254], { mark: 0x1001 })).to.equal('100 10');
    const masked = rule(100, 10, { mark: 0x1, markMask: 0xf });
    expect(decided([masked, main], [default10, default254], { mark: 0x1001 })).to.equal('100 10');
    expect(decided([main], [default254], { mark: 7 })).to.equal('32766 254');
  });

  it('is one for the source, the destination and the device', () => {
    const of = (others: Record<string, string>, asked: Partial<HostQuery> = {}) =>
      decided([rule(100, 10, { others }), main], [default10, default254], asked);
    expect(of({ src: '"192.0.2.0"', srclen: '24' })).to.equal('100 10');
    expect(of({ src: '"192.0.3.0"', srclen: '24' })).to.equal('32766 254');
    expect(of({ dst: '"198.51.100.1"' })).to.equal('100 10');
    expect(of({ dst: '"198.51.100.2"' })).to.equal('32766 254');
    expect(of({ iif: '"eth1"' })).to.equal('32766 254');
    expect(of({ iif: '"eth1"' }, { inputDevice: 'eth1' })).to.equal('100 10');
    expect(of({ iif: '"lo"' })).to.equal('100 10');
  });

  it('is that of VRFs for packets in a VRF, with its table', () => {
    const vrfs: Rule = { family: 4, priority: 1000, protocol: 'kernel', others: { l3mdev: 'null' } };
    expect(decided([vrfs, main], [default10, default254])).to.equal('32766 254');
    expect(decided([vrfs, main], [default10, default254], { vrf: { name: 'blue', table: 10 } })).to.equal('1000 10');
  });

  it('refuses if the rule or the route does', () => {
    expect(decided([rule(100, 10, { others: { action: '"prohibit"' } }), main], [default254])).to.equal('100 refused');
    const unreachable = route(10, '0.0.0.0/0', { type: 'unreachable', nextHops: [] });
    expect(decided([rule(100, 10), main], [unreachable, default254])).to.equal('100 refused');
  });

  it('skips rules with other requirements, which are named', () => {
    const byPort = rule(100, 10, { others: { dport: '443' } });
    expect(decided([byPort, main], [default10, default254])).to.equal('32766 254');
    expect(unfollowedRules({ ...completeNode({ nodeName: 'a' }), rules: [byPort, main] }, 4)).to.deep.equal([
      'rule 100 with dport',
    ]);
  });
});
