import { expect } from 'chai';
import { readRules } from '../../../../src/adapters/iproute2-json/rules.ts';
import type { Rule } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

/** The output of iproute2 6.1 on Linux 6.1 after each command, or by default. */
const examples: readonly (readonly [command: string, printed: string, rule: Omit<Rule, 'family'>])[] = [
  [
    'the default rule for local addresses',
    '{"priority":0,"src":"all","table":"local","protocol":"kernel"}',
    { priority: 0, table: 255, protocol: 'kernel', others: {} },
  ],
  [
    'the rule that comes with the first VRF',
    '{"priority":1000,"src":"all","l3mdev":null,"protocol":"kernel"}',
    { priority: 1000, protocol: 'kernel', others: { l3mdev: 'null' } },
  ],
  [
    'priority 1999 fwmark 0x1001 table 1007 protocol 94',
    '{"priority":1999,"src":"all","fwmark":"0x1001","table":"1007","protocol":"94"}',
    { priority: 1999, table: 1007, protocol: '94', mark: 0x1001, others: {} },
  ],
  [
    'priority 2001 fwmark 0x1001/0xff01 table 1008',
    '{"priority":2001,"src":"all","fwmark":"0x1001","fwmask":"0xff01","table":"1008","protocol":"unspec"}',
    { priority: 2001, table: 1008, protocol: 'unspec', mark: 0x1001, markMask: 0xff01, others: {} },
  ],
  [
    'priority 2002 fwmark 0/0xff table 1009',
    '{"priority":2002,"src":"all","fwmark":"0","fwmask":"0xff","table":"1009","protocol":"unspec"}',
    { priority: 2002, table: 1009, protocol: 'unspec', mark: 0, markMask: 0xff, others: {} },
  ],
  [
    'priority 2003 fwmark 0 table 1009, which matches everything',
    '{"priority":2003,"src":"all","table":"1009","protocol":"unspec"}',
    { priority: 2003, table: 1009, protocol: 'unspec', others: {} },
  ],
  [
    'priority 2004 not from 10.0.0.0/8 to 10.1.0.1 tos 0x10 iif eth0 oif gone table 99',
    '{"priority":2004,"not":null,"src":"10.0.0.0","srclen":8,"dst":"10.1.0.1","tos":"0x10","iif":"eth0","oif":"gone","oif_detached":null,"table":"99","protocol":"unspec"}',
    {
      priority: 2004,
      table: 99,
      protocol: 'unspec',
      detached: true,
      others: {
        dst: '"10.1.0.1"',
        iif: '"eth0"',
        not: 'null',
        oif: '"gone"',
        src: '"10.0.0.0"',
        srclen: '8',
        tos: '"0x10"',
      },
    },
  ],
  [
    'priority 2016 iif gone table 99',
    '{"priority":2016,"src":"all","iif":"gone","iif_detached":null,"table":"99","protocol":"unspec"}',
    { priority: 2016, table: 99, protocol: 'unspec', detached: true, others: { iif: '"gone"' } },
  ],
  [
    'priority 2005 from 10.0.0.1 uidrange 100-200 ipproto tcp sport 80 dport 100-200 lookup main suppress_prefixlength 0',
    '{"priority":2005,"src":"10.0.0.1","uid_start":100,"uid_end":200,"ipproto":"tcp","sport":80,"dport_start":100,"dport_end":200,"table":"main","suppress_prefixlen":0,"protocol":"unspec"}',
    {
      priority: 2005,
      table: 254,
      protocol: 'unspec',
      others: {
        dport_end: '200',
        dport_start: '100',
        ipproto: '"tcp"',
        sport: '80',
        src: '"10.0.0.1"',
        suppress_prefixlen: '0',
        uid_end: '200',
        uid_start: '100',
      },
    },
  ],
  [
    'priority 2006 lookup main suppress_ifgroup 5 realms 5/7',
    '{"priority":2006,"src":"all","table":"main","suppress_ifgroup":"5","flow_from":"5","flow_to":"7","protocol":"unspec"}',
    {
      priority: 2006,
      table: 254,
      protocol: 'unspec',
      others: { flow_from: '"5"', flow_to: '"7"', suppress_ifgroup: '"5"' },
    },
  ],
  [
    'priority 2008 goto 9999, which does not exist',
    '{"priority":2008,"src":"all","goto":9999,"unresolved":null,"protocol":"unspec"}',
    { priority: 2008, protocol: 'unspec', others: { goto: '9999' } },
  ],
  [
    'priority 2009 nop',
    '{"priority":2009,"src":"all","nop":null,"protocol":"unspec"}',
    { priority: 2009, protocol: 'unspec', others: { nop: 'null' } },
  ],
  [
    'priority 2010 blackhole',
    '{"priority":2010,"src":"all","action":"blackhole","protocol":"unspec"}',
    { priority: 2010, protocol: 'unspec', others: { action: '"blackhole"' } },
  ],
  [
    'priority 2013 tun_id 5 table 7',
    '{"priority":2013,"src":"all","tun_id":5,"table":"7","protocol":"unspec"}',
    { priority: 2013, table: 7, protocol: 'unspec', others: { tun_id: '5' } },
  ],
  [
    'priority 2014 from 0.0.0.0/8 table blue, a name in rt_tables',
    '{"priority":2014,"src":"0.0.0.0","srclen":8,"table":"blue","protocol":"unspec"}',
    { priority: 2014, table: 'blue', protocol: 'unspec', others: { src: '"0.0.0.0"', srclen: '8' } },
  ],
  [
    'a kernel without protocols of rules',
    '{"priority":2015,"src":"all","table":"7"}',
    { priority: 2015, table: 7, protocol: 'unspec', others: {} },
  ],
];

describe('rules of `ip -json -details rule show`', () => {
  it('are those of the captured node', () => {
    expect(valueOf(readRules(capturedText('worker-a', 'ip-rule4.json'), 'ip-rule4.json', 4))).to.deep.equal([
      { family: 4, priority: 0, table: 255, protocol: 'kernel', others: {} },
      { family: 4, priority: 32766, table: 254, protocol: 'kernel', others: {} },
      { family: 4, priority: 32767, table: 253, protocol: 'kernel', others: {} },
    ]);
    expect(valueOf(readRules(capturedText('worker-a', 'ip-rule6.json'), 'ip-rule6.json', 6))).to.deep.equal([
      { family: 6, priority: 0, table: 255, protocol: 'kernel', others: {} },
      { family: 6, priority: 32766, table: 254, protocol: 'kernel', others: {} },
    ]);
  });

  for (const [command, printed, rule] of examples) {
    for (const family of [4, 6] as const) {
      it(`are read from the IPv${family} output of: ${command}`, () => {
        expect(valueOf(readRules(`[${printed}]`, 'ip-rule.json', family))).to.deep.equal([{ family, ...rule }]);
      });
    }
  }

  it('have their other attributes in name order', () => {
    const printed = '[{"priority":1,"zone":1,"alpha":{"b":[2]},"mid":"x"}]';
    const [rule] = valueOf(readRules(printed, 'ip-rule.json', 4));
    expect(Object.entries(rule?.others ?? {})).to.deep.equal([
      ['alpha', '{"b":[2]}'],
      ['mid', '"x"'],
      ['zone', '1'],
    ]);
  });

  it('are empty for an empty file', () => {
    expect(valueOf(readRules('', 'ip-rule.json', 4))).to.deep.equal([]);
  });

  const problems: readonly (readonly [what: string, entry: object, line: string])[] = [
    ['no priority', { src: 'all' }, '[0].priority: expected a value, found nothing'],
    ['a priority in quotes', { priority: '1', src: 'all' }, '[0].priority: expected a whole number, found string "1"'],
    ['a table that is not a string', { priority: 1, table: 7 }, '[0].table: expected a string, found number 7'],
    [
      'a mark that is not a number',
      { priority: 1, fwmark: 'red' },
      '[0].fwmark: expected 32 bits as a hexadecimal number, such as "0x1001", found string "red"',
    ],
    ['a mark that is not a string', { priority: 1, fwmark: 7 }, '[0].fwmark: expected a string, found number 7'],
    [
      'a mask of more than 32 bits',
      { priority: 1, fwmark: '0x1', fwmask: '0x123456789' },
      '[0].fwmask: expected 32 bits as a hexadecimal number, such as "0x1001", found string "0x123456789"',
    ],
  ];
  for (const [what, entry, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(readRules(JSON.stringify([entry]), 'ip-rule4.json', 4))).to.deep.equal([
        `ip-rule4.json: ${line}`,
      ]);
    });
  }
});
