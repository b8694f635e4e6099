import { expect } from 'chai';
import type { TSchema } from 'typebox';
import Type from 'typebox';
import { Settings } from 'typebox/system';
import { conformanceTo, describeValue, type Finding, pathOfPointer } from '../../../../src/domain/api/conformance.ts';
import { kinds } from '../../../../src/domain/api/kinds.ts';
import { EXPECTED, formattedString, partOf, stringEnum, stringMap } from '../../../../src/domain/api/schema.ts';

function findings(schema: TSchema, value: unknown): readonly Finding[] {
  const conformance = conformanceTo(schema)(value);
  return conformance.conforms ? [] : conformance.findings;
}

/** The findings on a field `at` that breaks its schema, as a person reads them. */
const sentences = (schema: TSchema, value: unknown) =>
  findings(partOf({ at: schema }), { at: value }).map(
    ({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`,
  );

const knownKeywords: ReadonlySet<string> = new Set([
  ...['type', 'required', 'properties', 'additionalProperties', 'items', 'enum', 'description', 'minimum', 'maximum'],
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', EXPECTED],
]);

/** A schema and all schemas in it, without what only the API server reads (x-kubernetes-…). */
function subschemas(schema: TSchema): readonly (TSchema & Readonly<Record<string, unknown>>)[] {
  const { properties = {}, items, additionalProperties } = schema as Readonly<Record<string, TSchema | undefined>>;
  const parts = [...Object.values(properties as Readonly<Record<string, TSchema>>), items, additionalProperties];
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-kubernetes-')));
  return [own, ...parts.filter((part) => part !== undefined).flatMap(subschemas)];
}

describe('a value that does not conform', () => {
  const cases: readonly (readonly [keyword: string, schema: TSchema, value: unknown, said: readonly string[]])[] = [
    ['type object', Type.Object({}), 'x', ['at: expected an object, found string "x"']],
    ['type array', Type.Array(Type.String()), {}, ['at: expected a list, found an object']],
    ['type string', Type.String(), 5, ['at: expected a string, found number 5']],
    ['type integer', Type.Integer(), 1.5, ['at: expected a whole number, found number 1.5']],
    ['type number', Type.Number(), null, ['at: expected a number, found null']],
    ['type boolean', Type.Boolean(), 'yes', ['at: expected true or false, found string "yes"']],
    [
      'several types',
      Type.Unsafe({ type: ['integer', 'string'] }),
      true,
      ['at: expected a whole number or a string, found boolean true'],
    ],
    ['type null', Type.Null(), 0, ['at: expected null, found number 0']],
    ['enum', stringEnum(['a', 'b']), 'c', ['at: expected one of a, b, found string "c"']],
    [
      'pattern',
      formattedString({ pattern: '^a+$', expected: 'one or more "a"' }),
      'b',
      ['at: expected one or more "a", found string "b"'],
    ],
    [
      'pattern that is not described',
      Type.String({ pattern: '^a+$' }),
      'b',
      ['at: expected another value, found string "b"'],
    ],
    ['minLength', Type.String({ minLength: 2 }), 'a', ['at: expected at least 2 characters, found string "a"']],
    ['maxLength', Type.String({ maxLength: 2 }), 'abc', ['at: expected at most 2 characters, found string "abc"']],
    [
      'minItems',
      Type.Array(Type.Any(), { minItems: 2 }),
      [1],
      ['at: expected at least 2 items, found a list of 1 item'],
    ],
    [
      'maxItems',
      Type.Array(Type.Any(), { maxItems: 1 }),
      [1, 2],
      ['at: expected at most 1 item, found a list of 2 items'],
    ],
    ['minimum', Type.Integer({ minimum: 576 }), 575, ['at: expected at least 576, found number 575']],
    ['maximum', Type.Integer({ maximum: 9 }), 10, ['at: expected at most 9, found number 10']],
    ['another keyword', Type.Integer({ multipleOf: 5 }), 3, ['at: expected another value, found number 3']],
    [
      'two keywords',
      Type.Integer({ minimum: 3, multipleOf: 5 }),
      2,
      ['at: expected at least 3, found number 2', 'at: expected another value, found number 2'],
    ],
    [
      'two keywords of one form',
      formattedString({ minLength: 3, pattern: '^a', expected: 'at least 3 characters, the first of them "a"' }),
      'b',
      ['at: expected at least 3 characters, the first of them "a", found string "b"'],
    ],
    [
      'the form of an item of a list',
      Type.Array(formattedString({ pattern: '^a', expected: 'an "a" first' })),
      ['a', 'b'],
      ['at[1]: expected an "a" first, found string "b"'],
    ],
  ];
  for (const [keyword, schema, value, said] of cases) {
    it(`reports what was expected and found: ${keyword}`, () => {
      expect(sentences(schema, value)).to.have.members(said);
    });
  }

  it('reports each missing field', () => {
    const schema = partOf({ spec: partOf({ a: Type.String(), b: Type.String(), c: Type.Optional(Type.String()) }) });
    expect(findings(schema, { spec: {} })).to.deep.equal(
      ['spec.a', 'spec.b'].map((path) => ({ path, expected: 'a value', found: 'nothing', kind: 'shape' })),
    );
  });

  it('reports the path: lists, maps, odd keys', () => {
    const schema = partOf({ items: Type.Array(partOf({ labels: stringMap() })) });
    const labels = { a: 1, 'k8s.ovn.org/x~y': 2, 'no key': 3, '-a': 4, _b: 5, 'a-b': 6, '7': 7, '7a': 8 };
    expect(findings(schema, { items: [{ labels: {} }, { labels }] }).map(({ path }) => path)).to.have.members([
      'items[1].labels.a',
      'items[1].labels["k8s.ovn.org/x~y"]',
      'items[1].labels["no key"]',
      'items[1].labels["-a"]',
      'items[1].labels._b',
      'items[1].labels.a-b',
      'items[1].labels[7]',
      'items[1].labels["7a"]',
    ]);
  });

  it('reports the value under an unusual key', () => {
    const [finding] = findings(partOf({ map: stringMap() }), { map: { 'a/b~c': 7 } });
    expect(finding).to.deep.include({ path: 'map["a/b~c"]', found: 'number 7' });
  });

  it('has an empty path for the value itself', () => {
    expect(findings(partOf({}), 'x')).to.deep.equal([
      { path: '', expected: 'an object', found: 'string "x"', kind: 'shape' },
    ]);
  });

  it('reports every finding, also more than eight', () => {
    const said = findings(
      Type.Array(Type.String()),
      Array.from({ length: 20 }, (_, index) => index),
    );
    expect(said.map(({ path }) => path)).to.deep.equal(Array.from({ length: 20 }, (_, index) => `[${index}]`));
  });

  it('does not change the library', () => {
    const before = Settings.Get().maxErrors;
    findings(Type.String(), 5);
    expect(Settings.Get().maxErrors).to.equal(before);
  });

  it('is not modified', () => {
    const value = { spec: 7 };
    const conformance = conformanceTo(partOf({ spec: partOf({}) }))(value);
    expect(conformance.conforms).to.be.false;
    expect(conformance.value).to.equal(value);
  });

  const words: readonly (readonly [what: string, schema: TSchema, value: unknown, kinds: readonly string[]])[] = [
    ['a word that this version does not know', stringEnum(['a']), 'b', ['vocabulary']],
    ['no word at all in its place', stringEnum(['a']), 5, ['shape']],
    ['a text of the wrong form', Type.String({ pattern: '^a$' }), 'b', ['shape']],
    ['another type', Type.String(), 5, ['shape']],
  ];
  for (const [what, schema, value, kinds] of words) {
    it(`is of kind ${kinds[0]} with ${what}`, () => {
      expect(findings(partOf({ at: schema }), { at: value }).map(({ kind }) => kind)).to.deep.equal(kinds);
    });
  }
});

describe('the schema of every kind', () => {
  for (const { kind, schema } of Object.values(kinds)) {
    const forms = subschemas(schema).filter(({ pattern }) => typeof pattern === 'string');
    it(`describes the form of each string in words: ${kind}`, () => {
      for (const form of forms) {
        const [finding, ...others] = findings(form, '\n');
        expect(others).to.be.empty;
        expect(finding?.expected, JSON.stringify(form)).to.be.a('string').that.is.not.equal('another value');
        expect(form['description']).to.include(finding?.expected);
        expect(finding?.expected, 'a regular expression').not.to.match(/[\\^$]|\[.*\]|[*+]$/);
      }
    });

    it(`uses only keywords that findings have words for: ${kind}`, () => {
      const keywords = subschemas(schema).flatMap((part) => Object.keys(part));
      expect(keywords.filter((keyword) => !knownKeywords.has(keyword))).to.be.empty;
    });
  }

  it('describes a pattern at least once', () => {
    const all = Object.values(kinds).flatMap(({ schema }) => subschemas(schema));
    expect(all.filter(({ pattern }) => pattern !== undefined)).not.to.be.empty;
  });
});

describe('a value that conforms', () => {
  it('is returned with its unknown fields', () => {
    const value = { known: 'x', unknown: 5 };
    const conformance = conformanceTo(partOf({ known: Type.String() }))(value);
    expect(conformance).to.deep.equal({ conforms: true, value });
    expect(conformance.value).to.equal(value);
  });
});

describe('a value in words', () => {
  const values: readonly (readonly [value: unknown, text: string])[] = [
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'a list of 0 items'],
    [['a'], 'a list of 1 item'],
    [['a', 'b'], 'a list of 2 items'],
    [{}, 'an object'],
    [5, 'number 5'],
    [true, 'boolean true'],
    ['a "b"', 'string "a \\"b\\""'],
    ['x'.repeat(58), `string "${'x'.repeat(58)}"`],
    ['x'.repeat(59), `string "${'x'.repeat(56)}…"`],
  ];
  for (const [value, text] of values) {
    it(`is ${text}`, () => {
      expect(describeValue(value)).to.equal(text);
    });
  }

  it('is NaN for NaN, which YAML can have', () => {
    expect(describeValue(Number.NaN)).to.equal('number NaN');
  });
});

describe('a path', () => {
  const pointers: readonly (readonly [pointer: string, path: string])[] = [
    ['', ''],
    ['/spec', 'spec'],
    ['/spec/nodeConfigs/0/type', 'spec.nodeConfigs[0].type'],
    ['/0', '[0]'],
    ['/metadata/labels/a~1b~0c', 'metadata.labels["a/b~c"]'],
    ['/a~01', '["a~1"]'],
    ['/', '[""]'],
    ['/a b', '["a b"]'],
    ['/x1a/1a', 'x1a["1a"]'],
    ['/a1', 'a1'],
  ];
  for (const [pointer, path] of pointers) {
    it(`of pointer ${JSON.stringify(pointer)} is ${JSON.stringify(path)}`, () => {
      expect(pathOfPointer(pointer)).to.equal(path);
    });
  }
});
