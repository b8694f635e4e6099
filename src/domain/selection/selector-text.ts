/** Label selectors as kubectl takes them (Kubernetes, "Labels and Selectors", LIST and WATCH filtering). */
import type { LabelSelector } from '../api/label-selector.ts';
import { type Requirement, type SelectorProblem, understandSelector } from './label-selector.ts';

/** A selector that was read, or the part of the text that none begins with. */
export type ParsedSelector =
  | { readonly parsed: true; readonly requirements: readonly Requirement[] }
  | {
      readonly parsed: false;
      readonly problem: SelectorProblem | { readonly kind: 'not-understood'; readonly text: string };
    };

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

const absent = /^!\s*([^\s=!(),]+)$/;
const present = /^([^\s=!(),]+)$/;
const equal = /^([^\s=!(),]+)\s*(==|=|!=)\s*([^\s=!(),]*)$/;
const within = /^([^\s=!(),]+)\s+(in|notin)\s*\(([^()]*)\)$/;

/** One requirement of a text; undefined if it is none. */
function expressionOf(text: string): Expression | undefined {
  const [, absentKey] = absent.exec(text) ?? [];
  if (absentKey !== undefined) return { key: absentKey, operator: 'DoesNotExist' };
  const [, presentKey] = present.exec(text) ?? [];
  if (presentKey !== undefined) return { key: presentKey, operator: 'Exists' };
  const [, equalKey, sign, value = ''] = equal.exec(text) ?? [];
  if (equalKey !== undefined) return { key: equalKey, operator: sign === '!=' ? 'NotIn' : 'In', values: [value] };
  const [, key, operator, values = ''] = within.exec(text) ?? [];
  if (key === undefined) return undefined;
  return {
    key,
    operator: operator === 'in' ? 'In' : 'NotIn',
    values: values.split(',').map((each) => each.trim()),
  };
}

/** The requirements of a text: it is split at commas, which are between values in parentheses. One pass, as tenants write such texts. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [begin, isInside] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(') isInside = true;
    else if (character === ')') isInside = false;
    else if (character === ',' && !isInside) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...parts, text.slice(begin)].map((part) => part.trim());
}

/** Reads a selector. An empty one is not understood: it would select everything, which is hardly meant. */
export function parseSelector(text: string): ParsedSelector {
  const matchExpressions: Expression[] = [];
  for (const part of partsOf(text)) {
    const expression = expressionOf(part);
    if (expression === undefined) return { parsed: false, problem: { kind: 'not-understood', text: part } };
    matchExpressions.push(expression);
  }
  const understood = understandSelector({ matchExpressions });
  return understood.understood
    ? { parsed: true, requirements: understood.requirements }
    : { parsed: false, problem: understood.problem };
}
