import { expect } from 'chai';
import fc from 'fast-check';
import { readJson } from '../../../../src/adapters/json/json-text.ts';
import { problemLines, valueOf } from '../readings.ts';

describe('JSON text of a tool', () => {
  it('is read as JSON', () => {
    expect(valueOf(readJson(' {"a": [1, null, "é"]}\n', 'f'))).to.deep.equal({ a: [1, null, 'é'] });
  });

  it('may hold control characters in strings, as a device name may', () => {
    expect(valueOf(readJson('["c\u0001d"]', 'f'))).to.deep.equal(['c\u0001d']);
  });

  const endsAt = (place: string, expected = 'the rest of a value') =>
    `ends at ${place}, where ${expected} was expected: it is truncated or half-written`;
  const problems: readonly (readonly [what: string, text: string, message: string])[] = [
    ['empty', '', endsAt('line 1, column 1', 'a value')],
    ['a list truncated at its start', '[', endsAt('line 1, column 2', '"," or "]"')],
    ['a list truncated after an item', '[1', endsAt('line 1, column 3', '"," or "]"')],
    ['a list truncated after a comma', '[1,\n', endsAt('line 2, column 1', 'a value')],
    ['an object truncated at its start', '{', endsAt('line 1, column 2', '"," or "}"')],
    ['an object truncated after a name', '{"a"', endsAt('line 1, column 5', '":"')],
    ['an object truncated after a value', '{"a":1.5', endsAt('line 1, column 9', '"," or "}"')],
    ['a text truncated in a string', '["fla', endsAt('line 1, column 6')],
    ['a text truncated in an escape', '["\\u00', endsAt('line 1, column 7')],
    ['a text truncated in a number', '[1.', endsAt('line 1, column 4')],
    ['a text truncated in a literal', '[tru', endsAt('line 1, column 5')],
    [
      'a literal that is not a value',
      '[\n yes]',
      'is not JSON at line 2, column 2: expected a value or a name in quotes, found "yes]"',
    ],
    ['an extra comma', '{"a":1,}', 'is not JSON at line 1, column 8: expected a name in quotes, found "}"'],
    [
      'a missing comma',
      '[1 2]',
      'is not JSON at line 1, column 4: expected "," or the end of the list or object, found "2]"',
    ],
    ['a missing colon', '{"a" 1}', 'is not JSON at line 1, column 6: expected ":", found "1}"'],
    ['two values', '[] []', 'is not JSON at line 1, column 4: expected the end of the text, found "[]"'],
    [
      'a line break in a string',
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
    it(`is invalid: ${what}`, () => {
      expect(problemLines(readJson(text, 'f.json'))).to.deep.equal([`f.json: ${message}`]);
    });
  }

  it('has line numbers of the whole file in problems', () => {
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

  it('is invalid with a position', () => {
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

  it('is truncated wherever it ends early', () => {
    const truncated = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
    fc.assert(
      fc.property(
        truncated.filter((text) => !parses(text)),
        (text) => {
          expect(problemLines(readJson(text, 'f'))[0]).to.include('it is truncated or half-written');
        },
      ),
    );
  });
});
