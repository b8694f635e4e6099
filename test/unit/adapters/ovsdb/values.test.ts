import { expect } from 'chai';
import { type OvsdbValue, readValue } from '../../../../src/adapters/ovsdb/values.ts';

const row = '70fea36d-6f24-4f60-8b8c-f13c9de327eb';

describe('a value of OVSDB (RFC 7047, section 5.1)', () => {
  const values: readonly (readonly [what: string, notation: unknown, value: OvsdbValue])[] = [
    ['a string, a set of one', 'netdev', { kind: 'set', atoms: ['netdev'] }],
    ['an empty string', '', { kind: 'set', atoms: [''] }],
    ['a number', 100, { kind: 'set', atoms: [100] }],
    ['a boolean', false, { kind: 'set', atoms: [false] }],
    ['a reference', ['uuid', row], { kind: 'set', atoms: [{ uuid: row }] }],
    ['an empty set', ['set', []], { kind: 'set', atoms: [] }],
    ['a set of one, written as a set', ['set', [7]], { kind: 'set', atoms: [7] }],
    [
      'a set of references',
      [
        'set',
        [
          ['uuid', row],
          ['uuid', 'x'],
        ],
      ],
      { kind: 'set', atoms: [{ uuid: row }, { uuid: 'x' }] },
    ],
    ['an empty map', ['map', []], { kind: 'map', pairs: [] }],
    [
      'a map',
      [
        'map',
        [
          ['a', 'b'],
          [1, ['uuid', row]],
        ],
      ],
      {
        kind: 'map',
        pairs: [
          ['a', 'b'],
          [1, { uuid: row }],
        ],
      },
    ],
  ];
  for (const [what, notation, value] of values) {
    it(`may be ${what}`, () => {
      expect(readValue(notation)).to.deep.equal(value);
    });
  }

  const others: readonly unknown[] = [
    null,
    {},
    [],
    ['set'],
    ['set', 'a'],
    ['set', [['set', []]]],
    ['set', [null]],
    ['set', [], []],
    ['map', 'a'],
    ['map', [['a']]],
    ['map', [['a', 'b', 'c']]],
    ['map', [['a', null]]],
    ['map', [[null, 'a']]],
    ['map', ['a']],
    ['uuid', 7],
    ['uuid'],
    ['list', []],
  ];
  for (const notation of others) {
    it(`cannot be ${JSON.stringify(notation)}`, () => {
      expect(readValue(notation)).to.equal(undefined);
    });
  }

  it('cannot be undefined', () => {
    expect(readValue(undefined)).to.equal(undefined);
  });
});
