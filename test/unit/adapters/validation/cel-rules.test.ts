import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { violatedRulesOf } from '../../../../src/adapters/validation/cel-rules.ts';
import { schemaNodeOf } from '../../../../src/adapters/validation/schema-node.ts';
import { partOf, stringMap } from '../../../../src/domain/api/schema.ts';

/** The violated rules of a schema, as `PATH: MESSAGE`. */
function violations(schema: TSchema, value: unknown, oldValue?: unknown): readonly string[] {
  const violated = violatedRulesOf(schemaNodeOf(schema));
  return violated({ value, oldValue, violatesSchema: () => false }).map(({ path, message }) => `${path}: ${message}`);
}

function withRule(schema: TSchema, rule: string): TSchema {
  return { ...schema, 'x-kubernetes-validations': [{ rule, message: 'violated' }] };
}

const anything = partOf({
  count: Type.Optional(Type.Integer()),
  ratio: Type.Optional(Type.Number()),
  name: Type.Optional(Type.String()),
  list: Type.Optional(Type.Array(partOf({ size: Type.Optional(Type.Integer()) }))),
  labels: Type.Optional(stringMap()),
});

describe('a CEL rule is evaluated as in Kubernetes:', () => {
  for (const [rule, value] of [
    ['type(self.count) == int && self.count / 2 == 1', { count: 3 }],
    ['type(self.ratio) == double && self.ratio / 2.0 == 1.5', { ratio: 3 }],
    ['self.list.all(item, type(item.size) == int)', { list: [{ size: 1 }, { size: 2 }] }],
    ['has(self.count) && !has(self.name)', { count: 1 }],
    ['!has(self.unknown)', { unknown: 1 }],
    ['size(self.name) == 2 && size(bytes(self.name)) == 6', { name: 'é😀' }],
    ['self.list.exists(item, has(item.size) && item.size == 2)', { list: [{}, { size: 2 }] }],
    // An error for one item is ignored if another item decides the result (CEL, exists).
    ['self.list.exists(item, item.size == 2)', { list: [{}, { size: 2 }] }],
    ["self.labels['rack'] == 'a' && 'rack' in self.labels", { labels: { rack: 'a' } }],
    ["self.labels.all(key, key.startsWith('r'))", { labels: { rack: 'a' } }],
  ] as const) {
    it(`${JSON.stringify(value)} satisfies ${rule}`, () => {
      expect(violations(withRule(anything, rule), value)).to.deep.equal([]);
    });
  }

  for (const [rule, value, message] of [
    ['self.count > 3', { count: 3 }, 'violated'],
    ['self.name', { name: 'not a boolean' }, 'violated'],
    ['self.count > 3', {}, 'violated (the rule cannot be evaluated: No such key: count)'],
    ['self.unknown == 1', { unknown: 1 }, 'violated (the rule cannot be evaluated: No such key: unknown)'],
    [
      'self.list.exists(item, item.size == 2)',
      { list: [{}] },
      'violated (the rule cannot be evaluated: No such key: size)',
    ],
    ["self.count > 'x'", { count: 1 }, 'violated (the rule cannot be evaluated: no such overload: dyn<int> > string)'],
    ['self.count >', { count: 1 }, 'violated (the rule cannot be evaluated: Unexpected token: EOF)'],
    ['other == 1', {}, 'violated (the rule cannot be evaluated: Unknown variable: other)'],
  ] as const) {
    it(`${JSON.stringify(value)} violates ${rule}`, () => {
      expect(violations(withRule(anything, rule), value)).to.deep.equal([`: ${message}`]);
    });
  }
});

describe('CEL rules are evaluated', () => {
  const short = withRule(Type.String(), 'size(self) < 3');

  for (const { name, schema, value, found } of [
    { name: 'on the value itself', schema: short, value: 'long', found: [': violated'] },
    {
      name: 'on a field',
      schema: partOf({ a: partOf({ b: short }) }),
      value: { a: { b: 'long' } },
      found: ['a.b: violated'],
    },
    {
      name: 'on items',
      schema: Type.Array(short),
      value: ['long', 'ok', 'longer'],
      found: ['[0]: violated', '[2]: violated'],
    },
    {
      name: 'on the values of a map',
      schema: Type.Unsafe({ type: 'object', additionalProperties: short }),
      value: { 'a/b': 'long', c: 'ok' },
      found: ['["a/b"]: violated'],
    },
    { name: 'not on an absent field', schema: partOf({ a: Type.Optional(short) }), value: {}, found: [] },
    {
      name: 'not on a field that is unknown to the schema',
      schema: partOf({ a: short }),
      value: { b: 'long' },
      found: [],
    },
  ]) {
    it(name, () => {
      expect(violations(schema, value)).to.deep.equal(found);
    });
  }

  it('not on a part that violates its schema', () => {
    const violated = violatedRulesOf(schemaNodeOf(partOf({ a: short, b: short })));
    const subject = { value: { a: 'long', b: 'long' }, violatesSchema: (path: string) => path === 'a' };
    expect(violated(subject).map(({ path }) => path)).to.deep.equal(['b']);
  });
});

describe('a transition rule', () => {
  const fixed = withRule(Type.String(), 'self == oldSelf');
  const schema = partOf({ a: Type.Optional(fixed), list: Type.Optional(Type.Array(fixed)) });

  for (const { name, value, oldValue, found } of [
    { name: 'does not apply to a new object', value: { a: 'x' }, oldValue: undefined, found: [] },
    { name: 'accepts an unchanged field', value: { a: 'x' }, oldValue: { a: 'x' }, found: [] },
    { name: 'rejects a changed field', value: { a: 'x' }, oldValue: { a: 'y' }, found: ['a: violated'] },
    { name: 'does not apply to an added field', value: { a: 'x' }, oldValue: {}, found: [] },
    { name: 'does not apply to a removed field', value: {}, oldValue: { a: 'x' }, found: [] },
    { name: 'does not apply to items of a list', value: { list: ['x'] }, oldValue: { list: ['y'] }, found: [] },
  ]) {
    it(name, () => {
      expect(violations(schema, value, oldValue)).to.deep.equal(found);
    });
  }
});
