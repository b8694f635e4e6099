import { expect } from 'chai';
import { parseJson } from '../../../../src/adapters/manifests/parse-json.ts';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';

describe('JSON', () => {
  for (const { name, text, value } of [
    { name: 'an object', text: '{"a": [1, 2.5, "x", true]}', value: { a: [1, 2.5, 'x', true] } },
    { name: 'a list', text: '\n [{"a": 1}]', value: [{ a: 1 }] },
    { name: 'text that has another value in YAML', text: '{"a": "yes", "b": "012"}', value: { a: 'yes', b: '012' } },
    { name: 'escapes that YAML does not have', text: '{"a": "\\ud83d\\ude00\\/"}', value: { a: '😀/' } },
    {
      name: 'fields of the same name in several objects',
      text: '{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 2}]}',
      value: { a: { a: { a: 1 } }, b: [{ a: 1 }, { a: 2 }] },
    },
    {
      name: 'values that look like field names',
      text: '{"a": "\\"b\\":", "c" : "\\\\", "d"\n:": "}',
      value: { a: '"b":', c: '\\', d: ': ' },
    },
    {
      name: 'quotes after backslashes',
      text: '{"a": "\\":", "b": "\\\\", "c": "\\\\\\":"}',
      value: { a: '":', b: '\\', c: '\\":' },
    },
    { name: 'white space before colons', text: '{"a" :1, "b"\t:2, "c"\r\n:3}', value: { a: 1, b: 2, c: 3 } },
    {
      name: 'the maximum nesting',
      text: '['.repeat(300) + ']'.repeat(300),
      value: Array.from({ length: 299 }).reduce<unknown[]>((inner) => [inner], []),
    },
  ]) {
    it(`is read: ${name}`, () => {
      const parsing = parseJson(text);
      expect(parsing.parsed && parsing.document.value).to.deep.equal(value);
    });
  }

  it('may have a field named __proto__', () => {
    const [document] = parseText('{"__proto__": {"a": 1}}').documents;
    expect(Object.entries(document?.value ?? {})).to.deep.equal([['__proto__', { a: 1 }]]);
  });

  it('has no line numbers', () => {
    const [document] = parseText('{"a": {}}').documents;
    expect(document?.line).to.equal(undefined);
    expect(document?.lineOf(document.value)).to.equal(undefined);
  });

  describe('that is invalid is reported with line and column, as YAML:', () => {
    for (const { name, text, error } of [
      {
        name: 'a duplicate field',
        text: '{"a": 1,\n "a": 2}',
        error: 'line 2, column 2: field "a" appears twice in one mapping',
      },
      {
        name: 'a duplicate field with escapes',
        text: '{"a": 1,\n "\\u0061": 2}',
        error: 'line 2, column 2: field "a" appears twice in one mapping',
      },
      {
        name: 'a truncated text',
        text: '{"a": [\n1,',
        error: 'line 2, column 3: unexpected end of the stream within a flow collection',
      },
      {
        name: 'a truncated string',
        text: '{"a":\n "b',
        error: 'line 2, column 4: unexpected end of the stream within a double quoted scalar',
      },
      {
        name: 'too many levels of nesting',
        text: '['.repeat(301) + ']'.repeat(301),
        error: 'line 1, column 300: more than 300 levels of nesting',
      },
    ]) {
      it(name, () => {
        expect(parseText(text).errors).to.deep.equal([error]);
      });
    }
  });

  it('that is valid only as YAML is read as YAML', () => {
    expect(parseText('{a: 1, # comment\n "b": 2,}').documents.map(({ value }) => value)).to.deep.equal([
      { a: 1, b: 2 },
    ]);
  });

  describe('that is invalid and too long for the YAML parser is reported without a position:', () => {
    for (const { name, text, error } of [
      {
        name: 'truncated',
        text: '[1,2',
        error: "the text is not JSON: Expected ',' or ']' after array element in JSON at position 4 (line 1 column 5)",
      },
      { name: 'a duplicate field', text: '{"a": 1, "a": 2}', error: 'the text has a duplicate field in an object' },
      {
        name: 'too many levels of nesting',
        text: '['.repeat(301) + ']'.repeat(301),
        error: 'the text has more than 300 levels of nesting',
      },
    ]) {
      it(name, () => {
        expect(parseText(text, 0).errors).to.deep.equal([error]);
      });
    }
  });
});
