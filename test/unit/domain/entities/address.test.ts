import { expect } from 'chai';
import { displacedText } from '../../../../src/domain/entities/displaceable.ts';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import type { Address, LedgerEntry } from '../../../../src/domain/index.ts';
import { hostAddress, ledgerOf } from './host-entities.ts';
import { ipWords, putBackWords } from './ip-words.ts';

describe('an address in the syntax of ip', () => {
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
      const entity = hostAddress(text, brief);
      expect(ipWords('add', entity, 'address', 'add')).to.equal(`${put} dev br-blue`);
      expect(putBackWords(entity, 'address', 'replace')).to.equal(`${put} dev br-blue`);
      expect(ipWords('remove', entity, 'address', 'delete')).to.equal(`${deleted} dev br-blue`);
      expect(displacedText(entity)).to.equal(`address ${text} on br-blue`);
    });
  }
});

describe('a managed address', () => {
  const entry: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };
  const rows: readonly (readonly [
    what: string,
    device: string,
    text: string,
    entries: readonly LedgerEntry[],
    ours: boolean,
  ])[] = [
    ['the one that the ledger has', 'blue', '169.254.0.2/32', [entry], true],
    ['one that the ledger does not have', 'blue', '169.254.0.2/32', [], false],
    ['the same one on another device', 'br-ex', '169.254.0.2/32', [entry], false],
    ['the same one in another subnet', 'blue', '169.254.0.2/17', [entry], false],
    ['another one on the device', 'blue', '169.254.0.3/32', [entry], false],
  ];
  for (const [what, device, text, entries, ours] of rows) {
    it(`is ${ours ? '' : 'not '}${what}`, () => {
      expect(isOurs(hostAddress(text, {}, device), { ledger: ledgerOf(...entries) })).to.equal(ours);
    });
  }
});
