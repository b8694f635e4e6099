import { displacedKey } from '../displaceable.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { canonical } from '../../basics/names/ordering.ts';
import type { Entity } from '../entity-kinds.ts';
import type { Operation } from './operation.ts';

/** Most entities are the same objects in consecutive plans. */
const entityText = lazyByObject((entity: Entity) => JSON.stringify(canonical(entity)));

/**
 * Identifies an operation across plans: the same for the same change of the same entity, even if a lifetime has decreased or
 * another network shares it now.
 */
export const operationKey = lazyByObject(({ networks: _, part: __, ...operation }: Operation): string => {
  switch (operation.verb) {
    case 'put-back':
    case 'take-back':
      return `${operation.verb} ${operation.device} ${displacedKey(operation.entity)}`;
    case 'change':
      return `${operation.verb} ${operation.changes.map(operationKey).join()}`;
    case 'add':
    case 'replace':
    case 'remove':
      return `${operation.verb} ${entityText(operation.entity)}`;
  }
});
