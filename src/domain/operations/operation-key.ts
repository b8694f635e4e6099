import { displacedKey } from '../entities/displaceable.ts';
import { canonical } from '../ordering.ts';
import type { Operation } from './operation.ts';

/**
 * Identifies an operation across plans: the same for the same change of the same entity, even if a lifetime has decreased or
 * another network shares it now.
 */
export function operationKey({ networks: _, ...operation }: Operation): string {
  return operation.verb === 'put-back' || operation.verb === 'take-back'
    ? `${operation.verb} ${operation.device} ${displacedKey(operation.entity)}`
    : JSON.stringify(canonical(operation));
}
