import { type Operation, partsOf } from '../entities/operations/operation.ts';
import type { EntityFailureReason } from '../entities/entity-kind.ts';
import { meaningOf } from '../entities/operations/operation-meaning.ts';
import type { PartKey } from '../network/part.ts';
import { least } from '../basics/names/ordering.ts';
import { byPrecedence, networkReasons } from '../status/reasons.ts';
import { failureSentence } from '../status/operation-text.ts';

/** An operation that failed. */
export interface OperationFailure {
  readonly operation: Operation;
  /** The error of the program, the kernel or the database. */
  readonly error: string;
}

/** The result of failed operations for a network. */
export interface FailureVerdict {
  readonly reason: EntityFailureReason;
  readonly message: string;
}

function reasonOf({ operation }: OperationFailure): FailureVerdict['reason'] {
  return meaningOf(operation).failureReason(operation);
}

/** The result of one failed operation for its networks. */
export function operationVerdict(failure: OperationFailure): FailureVerdict {
  return { reason: reasonOf(failure), message: failureSentence(failure.operation, failure.error, 0) };
}

/** The result of failed operations for a part of a network; undefined if none of its operations failed. */
export function verdictOf(part: PartKey, failures: readonly OperationFailure[]): FailureVerdict | undefined {
  const failed = failures.filter(({ operation }) => partsOf(operation).includes(part));
  const precedence = byPrecedence(networkReasons);
  const first = least(failed, (left, right) => precedence(reasonOf(left), reasonOf(right)));
  return (
    first && { reason: reasonOf(first), message: failureSentence(first.operation, first.error, failed.length - 1) }
  );
}
