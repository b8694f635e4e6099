import { expect } from 'chai';
import fc from 'fast-check';
import { readJson } from '../../../../src/adapters/json/json-text.ts';
import { problemLines, valueOf } from '../readings.ts';

describe('JSON text of a tool', () => {
  it('is read as any JSON', () => {
    expect(valueOf(readJson(' {"a": [1, null, "é"]}\n', 'f'))).to.deep.equal({ a: [1, null, 'é'] });
  });

  it('may hold control characters in strings, as a device name may', () => {
    expect(valueOf(readJson('["c\u0001d"]', 'f'))).to.deep.equal(['c\u0001d']);
  });

  const endsAt = (place: string, expected = 'the rest of a value') =>
    `ends at ${place}, where ${expected} was expected: it is truncated or half-written`;
  const problems: readonly (readonly [what: string, text: string, message: string])[] = [
    ['empty', '', endsAt('line 1, column 1', 'a value')],
    ['a list cut off at its start', '[', endsAt('line 1, column 2', '"," or "]"')],
    ['a list cut off after an item', '[1', endsAt('line 1, column 3', '"," or "]"')],
    ['a list cut off after a comma', '[1,\n', endsAt('line 2, column 1', 'a value')],
    ['an object cut off at its start', '{', endsAt('line 1, column 2', '"," or "}"')],
    ['an object cut off after a name', '{"a"', endsAt('line 1, column 5', '":"')],
    ['an object cut off after a value', '{"a":1.5', endsAt('line 1, column 9', '"," or "}"')],
    ['a text cut off in a string', '["fla', endsAt('line 1, column 6')],
    ['a text cut off in an escape', '["\\u00', endsAt('line 1, column 7')],
    ['a text cut off in a number', '[1.', endsAt('line 1, column 4')],
    ['a text cut off in a word', '[tru', endsAt('line 1, column 5')],
    [
      'a word that is not a value',
      '[\n yes]',
      'is not JSON at line 2, column 2: expected a value or a name in quotes, found "yes]"',
    ],
    ['a comma too many', '{"a":1,}', 'is not JSON at line 1, column 8: expected a name in quotes, found "}"'],
    [
      'a missing comma',
      '[1 2]',
      'is not JSON at line 1, column 4: expected "," or the end of the list or object, found "2]"',
    ],
    ['a missing colon', '{"a" 1}', 'is not JSON at line 1, column 6: expected ":", found "1}"'],
    ['two values', '[] []', 'is not JSON at line 1, column 4: expected the end of the text, found "[]"'],
    [
      'a line end in a string',
      '["a\nb"]',
      'is not JSON at line 1, column 2: expected a string that ends on its line, found "\\"a\\nb\\"]"',
    ],
    ['a comment', '[1] // one', 'is not JSON at line 1, column 5: expected no comment, found "// one"'],
    [
      'zeros from a full disk',
      '\0\0',
      'is not JSON at line 1, column 1: expected a value or a name in quotes, found "\\u0000\\u0000"',
    ],
  ];
  for (const [what, text, message] of problems) {
    it(`is refused where it is ${what}`, () => {
      expect(problemLines(readJson(text, 'f.json'))).to.deep.equal([`f.json: ${message}`]);
    });
  }

  it('counts lines from where it stands in its file', () => {
    expect(problemLines(readJson('[', 'f.json', 7))).to.deep.equal([
      `f.json: ${endsAt('line 7, column 2', '"," or "]"')}`,
    ]);
  });
});

describe('JSON text that JSON.parse refuses', () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('is refused with a place', () => {
    const patches = ['', '"', '\\', ',', ':', '{', ']', '0', '-', 'e', '.', 'x', '\n', '\\u12'];
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...patches)).map(([text, at, patch]) => {
      const offset = at % (text.length + 1);
      return text.slice(0, offset) + patch + text.slice(offset + 1);
    });
    fc.assert(
      fc.property(
        damaged.filter((text) => !parses(text)),
        (text) => {
          expect(problemLines(readJson(text, 'f'))[0]).to.match(/^f: (?:ends|is not JSON) at line \d+, column \d+/);
        },
      ),
    );
  });

  it('is truncated where it is cut off', () => {
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
    fc.assert(
      fc.property(
        cut.filter((text) => !parses(text)),
        (text) => {
          expect(problemLines(readJson(text, 'f'))[0]).to.include('it is truncated or half-written');
        },
      ),
    );
  });
});
