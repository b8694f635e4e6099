import { expect } from 'chai';
import fc from 'fast-check';
import { readJson } from '../../../../src/adapters/json/json-text.ts';
import { firstSyntaxError } from '../../../../src/adapters/json/syntax-error.ts';
import { problemLines, valueOf } from '../readings.ts';

describe('JSON text of a tool', () => {
  it('is read as any JSON', () => {
    expect(valueOf(readJson(' {"a": [1, null, "é"]}\n', 'f'))).to.deep.equal({ a: [1, null, 'é'] });
  });

  it('may hold control characters in strings, as a device name may', () => {
    expect(valueOf(readJson('["c\u0001d"]', 'f'))).to.deep.equal(['c\u0001d']);
  });

  const cutOff = 'it is truncated or half-written';
  const problems: readonly (readonly [what: string, text: string, message: string])[] = [
    ['nothing', '', `ends at line 1, column 1, where a value was expected: ${cutOff}`],
    ['a list cut off at its start', '[', `ends at line 1, column 2, where a value or "]" was expected: ${cutOff}`],
    ['a list cut off after an item', '[1', `ends at line 1, column 3, where "," or "]" was expected: ${cutOff}`],
    ['a list cut off after a comma', '[1,\n', `ends at line 2, column 1, where a value was expected: ${cutOff}`],
    [
      'an object cut off at its start',
      '{',
      `ends at line 1, column 2, where a name in quotes or "}" was expected: ${cutOff}`,
    ],
    ['an object cut off after a name', '{"a"', `ends at line 1, column 5, where ":" was expected: ${cutOff}`],
    [
      'an object cut off after a value',
      '{"a":1.5',
      `ends at line 1, column 9, where "," or "}" was expected: ${cutOff}`,
    ],
    [
      'a text cut off in a string',
      '["fla',
      `ends at line 1, column 6, where the rest of a value was expected: ${cutOff}`,
    ],
    [
      'a text cut off in an escape',
      '["\\u00',
      `ends at line 1, column 7, where the rest of a value was expected: ${cutOff}`,
    ],
    ['a text cut off in a word', '[tru', `ends at line 1, column 5, where the rest of a value was expected: ${cutOff}`],
    ['a word that is no value', '[\n yes]', 'is not JSON at line 2, column 2: expected a value or "]", found "yes]"'],
    ['a comma too many', '{"a":1,}', 'is not JSON at line 1, column 8: expected a name in quotes, found "}"'],
    ['a missing comma', '[1 2]', 'is not JSON at line 1, column 4: expected "," or "]", found "2]"'],
    ['a missing colon', '{"a" 1}', 'is not JSON at line 1, column 6: expected ":", found "1}"'],
    ['a missing comma before the end', '[1 2', 'is not JSON at line 1, column 4: expected "," or "]", found "2"'],
    ['two values', '[] []', 'is not JSON at line 1, column 4: expected the end of the text, found "[]"'],
    [
      'a line end in a string',
      '["a\nb"]',
      'is not JSON at line 1, column 2: expected a value or "]", found "\\"a\\nb\\"]"',
    ],
    ['zeros from a full disk', '\0\0', 'is not JSON at line 1, column 1: expected a value, found "\\u0000\\u0000"'],
  ];
  for (const [what, text, message] of problems) {
    it(`is refused where it is ${what}`, () => {
      expect(problemLines(readJson(text, 'f.json'))).to.deep.equal([`f.json: ${message}`]);
    });
  }

  it('counts lines from where it stands in its file', () => {
    expect(problemLines(readJson('[', 'f.json', 7))).to.deep.equal([
      `f.json: ends at line 7, column 2, where a value or "]" was expected: ${cutOff}`,
    ]);
  });
});

describe('the first syntax error', () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('exists exactly where JSON.parse refuses the text', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '\\', ',', ':', '{', ']', '0', '-', 'e', '.', 'x', '\n', '\\u12'),
      )
      .map(
        ([text, at, patch]) => text.slice(0, at % (text.length + 1)) + patch + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(damaged, (text) => {
        expect(firstSyntaxError(text) === undefined).to.equal(parses(text));
      }),
    );
  });

  it('is at the end of every text that is cut off', () => {
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
    fc.assert(
      fc.property(
        cut.filter((text) => !parses(text)),
        (text) => {
          expect(firstSyntaxError(text)?.offset).to.equal(text.length);
        },
      ),
    );
  });
});
