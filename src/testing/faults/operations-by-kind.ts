/** Operations that faults are about, by what they do. */
import type { EntityKindName } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation, Operation, PutBack } from '../../domain/index.ts';
import { isOn } from '../../domain/entities/operations/operation-semantics.ts';

/** Whether an operation has a verb and is on a kind of entity. */
export function is<Name extends EntityKindName>(verb: EntityOperation['verb'], kind: Name) {
  return (operation: Operation): operation is EntityOperation<Name> => operation.verb === verb && isOn(operation, kind);
}

export function isPutBack(operation: Operation): operation is PutBack {
  return operation.verb === 'put-back';
}

/** Whether an operation removes a row, of a logical network or of its gateway router. */
export function isRowRemoval(part: 'network' | 'gateway router') {
  return (operation: Operation): boolean =>
    is('remove', 'northbound-row')(operation) && (operation.entity.row.isOfZone === true) === (part === 'network');
}

/** Removing a setting restores its former value. */
export const isRestoredSetting = is('remove', 'sysctl');

export function isMove(operation: Operation): operation is EntityOperation<'membership'> {
  return isOn(operation, 'membership');
}

/** An operation attributed to no network. */
export function unattributed(verb: EntityOperation['verb'], entity: EntityOperation['entity']): EntityOperation {
  return { verb, networks: [], entity };
}
