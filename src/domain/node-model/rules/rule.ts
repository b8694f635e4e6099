import type { NodeSnapshot, Rule } from '../../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from '../change.ts';
import { selectedText } from './rule-match.ts';

/** Parts of a rule that the kernel compares only if the new rule has them (net/ipv4/fib_rules.c, fib4_rule_compare; fib6_rule_compare). */
const SELECTORS_BY_CHOICE = ['src', 'srclen', 'dst', 'dstlen', 'tos'];

/** All bits of a mark, which is the mask where none was given. */
const WHOLE_MASK = 0xffff_ffff;

/** Adds a rule: `ip rule add`. */
export function addRule(node: NodeSnapshot, rule: Rule): Change {
  if (node.rules.some((other) => isSame(other, rule))) return refusedAsExisting(ruleKeyText(rule));
  return done({ ...node, rules: [...node.rules, withoutWholeMask(rule)] });
}

/**
 * Removes a rule: `ip rule delete`, with all its attributes. The kernel removes the first rule that has all of them
 * (net/core/fib_rules.c, rule_find).
 */
export function deleteRule(node: NodeSnapshot, rule: Rule): Change {
  const gone = node.rules.find((other) => isDeleted(other, rule));
  if (gone === undefined) return refused('No such file or directory', ruleKeyText(rule));
  return done({ ...node, rules: node.rules.filter((other) => other !== gone) });
}

/** The rules after a device was added or removed: those for it are detached while a device of theirs is missing (net/core/fib_rules.c, fib_rules_event). */
export function rulesAfterDevice(
  { links, rules }: Pick<NodeSnapshot, 'links' | 'rules'>,
  device: string,
): readonly Rule[] {
  const isThere = (name: string) => links.some((link) => link.name === name || link.alternativeNames?.includes(name));
  return rules.map((rule) => {
    const names = [rule.others['iif'], rule.others['oif']].flatMap((name) => selectedText(name) ?? []);
    if (!names.includes(device)) return rule;
    const { detached: _, ...attached } = rule;
    return names.every(isThere) ? attached : { ...attached, detached: true };
  });
}

/** Whether the kernel considers two rules the same (net/core/fib_rules.c, rule_exists). Their protocol counts as well. */
function isSame(other: Rule, rule: Rule): boolean {
  if (!hasKey(other, rule) || other.protocol !== rule.protocol) return false;
  if (other.table !== rule.table || (other.mark ?? 0) !== (rule.mark ?? 0) || maskOf(other) !== maskOf(rule))
    return false;
  const names = new Set([...Object.keys(other.others), ...Object.keys(rule.others)]);
  return [...names].every(
    (name) =>
      other.others[name] === rule.others[name] ||
      (SELECTORS_BY_CHOICE.includes(name) && !Object.hasOwn(rule.others, name)),
  );
}

/** Whether a rule has every given attribute. */
function isDeleted(other: Rule, rule: Rule): boolean {
  if (!hasKey(other, rule) || (rule.protocol !== 'unspec' && other.protocol !== rule.protocol)) return false;
  if (rule.table !== undefined && other.table !== rule.table) return false;
  if (rule.mark !== undefined && rule.mark !== 0 && other.mark !== rule.mark) return false;
  if (maskOf(rule) !== 0 && maskOf(other) !== maskOf(rule)) return false;
  return Object.entries(rule.others).every(([name, value]) => other.others[name] === value);
}

function hasKey(other: Rule, { family, priority }: Rule): boolean {
  return other.family === family && other.priority === priority;
}

/** The mask that counts: all bits of a mark without one, none without a mark. */
function maskOf({ mark, markMask }: Rule): number {
  return markMask ?? (mark === undefined || mark === 0 ? 0 : WHOLE_MASK);
}

/** ip does not print a mask of all bits. */
function withoutWholeMask({ markMask, ...rule }: Rule): Rule {
  return { ...rule, ...(markMask !== undefined && markMask !== WHOLE_MASK && { markMask }) };
}

function ruleKeyText({ family, priority }: Rule): string {
  return `IPv${family} rule ${priority}`;
}
