import { expect } from 'chai';
import type { NodeSnapshot, Route, Rule } from '../../../../../src/domain/index.ts';
import { decidingRuleText, hostRoute } from '../../../../../src/domain/explanation/trace/host-routes.ts';
import type { RuledPacket } from '../../../../../src/domain/node-model/rules/rule-match.ts';
import { completeNode } from '../../../../../src/testing/index.ts';

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

const query: RuledPacket = {
  ...{ family: 4, source: '192.0.2.6', destination: '198.51.100.1', mark: 0 },
  ...{ inputDevice: 'lo', protocol: 'tcp', ports: { source: 40_000, destination: 443 }, userId: 'unknown' },
};

/** A node with the rules, and devices that are named after tables. */
function nodeWith(rules: readonly Rule[], routes: readonly Route[]): NodeSnapshot {
  const links = [10, 20, 254].map((table) => ({
    name: `dev${String(table)}`,
    ...(table === 20 && { group: '7' }),
  }));
  return { ...completeNode({ nodeName: 'a', links }), rules, routes };
}

/** The decision: the priority of the rule and the table of the route, or why there is none. */
function decided(rules: readonly Rule[], routes: readonly Route[], asked: Partial<RuledPacket> = {}): string {
  const { route: found } = hostRoute(nodeWith(rules, routes), { ...query, ...asked });
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
    const of = (others: Record<string, string>, asked: Partial<RuledPacket> = {}) =>
      decided([rule(100, 10, { others }), main], [default10, default254], asked);
    expect(of({ src: '"192.0.2.0"', srclen: '24' })).to.equal('100 10');
    expect(of({ src: '"192.0.3.0"', srclen: '24' })).to.equal('32766 254');
    expect(of({ dst: '"198.51.100.1"' })).to.equal('100 10');
    expect(of({ dst: '"198.51.100.2"' })).to.equal('32766 254');
    expect(of({ iif: '"eth1"' })).to.equal('32766 254');
    expect(of({ iif: '"eth1"' }, { inputDevice: 'eth1' })).to.equal('100 10');
    expect(of({ iif: '"lo"' })).to.equal('100 10');
    const detached = { ...rule(100, 10, { others: { iif: '"eth1"' } }), detached: true as const };
    expect(decided([detached, main], [default10, default254], { inputDevice: 'eth1' })).to.equal('32766 254');
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

  it('skips rules of which it is not known whether they match, which are named if they come before', () => {
    const byUser = { uid_start: '0', uid_end: '9', dport: '443' };
    const rules = [rule(100, 10, { others: byUser }), main, rule(32_767, 10, { others: byUser })];
    expect(decided(rules, [default10, default254])).to.equal('32766 254');
    const { undecided } = hostRoute(nodeWith(rules, [default10, default254]), query);
    expect(undecided).to.deep.equal(['rule 100 with uid_start']);
  });

  it('is not a route that the rule does not accept, by the length of its prefix or the group of its device', () => {
    const default20 = route(20, '0.0.0.0/0');
    const [all, near] = [
      [default254, default20],
      [route(254, '198.51.100.0/24'), default20],
    ];
    const of = (others: Record<string, string>, routes: readonly Route[], table = 254) =>
      decided([rule(100, table, { others }), rule(200, 20)], routes);
    expect(of({ suppress_prefixlen: '0' }, all)).to.equal('200 20');
    expect(of({ suppress_prefixlen: '0' }, near)).to.equal('100 254');
    expect(of({ suppress_prefixlen: '24' }, near)).to.equal('200 20');
    expect(of({ suppress_ifgroup: '"default"' }, all)).to.equal('200 20');
    expect(of({ suppress_ifgroup: '"7"' }, all)).to.equal('100 254');
    expect(of({ suppress_ifgroup: '"7"' }, all, 20)).to.equal('200 20');
    const refusing = route(254, '0.0.0.0/0', { type: 'unreachable', nextHops: [] });
    expect(of({ suppress_prefixlen: '0' }, [refusing, default20])).to.equal('100 refused');
  });

  it('is found from the target of goto on, if there is one', () => {
    const to = (target: string) => rule(100, 0, { others: { goto: target } });
    const rules = [rule(200, 10), rule(300, 254), rule(400, 10)];
    const routes = [default10, default254];
    expect(decided([to('300'), ...rules], routes)).to.equal('300 254');
    expect(decided([to('999'), ...rules], routes)).to.equal('200 10');
    const unmatched = rule(300, 254, { mark: 9 });
    expect(decided([to('300'), rule(200, 254), unmatched, rule(400, 10)], routes)).to.equal('400 10');
    expect(decided([rule(100, 0, { others: { nop: 'null' } }), ...rules], routes)).to.equal('200 10');
  });

  it('is not in a table whose route says so, in both families', () => {
    for (const family of [4, 6] as const) {
      const routes = [default10, default254].map((each) => ({
        ...each,
        family,
        destination: family === 4 ? each.destination : '::/0',
      }));
      const [first, second] = routes;
      const thrown = { ...first!, type: 'throw', nextHops: [] };
      const rules = [rule(100, 10), main].map((each) => ({ ...each, family }));
      const asked = family === 4 ? {} : { family, source: '2001:db8::6', destination: '2001:db8:9::1' };
      expect(decided(rules, [thrown, second!], asked)).to.equal('32766 254');
    }
  });
});

describe('the text of the rule that decides', () => {
  const texts: readonly (readonly [rule: Partial<Rule>, text: string])[] = [
    [{}, 'rule 100: table 7120'],
    [{ mark: 1 }, 'rule 100: mark 0x1, table 7120'],
    [{ mark: 1, others: { not: 'null' } }, 'rule 100: not mark 0x1, table 7120'],
    [{ others: { not: 'null', src: '"10.0.0.0"', srclen: '8' } }, 'rule 100: not from 10.0.0.0/8, table 7120'],
    [{ mark: 1, others: { iif: '"lo"', not: 'null' } }, 'rule 100: not mark 0x1 iif lo, table 7120'],
    [{ others: { not: 'null', dst: '"10.0.0.1"', suppress_prefixlen: '0' } }, 'rule 100: not to 10.0.0.1, table 7120'],
  ];
  for (const [more, text] of texts) {
    it(`is ${text}`, () => {
      expect(decidingRuleText(rule(100, 7120, more), undefined)).to.equal(text);
    });
  }
});
