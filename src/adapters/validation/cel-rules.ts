import { pathOfPointer } from '../../domain/api/conformance.ts';
import { type CelScope, type CompiledRule, compileRule } from './cel-rule.ts';
import { celValueOf } from './cel-value.ts';
import type { ObjectFinding } from './object-finding.ts';
import type { SchemaNode } from './schema-node.ts';
import { placesWhere, type SchemaPlace } from './schema-places.ts';

/** A value to evaluate rules on. */
export interface RuleSubject {
  readonly value: unknown;
  /** The object before an update; absent for a new object, to which transition rules do not apply. */
  readonly oldValue?: unknown;
  /** Whether the part at a path violates its schema. Rules are written for conforming values, so they are not evaluated there. */
  readonly violatesSchema: (path: string) => boolean;
}

/**
 * Compiles the CEL rules of a schema (x-kubernetes-validations) at any depth, as the API server evaluates them (Kubernetes, "Validation
 * rules").
 *
 * @returns a function that lists the violated rules
 */
export function violatedRulesOf(root: SchemaNode): (subject: RuleSubject) => readonly ObjectFinding[] {
  const rulesAt = compiledRules();
  const places = placesWhere(root, ({ rules }) => rules.length > 0);
  return ({ value, oldValue, violatesSchema }) => {
    const findings: ObjectFinding[] = [];
    for (const place of places(value, oldValue)) {
      const path = pathOfPointer(place.pointer);
      if (violatesSchema(path)) continue;
      const scope = scopeAt(place);
      for (const rule of rulesAt(place.node)) {
        if (rule.isTransition && place.oldValue === undefined) continue;
        const message = rule.violation(scope);
        if (message !== undefined) findings.push({ path, message, severity: 'warning' });
      }
    }
    return findings;
  };
}

function compiledRules(): (node: SchemaNode) => readonly CompiledRule[] {
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
