/** The changes of external_ids in Open vSwitch's database that an operation makes. */
import { bridgeMappingChange } from '../entities/bridge-mapping-change.ts';
import type { KindNameOfPort } from '../entities/entity-kinds.ts';
import { interconnectionChange } from '../entities/interconnection.ts';
import type { ExternalIds } from '../node-model/switch-external-ids.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { EntityOperation } from './operation.ts';

/** The keys that an operation changes, for the current external_ids, which may differ from the planned ones; undefined if nothing is left to do. */
export function externalIdsChange(
  { verb, entity }: Pick<EntityOperation<KindNameOfPort<'switchDatabase'>>, 'verb' | 'entity'>,
  now: NodeSnapshot['switchExternalIds'],
): ExternalIds | undefined {
  switch (entity.kind) {
    case 'bridge-mapping':
      return bridgeMappingChange({ ...entity, verb: verb === 'remove' ? 'remove' : 'add' }, now);
    case 'interconnection':
      return interconnectionChange(verb, now);
  }
}
