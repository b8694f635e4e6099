import { expect } from 'chai';
import {
  matchesRule,
  type RuledPacket,
  undecidedSelectors,
} from '../../../../../src/domain/node-model/rules/rule-match.ts';
import type { Rule } from '../../../../../src/domain/snapshot/node-snapshot.ts';

const packet: RuledPacket = {
  family: 4,
  source: '192.0.2.6',
  destination: '198.51.100.1',
  mark: 0x1258,
  inputDevice: 'lo',
  protocol: 'tcp',
  ports: { source: 40_000, destination: 443 },
  userId: 'unknown',
};
const inBlue: Partial<RuledPacket> = { inputDevice: 'eth1', vrf: { name: 'blue', table: 30 }, userId: 0 };
const lookup: RuledPacket = { family: 4, destination: '198.51.100.1', mark: 0, userId: 0 };
const icmp: RuledPacket = { ...lookup, protocol: 'icmp' };

type Selectors = Record<string, unknown> & Pick<Partial<Rule>, 'mark' | 'markMask' | 'detached'>;

function ruleOf({ mark, markMask, detached, ...others }: Selectors): Rule {
  return {
    ...{ family: 4, priority: 5, protocol: 'static', table: 7 },
    ...(mark !== undefined && { mark }),
    ...(markMask !== undefined && { markMask }),
    ...(detached && { detached }),
    others: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

/** Selectors as ip prints them, a packet, and whether it matches. */
const cases: readonly (readonly [selectors: Selectors, packet: RuledPacket, matches: boolean | undefined])[] = [
  [{}, packet, true],
  [{ mark: 0x200, markMask: 0xf00 }, packet, true],
  [{ mark: 0x100, markMask: 0xf00 }, packet, false],
  [{ mark: 0x258 }, packet, false],
  [{ mark: 0, markMask: 7 }, packet, true],
  [{ src: '192.0.2.0', srclen: 24 }, packet, true],
  [{ src: '192.0.2.7' }, packet, false],
  [{ src: '192.0.2.0', srclen: 24 }, lookup, false],
  [{ src: '0.0.0.0', srclen: 8 }, lookup, true],
  [{ dst: '198.51.100.0', dstlen: 24 }, packet, true],
  [{ dst: '198.51.101.0', dstlen: 24 }, packet, false],
  [{ iif: 'lo' }, packet, true],
  [{ iif: 'lo', detached: true }, packet, false],
  [{ oif: 'eth1', dscp: 'EF', detached: true }, { ...packet, ...inBlue }, false],
  [{ iif: 'lo' }, lookup, false],
  [{ iif: 'eth1' }, { ...packet, ...inBlue }, true],
  [{ iif: 'eth1' }, packet, false],
  [{ iif: 'blue' }, { ...packet, ...inBlue }, undefined],
  [{ oif: 'blue' }, { ...packet, ...inBlue }, undefined],
  [{ oif: 'eth1' }, { ...lookup, outputDevice: 'eth1' }, true],
  [{ oif: 'eth1' }, lookup, false],
  [{ l3mdev: null }, { ...packet, ...inBlue }, true],
  [{ l3mdev: null }, packet, false],
  [{ ipproto: 'tcp' }, packet, true],
  [{ ipproto: 'udp' }, packet, false],
  [{ ipproto: 'tcp' }, lookup, false],
  [{ sport: 40_000 }, packet, true],
  [{ sport_start: 1, sport_end: 39_999 }, packet, false],
  [{ dport: 443 }, packet, true],
  [{ dport_start: 443, dport_end: 444 }, packet, true],
  [{ dport_start: 444, dport_end: 445 }, packet, false],
  [{ dport: 443 }, lookup, false],
  [{ dport: 443 }, icmp, undefined],
  [{ dport: 443, ipproto: 'tcp' }, icmp, false],
  [{ uid_start: 0, uid_end: 9 }, packet, undefined],
  [{ uid_start: 0, uid_end: 9 }, lookup, true],
  [{ uid_start: 1, uid_end: 9 }, lookup, false],
  [{ tos: '0x10' }, packet, false],
  [{ tun_id: 9 }, packet, false],
  [{ dscp: 'EF' }, packet, undefined],
  [{ dscp: 'EF', dst: '198.51.101.0' }, packet, false],
  [{ suppress_prefixlen: 0, suppress_ifgroup: 'default', goto: 7, flow_from: '4', nop: null }, packet, true],
];

describe('a rule', () => {
  for (const [selectors, asked, matches] of cases) {
    const verb = matches === undefined ? 'may match' : matches ? 'matches' : 'does not match';
    it(`with ${JSON.stringify(selectors)} ${verb} ${JSON.stringify(asked)}, and the opposite with not`, () => {
      expect(matchesRule(ruleOf(selectors), asked)).to.equal(matches);
      expect(matchesRule(ruleOf({ not: null, ...selectors }), asked)).to.equal(
        matches === undefined ? undefined : !matches,
      );
    });
  }

  it('has selectors that are not decided, which are named', () => {
    expect(undecidedSelectors(ruleOf({ dscp: 'EF', uid_start: 0, uid_end: 9, dport: 443 }), packet)).to.deep.equal([
      'dscp',
      'uid_start',
    ]);
  });
});
