import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
import { violatedRulesOf } from '../../../../src/adapters/manifests/cel-rules.ts';
import { schemaNodeOf } from '../../../../src/adapters/manifests/schema-node.ts';
import { partOf, stringMap } from '../../../../src/domain/api/schema.ts';

/** Where a rule in a schema is broken and what is said about it. */
function violations(schema: TSchema, value: unknown, oldValue?: unknown): readonly string[] {
  const violated = violatedRulesOf(schemaNodeOf(schema));
  return violated({ value, oldValue, isMisshapen: () => false }).map(({ path, message }) => `${path}: ${message}`);
}

function withRule(schema: TSchema, rule: string): TSchema {
  return { ...schema, 'x-kubernetes-validations': [{ rule, message: 'broken' }] };
}

const anything = partOf({
  count: Type.Optional(Type.Integer()),
  ratio: Type.Optional(Type.Number()),
  name: Type.Optional(Type.String()),
  list: Type.Optional(Type.Array(partOf({ size: Type.Optional(Type.Integer()) }))),
  labels: Type.Optional(stringMap()),
});

describe('a CEL rule sees a value as it does in Kubernetes', () => {
  for (const [rule, value] of [
    ['type(self.count) == int && self.count / 2 == 1', { count: 3 }],
    ['type(self.ratio) == double && self.ratio / 2.0 == 1.5', { ratio: 3 }],
    ['self.list.all(item, type(item.size) == int)', { list: [{ size: 1 }, { size: 2 }] }],
    ['has(self.count) && !has(self.name)', { count: 1 }],
    ['!has(self.unknown)', { unknown: 1 }],
    ['size(self.name) == 2 && size(bytes(self.name)) == 6', { name: 'é😀' }],
    ['self.list.exists(item, has(item.size) && item.size == 2)', { list: [{}, { size: 2 }] }],
    // An error for one item is forgotten where another decides (CEL, exists).
    ['self.list.exists(item, item.size == 2)', { list: [{}, { size: 2 }] }],
    ["self.labels['rack'] == 'a' && 'rack' in self.labels", { labels: { rack: 'a' } }],
    ["self.labels.all(key, key.startsWith('r'))", { labels: { rack: 'a' } }],
  ] as const) {
    it(`${rule} is kept by ${JSON.stringify(value)}`, () => {
      expect(violations(withRule(anything, rule), value)).to.deep.equal([]);
    });
  }

  for (const [rule, value, message] of [
    ['self.count > 3', { count: 3 }, 'broken'],
    ['self.name', { name: 'not a verdict' }, 'broken'],
    ['self.count > 3', {}, 'broken (the rule cannot be evaluated: No such key: count)'],
    ['self.unknown == 1', { unknown: 1 }, 'broken (the rule cannot be evaluated: No such key: unknown)'],
    [
      'self.list.exists(item, item.size == 2)',
      { list: [{}] },
      'broken (the rule cannot be evaluated: No such key: size)',
    ],
    ["self.count > 'x'", { count: 1 }, 'broken (the rule cannot be evaluated: no such overload: dyn<int> > string)'],
    ['self.count >', { count: 1 }, 'broken (the rule cannot be evaluated: Unexpected token: EOF)'],
    ['other == 1', {}, 'broken (the rule cannot be evaluated: Unknown variable: other)'],
  ] as const) {
    it(`${rule} is broken by ${JSON.stringify(value)}`, () => {
      expect(violations(withRule(anything, rule), value)).to.deep.equal([`: ${message}`]);
    });
  }
});

describe('CEL rules stand anywhere in a schema', () => {
  const short = withRule(Type.String(), 'size(self) < 3');

  for (const { name, schema, value, found } of [
    { name: 'on the value itself', schema: short, value: 'long', found: [': broken'] },
    {
      name: 'on a field',
      schema: partOf({ a: partOf({ b: short }) }),
      value: { a: { b: 'long' } },
      found: ['a.b: broken'],
    },
    {
      name: 'on items',
      schema: Type.Array(short),
      value: ['long', 'ok', 'longer'],
      found: ['[0]: broken', '[2]: broken'],
    },
    {
      name: 'on the values of a map',
      schema: Type.Unsafe({ type: 'object', additionalProperties: short }),
      value: { 'a/b': 'long', c: 'ok' },
      found: ['["a/b"]: broken'],
    },
    { name: 'on a field that is not there', schema: partOf({ a: Type.Optional(short) }), value: {}, found: [] },
    { name: 'on a field that the schema does not name', schema: partOf({ a: short }), value: { b: 'long' }, found: [] },
  ]) {
    it(name, () => {
      expect(violations(schema, value)).to.deep.equal(found);
    });
  }

  it('and are not evaluated where the value breaks its schema', () => {
    const violated = violatedRulesOf(schemaNodeOf(partOf({ a: short, b: short })));
    const subject = { value: { a: 'long', b: 'long' }, isMisshapen: (path: string) => path === 'a' };
    expect(violated(subject).map(({ path }) => path)).to.deep.equal(['b']);
  });
});

describe('a CEL rule on a transition', () => {
  const fixed = withRule(Type.String(), 'self == oldSelf');
  const schema = partOf({ a: Type.Optional(fixed), list: Type.Optional(Type.Array(fixed)) });

  for (const { name, value, oldValue, found } of [
    { name: 'says nothing about a new object', value: { a: 'x' }, oldValue: undefined, found: [] },
    { name: 'is kept by what stays', value: { a: 'x' }, oldValue: { a: 'x' }, found: [] },
    { name: 'is broken by what changes', value: { a: 'x' }, oldValue: { a: 'y' }, found: ['a: broken'] },
    { name: 'says nothing about a field that is added', value: { a: 'x' }, oldValue: {}, found: [] },
    { name: 'says nothing about a field that is removed', value: {}, oldValue: { a: 'x' }, found: [] },
    { name: 'says nothing about items', value: { list: ['x'] }, oldValue: { list: ['y'] }, found: [] },
  ]) {
    it(name, () => {
      expect(violations(schema, value, oldValue)).to.deep.equal(found);
    });
  }
});
