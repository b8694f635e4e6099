import { expect } from 'chai';
import { addRule, deleteRule } from '../../../../../src/domain/node-model/rules/rule.ts';
import type { Rule } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { after, nodeOf, refusalOf } from '../words.ts';

const rule: Rule = { family: 4, priority: 1999, mark: 0x1001, table: 1001, protocol: '94', others: {} };
const { mark: _mark, ...unmarked } = rule;
const from = { src: '"10.0.0.0"', srclen: '8' };
const to = { dst: '"10.1.0.0"', dstlen: '16' };

function added(...rules: readonly Rule[]): readonly Rule[] {
  return rules.reduce((node, next) => after(addRule(node, next)), nodeOf({ rules: [] })).rules;
}

describe('a rule that is added', () => {
  it('is on the node, without a full mask', () => {
    expect(added({ ...rule, markMask: 0xffff_ffff })).to.deep.equal([rule]);
    expect(added({ ...rule, markMask: 0xff })).to.deep.equal([{ ...rule, markMask: 0xff }]);
  });

  for (const [what, other] of [
    ['another family', { ...rule, family: 6 }],
    ['another priority', { ...rule, priority: 2001 }],
    ['another table', { ...rule, table: 1002 }],
    ['another mark', { ...rule, mark: 0x1002 }],
    ['no mark', unmarked],
    ['a mask', { ...rule, markMask: 0xff }],
    ['another protocol: of whom it is counts', { ...rule, protocol: 'static' }],
    ['a device', { ...rule, others: { iif: '"lo"' } }],
    ['a source', { ...rule, others: from }],
  ] satisfies readonly (readonly [string, Rule])[]) {
    it(`may exist beside one that differs in having ${what}`, () => {
      expect(added(rule, other)).to.have.length(2);
    });
  }

  for (const [what, there, wanted] of [
    ['the same', rule, rule],
    ['the same with all bits of the mark named', rule, { ...rule, markMask: 0xffff_ffff }],
    ['one that asks for a source besides, which a rule without one is taken for', { ...rule, others: from }, rule],
    ['one that asks for more', { ...rule, others: { ...from, ...to } }, { ...rule, others: from }],
  ] satisfies readonly (readonly [string, Rule, Rule])[]) {
    it(`is refused as existing beside ${what}`, () => {
      const node = after(addRule(nodeOf({ rules: [] }), there));
      expect(addRule(node, wanted)).to.include({ done: false, exists: true });
    });
  }
});

describe('a rule that is deleted', () => {
  const all = [
    { ...rule, markMask: 0xff },
    { ...rule, protocol: 'static' },
    rule,
    { ...rule, others: from },
    { ...rule, priority: 2001 },
  ];
  const node = nodeOf({ rules: all });

  it('is the one with everything that is given', () => {
    for (const one of [0, 1, 3, 4]) {
      const left = all.filter((_, index) => index !== one);
      const named = all[one];
      if (named !== undefined) expect(after(deleteRule(node, named)).rules).to.deep.equal(left);
    }
  });

  it('is the first such one, whatever else it matches', () => {
    const other = { ...rule, others: to };
    const left = after(deleteRule(nodeOf({ rules: [other, rule] }), rule)).rules;
    expect(left).to.deep.equal([rule]);
  });

  it('may be named without mark, mask, table and protocol', () => {
    const { table: _table, ...brief } = unmarked;
    expect(after(deleteRule(node, { ...brief, protocol: 'unspec' })).rules).to.deep.equal(all.slice(1));
  });

  it('must be there', () => {
    for (const wrong of [
      { ...rule, protocol: '95' },
      { ...rule, mark: 5 },
      { ...rule, family: 6 as const },
      { ...rule, table: 5 },
    ]) {
      expect(refusalOf(deleteRule(node, wrong))).to.contain('No such file or directory');
    }
  });
});
