/**
 * Label selectors as Kubernetes understands them (Kubernetes, "Labels and Selectors"; apimachinery, LabelSelectorAsSelector).
 *
 * A schema does not constrain operators, keys and values, so an object may have a selector that cannot be evaluated.
 * That is a result, never an exception.
 */
import type { LabelSelector } from '../api/label-selector.ts';
import { by, least } from '../basics/names/ordering.ts';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** One requirement of a selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** A selector that was understood, or why it was not. */
export type UnderstoodSelector =
  | { readonly understood: true; readonly requirements: readonly Requirement[] }
  | { readonly understood: false; readonly problem: SelectorProblem };

/** Why a selector cannot be evaluated. */
export interface SelectorProblem {
  readonly kind: 'operator-unknown' | 'values-missing' | 'values-not-allowed' | 'key-invalid' | 'value-invalid';
  readonly key: string;
  /** The operator, or the value that is not a label value. */
  readonly detail: string;
}

const labelName = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Whether a text is a label's value (Kubernetes, IsValidLabelValue). */
export function isLabelValue(value: string): boolean {
  return value === '' || labelName.test(value);
}

function isLabelKey(key: string): boolean {
  const parts = key.split('/');
  if (parts.length > 2) return false;
  const [prefix, name] = parts.length === 2 ? parts : [undefined, parts[0]];
  if (prefix !== undefined && (prefix.length > 253 || !dnsSubdomain.test(prefix))) return false;
  return labelName.test(name ?? '');
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function understandExpression({ key, operator, values = [] }: Expression): Requirement | SelectorProblem {
  if (!isLabelKey(key)) return { kind: 'key-invalid', key, detail: operator };
  switch (operator) {
    case 'In':
    case 'NotIn': {
      if (values.length === 0) return { kind: 'values-missing', key, detail: operator };
      const invalid = values.find((value) => !isLabelValue(value));
      return invalid === undefined ? { key, operator, values } : { kind: 'value-invalid', key, detail: invalid };
    }
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? { key, operator, values } : { kind: 'values-not-allowed', key, detail: operator };
    default:
      return { kind: 'operator-unknown', key, detail: operator };
  }
}

/** Interprets a selector. An absent or empty one selects everything. */
export function understandSelector(selector: LabelSelector | undefined): UnderstoodSelector {
  const labels: readonly Expression[] = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [value],
  }));
  const outcomes = [...labels, ...(selector?.matchExpressions ?? [])].map(understandExpression);
  const problems = outcomes.filter((outcome) => 'kind' in outcome);
  // One problem is reported; which one must not depend on the order of labels or expressions.
  const problem = least(
    problems,
    by(({ kind, key, detail }) => JSON.stringify([kind, key, detail])),
  );
  if (problem !== undefined) return { understood: false, problem };
  return { understood: true, requirements: outcomes.filter((outcome) => 'operator' in outcome) };
}

/** Whether labels meet every requirement. As in Kubernetes, NotIn is met where the key is absent. */
export function meetsAll(labels: Labels, requirements: readonly Requirement[]): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
    }
  });
}

/** Whether a selector picks labels; one that is not understood picks nothing. */
export function selects(selector: UnderstoodSelector, labels: Labels | undefined): boolean {
  return selector.understood && meetsAll(labels ?? {}, selector.requirements);
}
