import { pathOfPointer } from '../../domain/api/conformance.ts';
import { type CelScope, type CompiledRule, compileRule } from './cel-rule.ts';
import { celValueOf } from './cel-value.ts';
import type { ObjectFinding } from './object-finding.ts';
import type { SchemaNode } from './schema-node.ts';
import { placesWhere, type SchemaPlace } from './schema-places.ts';

/** What of a value is judged by its rules. */
export interface RuleSubject {
  readonly value: unknown;
  /** The object before an update; absent for one that is new, to which rules on a transition do not apply. */
  readonly oldValue?: unknown;
  /** Whether the part at a path breaks its schema: rules are written for parts that conform, so they are not evaluated on it. */
  readonly isMisshapen: (path: string) => boolean;
}

/**
 * Prepares the CEL rules of a schema (x-kubernetes-validations), wherever in it they stand, as the API server evaluates them
 * (Kubernetes, "Validation rules").
 *
 * @returns a function that gives every violated rule.
 */
export function violatedRulesOf(root: SchemaNode): (subject: RuleSubject) => readonly ObjectFinding[] {
  const rulesAt = compiledOnce();
  const places = placesWhere(root, ({ rules }) => rules.length > 0);
  return ({ value, oldValue, isMisshapen }) => {
    const findings: ObjectFinding[] = [];
    for (const place of places(value, oldValue)) {
      const path = pathOfPointer(place.pointer);
      if (isMisshapen(path)) continue;
      const scope = scopeAt(place);
      for (const rule of rulesAt(place.node)) {
        if (rule.isTransition && place.oldValue === undefined) continue;
        const message = rule.violation(scope);
        if (message !== undefined) findings.push({ path, message, severity: 'odd' });
      }
    }
    return findings;
  };
}

function compiledOnce(): (node: SchemaNode) => readonly CompiledRule[] {
  const compiled = new Map<SchemaNode, readonly CompiledRule[]>();
  return (node) => {
    const rules = compiled.get(node) ?? node.rules.map(compileRule);
    compiled.set(node, rules);
    return rules;
  };
}

function scopeAt({ node, value, oldValue }: SchemaPlace): CelScope {
  const self = celValueOf(node, value);
  return oldValue === undefined ? { self } : { self, oldSelf: celValueOf(node, oldValue) };
}
