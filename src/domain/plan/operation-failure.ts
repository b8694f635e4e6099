import type { Operation } from '../operations/operation.ts';
import type { OperationMeaning } from '../operations/meaning.ts';
import { meaningOf } from '../operations/operation-meaning.ts';
import { least } from '../ordering.ts';
import { byPrecedence, networkReasons } from '../status/reasons.ts';
import { failureSentence } from '../status/operation-text.ts';

/** An operation that failed. What was done leaves nothing to say. */
export interface OperationFailure {
  readonly operation: Operation;
  /** Why, in the words of whoever carried it out. */
  readonly error: string;
}

/** What failed operations mean for a network, as its entry says it. */
export interface FailureVerdict {
  readonly reason: OperationMeaning['failureReason'];
  readonly message: string;
}

function reasonOf({ operation }: OperationFailure): FailureVerdict['reason'] {
  return meaningOf(operation).failureReason;
}

/** What the operations that failed mean for a network that they were done for; nothing where there are none. */
export function verdictOf(network: string, failures: readonly OperationFailure[]): FailureVerdict | undefined {
  const failed = failures.filter(({ operation }) => operation.networks.includes(network));
  const precedence = byPrecedence(networkReasons);
  const first = least(failed, (left, right) => precedence(reasonOf(left), reasonOf(right)));
  return (
    first && { reason: reasonOf(first), message: failureSentence(first.operation, first.error, failed.length - 1) }
  );
}
