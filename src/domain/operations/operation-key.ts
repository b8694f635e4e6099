import { canonical } from '../ordering.ts';
import { thingKey } from '../ownership/displaced-things.ts';
import type { Operation } from './operation-kinds.ts';

/**
 * What an operation is known by from one plan to the next: the same for the same change of the same thing, though a lifetime has gone on or
 * another network shares it now.
 */
export function operationKey({ networks: _, ...operation }: Operation): string {
  return operation.kind === 'put-back' || operation.kind === 'take-back'
    ? `${operation.kind} ${operation.device} ${thingKey(operation.thing)}`
    : JSON.stringify(canonical(operation));
}
