import { expect } from 'chai';
import type { Rule } from '../../../../src/domain/index.ts';
import { rule as kind, ruleEntity } from '../../../../src/domain/entities/kernel/rule.ts';

describe('a rule', () => {
  const rule: Rule = { family: 4, priority: 2000, table: 1012, protocol: '94', mark: 0x1007, others: {} };
  const others: readonly (readonly [what: string, rule: Partial<Rule>, same: boolean])[] = [
    ['is the very same', {}, true],
    ['looks up another table', { table: 254 }, true],
    ['is of another protocol', { protocol: 'static' }, true],
    ['says that all bits of the mark count', { markMask: 0xffffffff }, true],
    ['is of the other family', { family: 6 }, false],
    ['has another priority', { priority: 2001 }, false],
    ['has another mark', { mark: 0x1008 }, false],
    ['has only some bits of the mark count', { markMask: 0xffff }, false],
    ['demands something more', { others: { iif: '"br-blue"' } }, false],
  ];
  for (const [what, other, same] of others) {
    it(`matches ${same ? 'the same' : 'other'} packets where it ${what}`, () => {
      const place = kind.place!(ruleEntity({ ...rule, ...other }));
      expect(place === kind.place!(ruleEntity(rule))).to.equal(same);
    });
  }
});
