import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import { type CniError, errorCodes } from '../../domain/pods/cni/error.ts';
import { type StepOutcome, stepFailures } from '../../domain/pods/cni/messages.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem, type InputProblem } from '../../ports/input-problem.ts';

/** A step, or why it failed. */
export type Attempt<Value = undefined> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CniError };

/** A step that succeeded. */
export function succeeded<Value>(value: Value): Attempt<Value> {
  return { ok: true, value };
}

function fails(code: CniError['code'], message: string, details: string): Attempt<never> {
  return { ok: false, error: { code, message, details } };
}

/** A failure that may end by itself if the runtime tries again. */
export function tryAgainLater(message: string, details: string): Attempt<never> {
  return fails(errorCodes.tryAgainLater, message, details);
}

/** A failure that lasts until someone changes something. */
export function notAttached(message: string, details: string): Attempt<never> {
  return fails(errorCodes.notAttached, message, details);
}

/** A database that cannot be read. */
export function unread(message: string, problems: readonly InputProblem[]): Attempt<never> {
  return tryAgainLater(message, problems.map(describeProblem).join('; '));
}

/** The result of a write. */
export function written(message: string, result: ApplyResult): Attempt {
  return result.done ? succeeded(undefined) : tryAgainLater(message, result.error);
}

/** An interface that the pod must not have. */
export function existingInterface(ifname: string): Attempt<never> {
  const details = `CNI_IFNAME: there is an interface ${ifname} in the namespace`;
  return fails(errorCodes.invalidEnvironment, 'the interface of the pod cannot be created', details);
}

/** The outcome of a step of the plugin. */
export function taken(message: string, outcome: StepOutcome): Attempt<StepOutcome> {
  if (outcome.done) return succeeded(outcome);
  const details = outcome.error ?? 'the plugin did not say why';
  if (outcome.reason === stepFailures.namespace) return fails(errorCodes.unknownContainer, message, details);
  if (outcome.reason === stepFailures.interfaceExists) {
    return fails(errorCodes.invalidEnvironment, message, `CNI_IFNAME: ${details}`);
  }
  return tryAgainLater(message, details);
}

/** The answer for an attempt without a result. */
export function answerOf(attempt: Attempt<unknown>): CniAnswer {
  return attempt.ok ? { kind: 'done' } : { kind: 'failed', error: attempt.error };
}
