import { OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';
import { addRule, deleteRule } from '../../node-model/rules/rule.ts';
import { isVrfRule } from '../../node-model/vrf.ts';
import type { Rule } from '../../snapshot/node-snapshot.ts';
import { type Command, ip } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityKind } from '../entity-kind.ts';
import { conflictSentence, without } from '../parts.ts';

/** A rule. Managed ones have packets with the mark of a network look up its table. */
export interface RuleEntity {
  readonly kind: 'rule';
  readonly rule: Rule;
}

/** A rule as an entity. */
export function ruleEntity(rule: Rule): RuleEntity {
  return { kind: 'rule', rule };
}

/** Whether a rule is signed. */
export function isOwnRule({ protocol }: Rule): boolean {
  return protocol === OWN_ROUTE_PROTOCOL;
}

/** Equal for two rules if and only if the kernel takes them for the same one. */
export function ruleKey({ family, priority, table, mark, markMask, others }: Rule): string {
  return [family, priority, table ?? '', mark ?? '', markMask ?? '', JSON.stringify(others)].join(' ');
}

/** All bits of a packet mark. */
const ALL_BITS = 0xffffffff;

/** Equal for two rules that match the same packets at the same point. A rule with further conditions matches others. */
function matchOf({ family, priority, mark, markMask = ALL_BITS, others }: Rule): string {
  return [family, priority, mark ?? '', markMask, JSON.stringify(others)].join(' ');
}

/** The kernel adds its rule for VRFs with the first VRF and never removes it (drivers/net/vrf.c, vrf_add_fib_rules). */
function isKernelVrfRule(rule: Rule): boolean {
  return rule.protocol === 'kernel' && isVrfRule(rule);
}

/** The mark of a rule, with its mask unless all bits count. */
export function markWord({ mark = 0, markMask }: Pick<Rule, 'mark' | 'markMask'>): string {
  const hexadecimal = `0x${mark.toString(16)}`;
  return markMask === undefined ? hexadecimal : `${hexadecimal}/0x${markMask.toString(16)}`;
}

function ruleCommand(verb: 'add' | 'delete', { rule }: RuleEntity): Command {
  const { family, priority, table = '', protocol } = rule;
  return ip(
    [`-${family}`, 'rule', verb, 'priority', `${priority}`, 'fwmark', markWord(rule)],
    ['lookup', `${table}`, 'protocol', protocol],
  );
}

/** A rule, for people. */
export function ruleText(rule: Rule): string {
  return `IPv${rule.family} rule ${rule.priority}: mark ${markWord(rule)} looks up table ${rule.table ?? 'none'}`;
}

export const rule: EntityKind<RuleEntity, 'hostNetwork'> = {
  kind: 'rule',
  parts: ['rules'],
  identity: ({ rule }) => ruleKey(rule),
  place: ({ rule }) => matchOf(rule),
  satisfies: ({ rule: found }, { rule: desired }) => found.table === desired.table,
  all: ({ rules }) => rules.filter((rule) => !isKernelVrfRule(rule)).map(ruleEntity),
  put: (node, entities) => ({ ...node, rules: [...node.rules, ...entities.map(({ rule }) => rule)] }),
  take: (node, entities) => ({ ...node, rules: without(node.rules, entities, ({ rule }) => rule) }),
  comparable: ({ rule }) => rule,
  source: ({ rule }) => rule,
  isOurs: ({ rule }) => isOwnRule(rule),
  conflictText: ({ rule: found }, { rule: desired }) =>
    conflictSentence(`${ruleText(found)} of protocol ${found.protocol}`, ruleText(desired)),
  anchor: ({ rule: { table } }) => ({ table, part: 'uplink' }),
  port: 'hostNetwork',
  capturedIn: ({ rule: { family } }) => [family === 4 ? capturedFiles.rules4 : capturedFiles.rules6],
  text: ({ rule }) => ruleText(rule),
  add: {
    name: 'add-rule',
    mark: '+',
    dependencies: ({ rule: { table = '' } }, networks) => ({
      makes: dependencies('network', networks),
      needs: [dependency('table', table)],
    }),
    effect: ({ rule }, node) => addRule(node, rule),
    command: (entity) => ruleCommand('add', entity),
  },
  remove: {
    name: 'delete-rule',
    mark: '-',
    dependencies: ({ rule: { table = '' } }, networks) => ({
      uses: [dependency('table', table)],
      ends: dependencies('traffic', networks),
    }),
    refusal: ({ rule }) => (isOwnRule(rule) ? undefined : `${ruleText(rule)} is not managed by ovn-uplinks`),
    effect: ({ rule }, node) => deleteRule(node, rule),
    command: (entity) => ruleCommand('delete', entity),
  },
};
