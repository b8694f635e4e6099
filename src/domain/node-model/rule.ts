import type { NodeSnapshot, Rule } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';

/** Adds a rule: `ip rule add`. */
export function addRule(node: NodeSnapshot, rule: Rule): Change {
  if (node.rules.some((other) => isSame(other, rule))) return refusedAsExisting(`rule ${rule.priority}: File exists`);
  return done({ ...node, rules: [...node.rules, rule] });
}

/** Removes a rule: `ip rule delete`. */
export function deleteRule(node: NodeSnapshot, rule: Rule): Change {
  const rules = node.rules.filter((other) => !isSame(other, rule));
  if (rules.length === node.rules.length) return refused(`rule ${rule.priority}: No such file or directory`);
  return done({ ...node, rules });
}

function isSame(left: Rule, right: Rule): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
