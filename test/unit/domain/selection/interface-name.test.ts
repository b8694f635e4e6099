import { expect } from 'chai';
import fc from 'fast-check';
import { isInterfaceName, isTakenForNumber, utf8Length } from '../../../../src/domain/basics/names/interface-name.ts';

/** Characters of one to four bytes, 0xA0 often among these. */
const characters = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0x7ff }),
    fc.integer({ min: 0x800, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0xffff }),
    fc.integer({ min: 0x10000, max: 0x10ffff }),
    fc.constantFrom(0x7f, 0x80, 0xa0, 0xe0, 0x7ff, 0x800, 0x820, 0x2620, 0xffff, 0x10000, 0x1f800, 0x10ffff),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

describe('a name of a network device', () => {
  const taken: readonly (readonly [name: string, why: string])[] = [
    ['e', 'one byte'],
    ['br-blue', 'the usual'],
    ['eth1.100', 'a dot inside'],
    ['...', 'three dots'],
    ['.a', 'a dot in front'],
    ['-force', 'what looks like an option'],
    ['a#b', 'odd characters'],
    ['a\u0001b', 'a control character that is no white space'],
    ['x'.repeat(15), '15 bytes'],
    ['é'.repeat(7), '14 bytes in 7 characters'],
    ['€'.repeat(5), '15 bytes in 5 characters of three bytes'],
    ['😀😀😀abc', '15 bytes with characters of four bytes'],
    ['á', 'a byte beside 0xA0'],
  ];
  for (const [name, why] of taken) {
    it(`may be ${JSON.stringify(name)}: ${why}`, () => {
      expect(isInterfaceName(name)).to.be.true;
    });
  }

  const refused: readonly (readonly [name: string, why: string])[] = [
    ['', 'no byte at all'],
    ['.', 'a directory of itself'],
    ['..', 'a directory of itself'],
    ['a/b', 'a path'],
    ['a:b', 'a colon'],
    ['a\0b', 'an end of text'],
    ['a b', 'a blank'],
    ['a\t', 'a tab'],
    ['a\n', 'a line feed'],
    ['a\v', 'a vertical tab'],
    ['a\f', 'a form feed'],
    ['a\r', 'a carriage return'],
    ['\u00a0', 'a no-break space, C2 A0'],
    ['à', 'C3 A0'],
    ['ࠀ', 'E0 A0 80, the byte in the middle'],
    ['☠', 'E2 98 A0, the byte at the end'],
    ['🠀', 'F0 9F A0 80'],
    ['😠', 'F0 9F 98 A0'],
    ['x'.repeat(16), '16 bytes'],
    ['é'.repeat(8), '16 bytes in 8 characters'],
    [`${'€'.repeat(5)}x`, '16 bytes in 6 characters'],
    ['😀😀😀😀', '16 bytes in 4 characters'],
  ];
  for (const [name, why] of refused) {
    it(`is never ${JSON.stringify(name)}: ${why}`, () => {
      expect(isInterfaceName(name)).to.be.false;
    });
  }

  it('is measured in the bytes of its UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 20 }), (text) => {
        expect(utf8Length(text)).to.equal(Buffer.byteLength(text, 'utf8'));
      }),
    );
  });

  it('has no byte that the kernel treats as white space', () => {
    const spaces = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0];
    fc.assert(
      fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 6 }), (text) => {
        fc.pre(!/[/:\0]/.test(text) && text !== '.' && text !== '..');
        const bytes = [...Buffer.from(text, 'utf8')];
        expect(isInterfaceName(text)).to.equal(bytes.length <= 15 && !bytes.some((byte) => spaces.includes(byte)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a name that ip treats as the number of a device, if no device has it', () => {
  /** As `ip route add … dev NAME` of iproute2 6.1 did with them on a machine whose device 3 is another. */
  const names: readonly (readonly [name: string, taken: boolean])[] = [
    ['if3', true],
    ['if03', true],
    ['if+3', true],
    ['if-3', true],
    ['if3x', true],
    ['if3.100', true],
    ['if4294967299', true],
    ['if', false],
    ['IF3', false],
    ['xif3', false],
    ['ifx3', false],
    ['if.3', false],
  ];
  for (const [name, taken] of names) {
    it(`is ${taken ? '' : 'not '}${name}`, () => {
      expect(isTakenForNumber(name)).to.equal(taken);
    });
  }
});
