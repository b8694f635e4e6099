import { displacedKey } from '../entities/displaceable.ts';
import { canonical } from '../ordering.ts';
import type { Operation } from './operation.ts';

/**
 * What an operation is known by from one plan to the next: the same for the same change of the same entity, though a lifetime has gone on or
 * another network shares it now.
 */
export function operationKey({ networks: _, ...operation }: Operation): string {
  return operation.verb === 'put-back' || operation.verb === 'take-back'
    ? `${operation.verb} ${operation.device} ${displacedKey(operation.entity)}`
    : JSON.stringify(canonical(operation));
}
