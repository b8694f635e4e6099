import {
  TypeError as CelTypeError,
  Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
} from '@marcbachmann/cel-js';
import type { CelRule } from '../../domain/api/schema.ts';
import { withKubernetesLibraries } from './cel-libraries/kubernetes-libraries.ts';

/** The variables of a rule: the value and, in an update, the value before. */
export interface CelScope {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** A rule that can be evaluated. */
export interface CompiledRule {
  /** Whether the rule compares with the value before an update (a transition rule). It does not apply to a new value. */
  readonly isTransition: boolean;
  /**
   * Evaluates the rule; never throws.
   *
   * @returns the message if the value violates the rule. As in the API server, a rule that cannot be evaluated, such as one that reads a
   * missing field, is violated.
   */
  readonly violation: (scope: CelScope) => string | undefined;
}

const environment = withKubernetesLibraries(new Environment({ enableOptionalTypes: true }))
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');

/** Compiles a rule. Every value violates a rule that is not valid CEL. */
export function compileRule({ rule, message }: CelRule): CompiledRule {
  const isTransition = /\boldSelf\b/.test(rule);
  const cannotEvaluate = (error: unknown) => `${message} (the rule cannot be evaluated: ${describeCelError(error)})`;
  try {
    const expression = environment.parse(rule);
    return { isTransition, violation: (scope) => violationOf(expression, scope, message, cannotEvaluate) };
  } catch (error) {
    return { isTransition, violation: () => cannotEvaluate(error) };
  }
}

function violationOf(
  expression: ParseResult,
  scope: CelScope,
  message: string,
  cannotEvaluate: (error: unknown) => string,
): string | undefined {
  try {
    const result: unknown = expression({ ...scope });
    return result === true ? undefined : message;
  } catch (error) {
    return cannotEvaluate(error);
  }
}

function describeCelError(error: unknown): string {
  // The message of the library also shows the expression; the summary is the reason alone.
  if (error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError)
    return error.summary;
  return String(error);
}
