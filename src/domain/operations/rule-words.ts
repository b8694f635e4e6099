/**
 * A rule of ours in the words of ip-rule(8): the packets of a network, by their mark, look up its table.
 */
import type { Rule } from '../snapshot/node-snapshot.ts';
import type { Command } from './operation.ts';

function markWord({ mark = 0, markMask }: Rule): string {
  const hexadecimal = `0x${mark.toString(16)}`;
  return markMask === undefined ? hexadecimal : `${hexadecimal}/0x${markMask.toString(16)}`;
}

/** `ip rule add` or `delete`. */
export function ruleCommand(verb: 'add' | 'delete', rule: Rule): Command {
  return {
    program: 'ip',
    arguments: [
      `-${rule.family}`,
      'rule',
      verb,
      'priority',
      `${rule.priority}`,
      'fwmark',
      markWord(rule),
      'lookup',
      `${rule.table ?? ''}`,
      'protocol',
      rule.protocol,
    ],
  };
}

/** The rule for a person. */
export function ruleText(rule: Rule): string {
  return `IPv${rule.family} rule ${rule.priority}: mark ${markWord(rule)} looks up table ${rule.table ?? 'none'}`;
}

/** A text that is the same for two rules exactly if the kernel takes them for the same one. */
export function ruleKey({ family, priority, table, mark, markMask, others }: Rule): string {
  return [family, priority, table ?? '', mark ?? '', markMask ?? '', JSON.stringify(others)].join(' ');
}
