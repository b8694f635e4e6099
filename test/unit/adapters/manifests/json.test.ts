import { expect } from 'chai';
import { parseJson } from '../../../../src/adapters/manifests/parse-json.ts';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';

describe('JSON', () => {
  for (const { name, text, value } of [
    { name: 'an object', text: '{"a": [1, 2.5, "x", true]}', value: { a: [1, 2.5, 'x', true] } },
    { name: 'a list', text: '\n [{"a": 1}]', value: [{ a: 1 }] },
    { name: 'text that YAML would read otherwise', text: '{"a": "yes", "b": "012"}', value: { a: 'yes', b: '012' } },
    { name: 'escapes that only JSON has', text: '{"a": "\\ud83d\\ude00\\/"}', value: { a: '😀/' } },
    {
      name: 'one field in different objects',
      text: '{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 2}]}',
      value: { a: { a: { a: 1 } }, b: [{ a: 1 }, { a: 2 }] },
    },
    {
      name: 'values that look like names of fields',
      text: '{"a": "\\"b\\":", "c" : "\\\\", "d"\n:": "}',
      value: { a: '"b":', c: '\\', d: ': ' },
    },
    {
      name: 'quotes behind backslashes',
      text: '{"a": "\\":", "b": "\\\\", "c": "\\\\\\":"}',
      value: { a: '":', b: '\\', c: '\\":' },
    },
    { name: 'white space before colons', text: '{"a" :1, "b"\t:2, "c"\r\n:3}', value: { a: 1, b: 2, c: 3 } },
    {
      name: 'the deepest nesting',
      text: '['.repeat(300) + ']'.repeat(300),
      value: Array.from({ length: 299 }).reduce<unknown[]>((inner) => [inner], []),
    },
  ]) {
    it(`is read: ${name}`, () => {
      const parsing = parseJson(text);
      expect(parsing.parsed && parsing.document.value).to.deep.equal(value);
    });
  }

  it('may have a field named __proto__, which is one like any other', () => {
    const [document] = parseText('{"__proto__": {"a": 1}}').documents;
    expect(Object.entries(document?.value ?? {})).to.deep.equal([['__proto__', { a: 1 }]]);
  });

  it('tells no lines', () => {
    const [document] = parseText('{"a": {}}').documents;
    expect(document?.line).to.equal(undefined);
    expect(document?.lineOf(document.value)).to.equal(undefined);
  });

  describe('that is wrong is told as YAML, with line and column', () => {
    for (const { name, text, fault } of [
      {
        name: 'a field that stands twice',
        text: '{"a": 1,\n "a": 2}',
        fault: 'line 2, column 2: field "a" stands twice in one mapping',
      },
      {
        name: 'a field that stands twice, escaped',
        text: '{"a": 1,\n "\\u0061": 2}',
        fault: 'line 2, column 2: field "a" stands twice in one mapping',
      },
      {
        name: 'a text that is cut off',
        text: '{"a": [\n1,',
        fault: 'line 2, column 3: unexpected end of the stream within a flow collection',
      },
      {
        name: 'a text in quotes that is cut off',
        text: '{"a":\n "b',
        fault: 'line 2, column 4: unexpected end of the stream within a double quoted scalar',
      },
      {
        name: 'nesting without end',
        text: '['.repeat(301) + ']'.repeat(301),
        fault: 'line 1, column 300: more than 300 levels of nesting',
      },
    ]) {
      it(name, () => {
        expect(parseText(text).faults).to.deep.equal([fault]);
      });
    }
  });

  it('that is not quite JSON is read as the YAML that it is', () => {
    expect(parseText('{a: 1, # comment\n "b": 2,}').documents.map(({ value }) => value)).to.deep.equal([
      { a: 1, b: 2 },
    ]);
  });

  describe('that is wrong and too long for the YAML parser is told without a place', () => {
    for (const { name, text, fault } of [
      {
        name: 'cut off',
        text: '[1,2',
        fault: "the text is no JSON: Expected ',' or ']' after array element in JSON at position 4 (line 1 column 5)",
      },
      { name: 'with a field twice', text: '{"a": 1, "a": 2}', fault: 'the text has a field twice in one object' },
      {
        name: 'nested without end',
        text: '['.repeat(301) + ']'.repeat(301),
        fault: 'the text has more than 300 levels of nesting',
      },
    ]) {
      it(name, () => {
        expect(parseText(text, 0).faults).to.deep.equal([fault]);
      });
    }
  });
});
