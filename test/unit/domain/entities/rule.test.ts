import { expect } from 'chai';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import { rule as ruleKind, ruleEntity, ruleKey, ruleText } from '../../../../src/domain/entities/kernel/rule.ts';
import { emptyLedger, type Rule } from '../../../../src/domain/index.ts';
import { nodeWith } from './host-entities.ts';
import { ipWords } from './ip-words.ts';

const rule: Rule = { family: 6, priority: 2000, mark: 0x1007, table: 1012, protocol: '94', others: {} };

describe('a rule in the syntax of ip', () => {
  it('has priority, mark, table and protocol', () => {
    const said = 'priority 2000 fwmark 0x1007 lookup 1012 protocol 94';
    expect(ipWords('add', ruleEntity(rule), '-6', 'rule', 'add')).to.equal(said);
    expect(ipWords('remove', ruleEntity({ ...rule, family: 4 }), '-4', 'rule', 'delete')).to.equal(said);
    expect(ruleText(rule)).to.equal('IPv6 rule 2000: mark 0x1007 looks up table 1012');
  });

  it('has the mask of the mark unless it is full', () => {
    const masked = { ...rule, markMask: 0xff00 };
    expect(ipWords('add', ruleEntity(masked))).to.include('fwmark 0x1007/0xff00');
    expect(ruleText(masked)).to.equal('IPv6 rule 2000: mark 0x1007/0xff00 looks up table 1012');
  });

  it('has a text also if it is unmanaged and looks up nothing', () => {
    const { table: _table, mark: _mark, ...other } = rule;
    expect(ruleText(other)).to.equal('IPv6 rule 2000: mark 0x0 looks up table none');
  });

  it('has an identity that depends on everything but its protocol', () => {
    expect(ruleKey({ ...rule, protocol: 'boot' })).to.equal(ruleKey(rule));
    for (const other of [
      { family: 4 },
      { priority: 2001 },
      { mark: 1 },
      { markMask: 1 },
      { table: 1013 },
      { others: { iif: '"lo"' } },
    ] as readonly Partial<Rule>[]) {
      expect(ruleKey({ ...rule, ...other }), JSON.stringify(other)).not.to.equal(ruleKey(rule));
    }
  });
});

describe('a managed rule', () => {
  it('is recognised by its protocol', () => {
    const isOwn = (protocol: string) => isOurs(ruleEntity({ ...rule, protocol }), { ledger: emptyLedger });
    expect(['94', 'boot', '194'].map(isOwn)).to.deep.equal([true, false, false]);
  });
});

describe('the rules of a node', () => {
  it("are all except the kernel's own rule for VRFs, which is added with the first VRF and stays", () => {
    const ofKernel: Rule = { family: 4, priority: 1000, protocol: 'kernel', others: { l3mdev: 'null' } };
    const node = nodeWith({ rules: [rule, ofKernel, { ...ofKernel, protocol: 'static' }] });
    expect(ruleKind.all(node).map(({ rule: { protocol } }) => protocol)).to.deep.equal(['94', 'static']);
  });
});
