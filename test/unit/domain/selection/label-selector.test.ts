import { expect } from 'chai';
import fc from 'fast-check';
import {
  isLabelValue,
  type Labels,
  type SelectorProblem,
  selects,
  understandSelector,
} from '../../../../src/domain/selection/label-selector.ts';
import { chooser, shuffle } from '../../../../src/testing/index.ts';
import { Coverage } from '../../../coverage.ts';

type Selector = Parameters<typeof understandSelector>[0];
type Expression = NonNullable<NonNullable<Selector>['matchExpressions']>[number];

const expressions = (...matchExpressions: readonly Expression[]): Selector => ({ matchExpressions });
const isSelected = (selector: Selector, labels: Labels | undefined) => selects(understandSelector(selector), labels);

function problemOf(selector: Selector): SelectorProblem | undefined {
  const understood = understandSelector(selector);
  return understood.understood ? undefined : understood.problem;
}

describe('a label selector', () => {
  const operators: readonly (readonly [
    operator: string,
    values: readonly string[] | undefined,
    equal: boolean,
    other: boolean,
    absent: boolean,
  ])[] = [
    ['In', ['a'], true, false, false],
    ['In', ['a', 'c'], true, false, false],
    ['In', ['c', 'b'], false, true, false],
    ['NotIn', ['a'], false, true, true],
    ['NotIn', ['c', 'a'], false, true, true],
    ['Exists', undefined, true, true, false],
    ['Exists', [], true, true, false],
    ['DoesNotExist', undefined, false, false, true],
    ['DoesNotExist', [], false, false, true],
  ];
  for (const [operator, values, equal, other, absent] of operators) {
    it(`with ${operator} and ${values === undefined ? 'no values' : `values [${values.join(', ')}]`} matches label a: ${equal}, label b: ${other}, no label: ${absent}`, () => {
      const selector = expressions({ key: 'rack', operator, ...(values && { values }) });
      expect(isSelected(selector, { rack: 'a' })).to.equal(equal);
      expect(isSelected(selector, { rack: 'b' })).to.equal(other);
      expect(isSelected(selector, { zone: 'a' })).to.equal(absent);
      expect(isSelected(selector, undefined)).to.equal(absent);
    });
  }

  it('that is absent or empty matches everything', () => {
    for (const selector of [undefined, {}, { matchLabels: {}, matchExpressions: [] }]) {
      expect(isSelected(selector, undefined)).to.be.true;
      expect(isSelected(selector, { rack: 'a' })).to.be.true;
    }
  });

  it('requires every label and every expression', () => {
    const selector: Selector = {
      matchLabels: { rack: 'a', zone: '' },
      matchExpressions: [{ key: 'old', operator: 'DoesNotExist' }],
    };
    expect(isSelected(selector, { rack: 'a', zone: '' })).to.be.true;
    expect(isSelected(selector, { rack: 'a' })).to.be.false;
    expect(isSelected(selector, { rack: 'b', zone: '' })).to.be.false;
    expect(isSelected(selector, { rack: 'a', zone: '', old: 'x' })).to.be.false;
  });

  it('does not match properties that every JavaScript object has', () => {
    expect(isSelected(expressions({ key: 'constructor', operator: 'Exists' }), {})).to.be.false;
    expect(isSelected(expressions({ key: 'toString', operator: 'DoesNotExist' }), {})).to.be.true;
  });

  const long = (length: number) => 'x'.repeat(length);
  const keys: readonly (readonly [key: string, valid: boolean])[] = [
    ['rack', true],
    ['a', true],
    ['A_b.c-9', true],
    [long(63), true],
    [long(64), false],
    ['', false],
    ['-rack', false],
    ['rack-', false],
    ['_rack', false],
    ['ra ck', false],
    ['rack\n', false],
    ['räck', false],
    ['example.org/rack', true],
    ['e/Rack', true],
    ['a-b.c0/rack', true],
    ['Example.org/rack', false],
    ['example..org/rack', false],
    ['example.org./rack', false],
    ['.org/rack', false],
    ['-example.org/rack', false],
    ['example-.org/rack', false],
    ['example.-org/rack', false],
    ['example.org-/rack', false],
    ['exa_mple/rack', false],
    ['/rack', false],
    ['example.org/', false],
    ['example.org/a/b', false],
    [`${long(253)}/rack`, true],
    [`${long(254)}/rack`, false],
    [`example.org/${long(63)}`, true],
    [`example.org/${long(64)}`, false],
  ];
  for (const [key, valid] of keys) {
    it(`${valid ? 'understands' : 'does not understand'} key ${JSON.stringify(key.replace(/x{60,}/, (xs) => `x×${xs.length}`))}`, () => {
      const problem = valid ? undefined : { kind: 'key-invalid', key, detail: 'In' };
      expect(problemOf({ matchLabels: { [key]: 'a' } })).to.deep.equal(problem);
      expect(problemOf(expressions({ key, operator: 'In', values: ['a'] }))).to.deep.equal(problem);
    });
  }

  const values: readonly (readonly [value: string, valid: boolean])[] = [
    ['', true],
    ['a', true],
    ['A_b.c-9', true],
    [long(63), true],
    [long(64), false],
    ['-a', false],
    ['a.', false],
    ['a b', false],
    ['a/b', false],
    ['a\n', false],
  ];
  for (const [value, valid] of values) {
    it(`${valid ? 'understands' : 'does not understand'} value ${JSON.stringify(value.replace(/x{60,}/, (xs) => `x×${xs.length}`))}`, () => {
      const problem = valid ? undefined : { kind: 'value-invalid', key: 'rack', detail: value };
      expect(isLabelValue(value)).to.equal(valid);
      expect(problemOf({ matchLabels: { rack: value } })).to.deep.equal(problem);
      for (const operator of ['In', 'NotIn']) {
        expect(problemOf(expressions({ key: 'rack', operator, values: ['ok', value] }))).to.deep.equal(problem);
      }
    });
  }

  const problems: readonly (readonly [expression: Expression, kind: SelectorProblem['kind']])[] = [
    [{ key: 'rack', operator: 'Near', values: ['a'] }, 'operator-unknown'],
    [{ key: 'rack', operator: 'in', values: ['a'] }, 'operator-unknown'],
    [{ key: 'rack', operator: '' }, 'operator-unknown'],
    [{ key: 'rack', operator: 'In' }, 'values-missing'],
    [{ key: 'rack', operator: 'In', values: [] }, 'values-missing'],
    [{ key: 'rack', operator: 'NotIn' }, 'values-missing'],
    [{ key: 'rack', operator: 'Exists', values: ['a'] }, 'values-not-allowed'],
    [{ key: 'rack', operator: 'DoesNotExist', values: ['a'] }, 'values-not-allowed'],
  ];
  for (const [expression, kind] of problems) {
    it(`with ${JSON.stringify(expression)} is not understood and matches nothing: ${kind}`, () => {
      expect(problemOf(expressions(expression))).to.deep.equal({ kind, key: 'rack', detail: expression.operator });
      expect(isSelected(expressions(expression), { rack: 'a' })).to.be.false;
      expect(isSelected(expressions(expression), undefined)).to.be.false;
    });
  }

  it('with one expression that is not understood matches nothing, whatever the others are', () => {
    const selector: Selector = {
      matchLabels: { rack: 'a' },
      matchExpressions: [{ key: 'rack', operator: 'Near' }],
    };
    expect(isSelected(selector, { rack: 'a' })).to.be.false;
  });

  it('has the first problem by kind, then key, then detail', () => {
    const broken = expressions(
      { key: 'b', operator: 'Near' },
      { key: 'a', operator: 'Near' },
      { key: 'a', operator: 'Far' },
      { key: 'no key', operator: 'Exists' },
    );
    expect(problemOf(broken)).to.deep.equal({ kind: 'key-invalid', key: 'no key', detail: 'Exists' });
    expect(
      problemOf(
        expressions({ key: 'b', operator: 'Far' }, { key: 'a', operator: 'Near' }, { key: 'a', operator: 'Far' }),
      ),
    ).to.deep.equal({ kind: 'operator-unknown', key: 'a', detail: 'Far' });
  });

  const words = fc.constantFrom('a', 'b', 'no key', 'In', 'NotIn', 'Exists', 'DoesNotExist', '');
  const anySelectors = fc.record({
    matchLabels: fc.dictionary(words, words, { maxKeys: 3 }),
    matchExpressions: fc.array(fc.record({ key: words, operator: words, values: fc.array(words, { maxLength: 2 }) }), {
      maxLength: 4,
    }),
  });
  const labelWords = fc.constantFrom('a', 'b', 'In');
  const understoodExpressions = fc.oneof(
    fc.record({
      key: labelWords,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.array(labelWords, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ key: labelWords, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  );
  const understoodSelectors = fc.record({
    matchLabels: fc.dictionary(labelWords, labelWords, { maxKeys: 3 }),
    matchExpressions: fc.array(understoodExpressions, { maxLength: 4 }),
  });
  // Of any selectors only one in seven is understood.
  const selectors = fc.oneof(anySelectors, understoodSelectors);

  it('means the same in any order of its labels, expressions and values', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(selectors, fc.nat(), fc.dictionary(words, words), (selector, seed, labels) => {
        const other = shuffle(selector, chooser(seed));
        const [left, right] = [understandSelector(selector), understandSelector(other)];
        expect(right.understood).to.equal(left.understood);
        expect(selects(right, labels)).to.equal(selects(left, labels));
        if (!left.understood) expect(right).to.deep.equal(left);
        coverage.count({ understood: left.understood, problem: !left.understood });
      }),
    );
    coverage.expect({ understood: 0.1, problem: 0.1 });
  });

  it('has the same problem of two with equal text when kind, key and detail are joined', () => {
    const [left, right] = [
      { key: '! x', operator: 'y' },
      { key: '!', operator: 'x y' },
    ];
    expect(problemOf(expressions(left, right))).to.deep.equal(problemOf(expressions(right, left)));
  });

  it('matches with NotIn exactly what it does not match with In', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
        fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
        (chosen, label) => {
          const labels: Labels = label === undefined ? {} : { rack: label };
          const [isIn, notIn] = ['In', 'NotIn'].map((operator) =>
            isSelected(expressions({ key: 'rack', operator, values: chosen }), labels),
          );
          expect(notIn).to.equal(!isIn);
        },
      ),
    );
  });
});
