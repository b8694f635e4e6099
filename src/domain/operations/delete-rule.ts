import { deleteRule as deleteRuleFrom } from '../node-model/rule.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Rule } from '../snapshot/node-snapshot.ts';
import type { OperationBase, OperationKind } from './operation.ts';
import { ruleCommand, ruleText } from './rule-words.ts';

/** Withdraws a rule of ours. */
export interface DeleteRule extends OperationBase {
  readonly kind: 'delete-rule';
  readonly rule: Rule;
}

export const deleteRule: OperationKind<DeleteRule> = {
  mark: '-',
  dependencies: ({ rule, networks }) => ({
    uses: [`routes in ${rule.table ?? ''}`],
    ends: networks.map((name) => `mapped ${name}`),
  }),
  obstacle: ({ rule }, { ledger }) =>
    isOurs({ kind: 'rule', rule }, ledger) ? undefined : `${ruleText(rule)} is not ours`,
  effect: ({ rule }, node) => deleteRuleFrom(node, rule),
  inverse: ({ networks, rule }) => [{ kind: 'add-rule', networks, rule }],
  disruption: () => 'none',
  command: ({ rule }) => ruleCommand('delete', rule),
  summary: ({ rule }) => ruleText(rule),
};
