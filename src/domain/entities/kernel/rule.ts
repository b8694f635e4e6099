import { OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';
import { addRule, deleteRule } from '../../node-model/rules/rule.ts';
import { selectedText } from '../../node-model/rules/rule-match.ts';
import { isVrfRule } from '../../node-model/vrf.ts';
import type { Rule } from '../../snapshot/node-snapshot.ts';
import { type Command, ip, option } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency, type DependencyKey } from '../dependencies.ts';
import type { EntityKind } from '../entity-kind.ts';
import { conflictSentence, without } from '../parts.ts';
import { markWord, tableWord } from './rule-command.ts';

/**
 * A rule. Managed ones have packets with the mark of a network look up its table, and where it leaves by the node, packets from its address on the node the main
 * one, and those to this address its own.
 */
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

/** The address of a network on the node that a managed rule is about; undefined for those about marks. */
export function addressInRule({ others: { src, dst } }: Pick<Rule, 'others'>): string | undefined {
  return selectedText(src ?? dst);
}

/** The packets that a managed rule is about, in the words of ip-rule(8). */
function matchWords({ others: { src, dst }, ...rule }: Rule): readonly string[] {
  return src === undefined && dst === undefined
    ? ['fwmark', markWord(rule)]
    : [...option('from', selectedText(src)), ...option('to', selectedText(dst))];
}

/** The key of something, if a rule is about packets of networks that leave by the node. */
function ofEgress(rule: Rule, kind: 'filter' | 'former-filter'): readonly DependencyKey[] {
  return addressInRule(rule) === undefined ? [] : [dependency(kind, '')];
}

function ruleCommand(verb: 'add' | 'delete', { rule }: RuleEntity): Command {
  const { family, priority, table = '', protocol } = rule;
  return ip(
    [`-${family}`, 'rule', verb, 'priority', `${priority}`, ...matchWords(rule)],
    ['lookup', `${table}`, 'protocol', protocol],
  );
}

/** A rule, for people. */
export function ruleText(rule: Rule): string {
  const what = matchWords(rule).join(' ').replace('fwmark', 'mark');
  return `IPv${rule.family} rule ${rule.priority}: ${what} looks up table ${tableWord(rule.table ?? 'none')}`;
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
  anchor: ({ rule }) => {
    const address = addressInRule(rule);
    return address === undefined ? { table: rule.table, part: 'uplink' } : { networkAddress: address };
  },
  port: 'hostNetwork',
  capturedIn: ({ rule: { family } }) => [family === 4 ? capturedFiles.rules4 : capturedFiles.rules6],
  text: ({ rule }) => ruleText(rule),
  add: {
    name: 'add-rule',
    mark: '+',
    dependencies: ({ rule }, networks) => ({
      makes: dependencies('network', networks),
      needs: [dependency('table', rule.table ?? ''), ...ofEgress(rule, 'filter')],
    }),
    effect: ({ rule }, node) => addRule(node, rule),
    command: (entity) => ruleCommand('add', entity),
  },
  remove: {
    name: 'delete-rule',
    mark: '-',
    dependencies: ({ rule }, networks) => ({
      uses: [dependency('table', rule.table ?? ''), ...ofEgress(rule, 'former-filter')],
      ends: dependencies('traffic', networks),
    }),
    refusal: ({ rule }) => (isOwnRule(rule) ? undefined : `${ruleText(rule)} is not managed by ovn-uplinks`),
    effect: ({ rule }, node) => deleteRule(node, rule),
    command: (entity) => ruleCommand('delete', entity),
  },
};
