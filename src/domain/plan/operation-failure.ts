import type { NetworkKey } from '../network/key.ts';
import { type Operation, partsOf } from '../entities/operations/operation.ts';
import type { EntityKindName } from '../entities/entity-kinds.ts';
import type { UplinkFailureReason } from '../network-readiness/network-check.ts';
import { uplinkPart } from '../network/part.ts';
import { least } from '../basics/names/ordering.ts';
import { byPrecedence, networkReasons } from '../status/reasons.ts';
import { failureSentence } from '../status/operation-text.ts';
import type { NetworkReadyReason } from '../status/provision-reasons.ts';
import { networkReason, uplinkReason } from './parts/parts.ts';

/** An operation that failed. */
export interface OperationFailure {
  readonly operation: Operation;
  /** The error of the program, the kernel or the database. */
  readonly error: string;
}

/** The result of failed operations for a network. */
export interface FailureVerdict<Reason extends string> {
  readonly reason: Reason;
  readonly message: string;
}

/** The kind of the entities that an operation changes. */
function kindIn(operation: Operation): EntityKindName {
  return operation.verb === 'change' ? operation.kind : operation.entity.kind;
}

/** The result of a failed operation for a network that ovn-uplinks provides. */
export function networkVerdict({ operation, error }: OperationFailure): FailureVerdict<NetworkReadyReason> {
  return { reason: networkReason(kindIn(operation)), message: failureSentence(operation, error, 0) };
}

/** The result of failed operations for a network on its uplink; undefined if none of its operations failed. */
export function uplinkVerdict(
  network: NetworkKey,
  failures: readonly OperationFailure[],
): FailureVerdict<UplinkFailureReason> | undefined {
  const part = uplinkPart(network);
  const failed = failures.filter(({ operation }) => partsOf(operation).includes(part));
  const precedence = byPrecedence(networkReasons);
  const reasonOf = ({ operation }: OperationFailure) => uplinkReason(kindIn(operation));
  const first = least(failed, (left, right) => precedence(reasonOf(left), reasonOf(right)));
  return (
    first && { reason: reasonOf(first), message: failureSentence(first.operation, first.error, failed.length - 1) }
  );
}
