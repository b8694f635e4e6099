import { addRule as addRuleTo } from '../node-model/rule.ts';
import type { Rule } from '../snapshot/node-snapshot.ts';
import type { OperationBase, OperationKind } from './operation.ts';
import { ruleCommand, ruleText } from './rule-words.ts';

/** Adds a rule of ours, signed by its protocol. */
export interface AddRule extends OperationBase {
  readonly kind: 'add-rule';
  readonly rule: Rule;
}

export const addRule: OperationKind<AddRule> = {
  mark: '+',
  dependencies: ({ rule, networks }) => ({
    makes: networks.map((name) => `network ${name}`),
    needs: [`routes in ${rule.table ?? ''}`],
  }),
  effect: ({ rule }, node) => addRuleTo(node, rule),
  inverse: ({ networks, rule }) => [{ kind: 'delete-rule', networks, rule }],
  disruption: () => 'none',
  command: ({ rule }) => ruleCommand('add', rule),
  summary: ({ rule }) => ruleText(rule),
};
