import {
  TypeError as CelTypeError,
  Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
} from '@marcbachmann/cel-js';
import type { CelRule } from '../../domain/api/schema.ts';

/** What a rule's expression can name: the value, and the value before an update, which only an update has. */
export interface CelScope {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** A rule that is ready to be evaluated. */
export interface CompiledRule {
  /** Whether the rule compares with the value before an update: it says nothing about a value that had none. */
  readonly isTransition: boolean;
  /**
   * Evaluates the rule; never throws.
   *
   * @returns why the value breaks the rule; nothing where it keeps it. As for the API server, a rule that cannot be evaluated, such
   *   as one that reads a missing field, is broken.
   */
  readonly violation: (scope: CelScope) => string | undefined;
}

const environment = new Environment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

/** Compiles a rule; one whose expression is no CEL is broken by every value, and says so. */
export function compileRule({ rule, message }: CelRule): CompiledRule {
  const isTransition = /\boldSelf\b/.test(rule);
  const broken = (error: unknown) => `${message} (the rule cannot be evaluated: ${describeCelError(error)})`;
  try {
    const expression = environment.parse(rule);
    return { isTransition, violation: (scope) => violationOf(expression, scope, message, broken) };
  } catch (error) {
    return { isTransition, violation: () => broken(error) };
  }
}

function violationOf(
  expression: ParseResult,
  scope: CelScope,
  message: string,
  broken: (error: unknown) => string,
): string | undefined {
  try {
    const verdict: unknown = expression({ ...scope });
    return verdict === true ? undefined : message;
  } catch (error) {
    return broken(error);
  }
}

function describeCelError(error: unknown): string {
  // The library's message also draws the expression; its summary is the sentence alone.
  if (error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError)
    return error.summary;
  return String(error);
}
