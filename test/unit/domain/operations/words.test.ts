import { expect } from 'chai';
import type { Address, NextHopObject, Route, Rule } from '../../../../src/domain/index.ts';
import { addressText, deleteAddressCommand, addressCommand } from '../../../../src/domain/operations/address-words.ts';
import {
  deleteNeighbourCommand,
  neighbourText,
  putNeighbourCommand,
} from '../../../../src/domain/operations/neighbour-words.ts';
import {
  addNeighbourProxyCommand,
  deleteNeighbourProxyCommand,
  neighbourProxyText,
} from '../../../../src/domain/operations/neighbour-proxy-words.ts';
import {
  deleteNextHopObjectCommand,
  nextHopObjectText,
  putNextHopObjectCommand,
} from '../../../../src/domain/operations/next-hop-object-words.ts';
import type { Command } from '../../../../src/domain/operations/operation.ts';
import { routeCommand, routeText } from '../../../../src/domain/entities/route-words.ts';
import { ruleCommand, ruleKey, ruleText } from '../../../../src/domain/operations/rule-words.ts';
import { address, route } from '../ownership/things.ts';

/** Everything but the beginning of a command of ip, in one text. */
function words({ program, arguments: vector }: Command, ...beginning: readonly string[]): string {
  expect(program).to.equal('ip');
  expect(vector.slice(0, beginning.length)).to.deep.equal(beginning);
  return vector.slice(beginning.length).join(' ');
}

describe('a route in the words of ip', () => {
  const hop = { device: 'br-blue', gateway: '192.0.2.1' };
  const rows: readonly (readonly [
    what: string,
    brief: Partial<Route> & { destination: string },
    said: string,
    text: string,
  ])[] = [
    [
      'a plain one',
      { destination: '10.0.0.0/8' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ],
    [
      'a default route',
      { destination: '0.0.0.0/0', table: 1012 },
      'default via 192.0.2.1 dev br-blue table 1012 proto static scope global',
      'route default via 192.0.2.1 dev br-blue table 1012',
    ],
    [
      'an IPv6 default route, of which nothing else says the family',
      { destination: '::/0', table: 1012, metric: 1024 },
      'default via 2001:db8:b::1 dev br-blue table 1012 proto static metric 1024',
      'route IPv6 default via 2001:db8:b::1 dev br-blue metric 1024 table 1012',
    ],
    [
      'one without a gateway',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue' }], scope: 'link' },
      '10.0.0.0/8 dev br-blue table 254 proto static scope link',
      'route 10.0.0.0/8 dev br-blue',
    ],
    [
      'one whose gateway counts as directly connected',
      { destination: '10.0.0.0/8', nextHops: [{ ...hop, onlink: true }] },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue onlink table 254 proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue onlink',
    ],
    [
      'one with a gateway of the other family',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: 'fe80::1' }] },
      '10.0.0.0/8 via inet6 fe80::1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 via inet6 fe80::1 dev br-blue',
    ],
    [
      'an IPv6 one with an IPv4 gateway',
      { destination: '2001:db8::/32', nextHops: [hop] },
      '2001:db8::/32 via inet 192.0.2.1 dev br-blue table 254 proto static',
      'route 2001:db8::/32 via inet 192.0.2.1 dev br-blue',
    ],
    [
      'a multipath one, each leg with all that it has',
      {
        destination: '10.0.0.0/8',
        nextHops: [hop, { device: 'eth9', gateway: '198.51.100.1', weight: 5, onlink: true }],
      },
      '10.0.0.0/8 table 254 proto static scope global nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
      'route 10.0.0.0/8 nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
    ],
    [
      'one that takes its next hops from an object',
      { destination: '10.0.0.0/8', nextHops: [hop, hop], nextHopObject: 5 },
      '10.0.0.0/8 nhid 5 table 254 proto static scope global',
      'route 10.0.0.0/8 nhid 5',
    ],
    [
      'one that leads nowhere',
      { destination: '0.0.0.0/0', type: 'unreachable', nextHops: [], metric: 4278198272, table: 1012, protocol: '94' },
      'unreachable default table 1012 proto 94 scope global metric 4278198272',
      'route unreachable default metric 4278198272 table 1012',
    ],
    [
      'one for some packets',
      { destination: '10.0.0.0/8', source: '10.1.0.0/16', typeOfService: '0x10' },
      '10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue',
    ],
    [
      'one with a source for what the node itself sends',
      { destination: '10.0.0.0/8', preferredSource: '192.0.2.6' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global src 192.0.2.6',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue src 192.0.2.6',
    ],
    [
      'one with metrics',
      { destination: '10.0.0.0/8', metrics: { mtu: 1400, advmss: 1360, rto_min: '200ms' } },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global mtu 1400 advmss 1360 rto_min 200ms',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ],
    [
      'one with a router preference and a lifetime',
      { destination: '2001:db8::/32', preference: 'high', expiresSeconds: 600 },
      '2001:db8::/32 via 2001:db8:b::1 dev br-blue table 254 proto static pref high expires 600',
      'route 2001:db8::/32 via 2001:db8:b::1 dev br-blue',
    ],
    [
      'one of a table that is known by its name alone',
      { destination: '10.0.0.0/8', table: 'isp' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table isp proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue table isp',
    ],
  ];
  for (const [what, { destination, ...brief }, said, text] of rows) {
    it(`is, of ${what}, "${said}" and for a person "${text}"`, () => {
      const whole = route(destination, brief);
      for (const verb of ['add', 'replace'] as const) {
        expect(words(routeCommand(verb, whole), `-${whole.family}`, 'route', verb)).to.equal(said);
      }
      expect(words(routeCommand('delete', whole), `-${whole.family}`, 'route', 'delete')).to.equal(
        said.replace(/ expires \d+/, ''),
      );
      expect(routeText(whole)).to.equal(text);
    });
  }
});

describe('an address in the words of ip', () => {
  const rows: readonly (readonly [
    what: string,
    text: string,
    brief: Partial<Address>,
    put: string,
    deleted: string,
  ])[] = [
    ['a plain one', '192.0.2.6/24', {}, '192.0.2.6/24 scope global', '192.0.2.6/24'],
    [
      'an IPv6 one, which has the scope that its number says',
      'fd69::2/128',
      { flags: ['nodad'] },
      'fd69::2/128 nodad',
      'fd69::2/128',
    ],
    [
      'one with another end',
      '192.0.2.6/32',
      { peer: '192.0.2.7' },
      '192.0.2.6 peer 192.0.2.7/32 scope global',
      '192.0.2.6 peer 192.0.2.7/32',
    ],
    [
      'one with everything',
      '192.0.2.6/24',
      {
        broadcast: '192.0.2.255',
        label: 'br-blue:1',
        scope: 'link',
        metric: 5,
        protocol: '0x12',
        validSeconds: 600,
        preferredSeconds: 0,
      },
      '192.0.2.6/24 broadcast 192.0.2.255 label br-blue:1 scope link metric 5 proto 0x12 valid_lft 600 preferred_lft 0',
      '192.0.2.6/24',
    ],
    [
      'one with every flag that can be asked for',
      '2001:db8::6/64',
      { flags: ['autojoin', 'home', 'mngtmpaddr', 'nodad', 'noprefixroute', 'optimistic'] },
      '2001:db8::6/64 autojoin home mngtmpaddr nodad noprefixroute optimistic',
      '2001:db8::6/64',
    ],
    [
      "one with flags that are the kernel's to set",
      '2001:db8::6/64',
      {
        flags: [
          'dadfailed',
          'deprecated',
          'dynamic',
          'permanent',
          'secondary',
          'stable-privacy',
          'temporary',
          'tentative',
        ],
      },
      '2001:db8::6/64',
      '2001:db8::6/64',
    ],
  ];
  for (const [what, text, brief, put, deleted] of rows) {
    it(`is, of ${what}, "${put}"`, () => {
      const whole = address(text, brief);
      expect(words(addressCommand('replace', 'br-blue', whole), 'address', 'replace')).to.equal(`${put} dev br-blue`);
      expect(words(deleteAddressCommand('br-blue', whole), 'address', 'delete')).to.equal(`${deleted} dev br-blue`);
      expect(addressText('br-blue', whole)).to.equal(`address ${text} on br-blue`);
    });
  }
});

describe('a rule in the words of ip', () => {
  const rule: Rule = { family: 6, priority: 1999, mark: 0x1007, table: 1012, protocol: '94', others: {} };

  it('says priority, mark, table and protocol', () => {
    const said = 'priority 1999 fwmark 0x1007 lookup 1012 protocol 94';
    expect(words(ruleCommand('add', rule), '-6', 'rule', 'add')).to.equal(said);
    expect(words(ruleCommand('delete', { ...rule, family: 4 }), '-4', 'rule', 'delete')).to.equal(said);
    expect(ruleText(rule)).to.equal('IPv6 rule 1999: mark 0x1007 looks up table 1012');
  });

  it('says which bits of the mark count, where not all do', () => {
    const masked = { ...rule, markMask: 0xff00 };
    expect(words(ruleCommand('add', masked))).to.include('fwmark 0x1007/0xff00');
    expect(ruleText(masked)).to.equal('IPv6 rule 1999: mark 0x1007/0xff00 looks up table 1012');
  });

  it("is told to a person also where it is somebody else's and looks up nothing", () => {
    const { table: _table, mark: _mark, ...other } = rule;
    expect(ruleText(other)).to.equal('IPv6 rule 1999: mark 0x0 looks up table none');
  });

  it('has a key that only its protocol says nothing to', () => {
    expect(ruleKey({ ...rule, protocol: 'boot' })).to.equal(ruleKey(rule));
    for (const other of [
      { family: 4 },
      { priority: 2001 },
      { mark: 1 },
      { markMask: 1 },
      { table: 1013 },
      { others: { iif: '"lo"' } },
    ] as readonly Partial<Rule>[]) {
      expect(ruleKey({ ...rule, ...other }), JSON.stringify(other)).not.to.equal(ruleKey(rule));
    }
  });
});

describe('a neighbour in the words of ip', () => {
  const neighbour = { device: 'br-blue', address: 'fe80::1', macAddress: '02:00:00:00:00:99', states: ['permanent'] };

  it('is permanent, with all that is known of it', () => {
    const said = 'fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud permanent';
    expect(words(putNeighbourCommand(neighbour), 'neighbour', 'replace')).to.equal(said);
    expect(words(putNeighbourCommand({ ...neighbour, router: true, protocol: '94' }), 'neighbour', 'replace')).to.equal(
      `${said} router protocol 94`,
    );
  });

  it('is without resolution where it was', () => {
    expect(words(putNeighbourCommand({ ...neighbour, states: ['noarp'] }), 'neighbour', 'replace')).to.equal(
      'fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud noarp',
    );
  });

  it('is deleted by address and device', () => {
    expect(words(deleteNeighbourCommand(neighbour), 'neighbour', 'delete')).to.equal('fe80::1 dev br-blue');
    expect(neighbourText(neighbour)).to.equal('neighbour fe80::1 at 02:00:00:00:00:99 on br-blue');
  });
});

describe('a proxy entry in the words of ip', () => {
  const proxy = { device: 'br-blue', address: 'fe80::1' };

  it('is added with all that is known of it', () => {
    const said = 'fe80::1 dev br-blue';
    expect(words(addNeighbourProxyCommand(proxy), 'neighbour', 'add', 'proxy')).to.equal(said);
    const whole = addNeighbourProxyCommand({ ...proxy, router: true, protocol: 'static' });
    expect(words(whole, 'neighbour', 'add', 'proxy')).to.equal(`${said} router protocol static`);
  });

  it('is deleted by address and device', () => {
    const command = deleteNeighbourProxyCommand({ ...proxy, router: true, protocol: 'static' });
    expect(words(command, 'neighbour', 'delete', 'proxy')).to.equal('fe80::1 dev br-blue');
    expect(neighbourProxyText(proxy)).to.equal('proxy entry for neighbour fe80::1 on br-blue');
  });
});

describe('a next hop object in the words of ip', () => {
  const objects: readonly (readonly [what: string, object: NextHopObject, said: string])[] = [
    [
      'a gateway',
      { id: 5, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static' },
      'via 192.0.2.1 dev br-blue',
    ],
    ['a device', { id: 5, family: 6, device: 'br-blue', protocol: 'static' }, 'dev br-blue'],
    [
      'a gateway outside of every subnet',
      { id: 5, family: 4, device: 'br-blue', gateway: '198.51.100.1', onlink: true, protocol: 'static' },
      'via 198.51.100.1 dev br-blue onlink',
    ],
    ['a blackhole', { id: 5, family: 4, blackhole: true, protocol: 'static' }, 'blackhole'],
    [
      'a group',
      {
        id: 5,
        protocol: 'static',
        group: [
          { id: 1, weight: 1 },
          { id: 2, weight: 5 },
        ],
      },
      'group 1/2,5',
    ],
  ];
  for (const [what, object, said] of objects) {
    it(`is, of ${what}, "${said}"`, () => {
      const family = object.family === undefined ? [] : [`-${object.family}`];
      expect(words(putNextHopObjectCommand(object), ...family, 'nexthop', 'replace', 'id', '5')).to.equal(
        `${said} proto static`,
      );
      expect(words(deleteNextHopObjectCommand(object), 'nexthop', 'delete', 'id')).to.equal('5');
      expect(nextHopObjectText(object)).to.equal(`next hop object 5 ${said}`);
    });
  }
});
