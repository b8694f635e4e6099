/** The changes of external_ids in Open vSwitch's database that an operation makes. */
import { bridgeMappingChange } from '../switch/bridge-mapping-change.ts';
import { interconnectionChange } from '../switch/interconnection.ts';
import type { ExternalIds } from '../../node-model/switch/switch-external-ids.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { EntityOperation } from './operation.ts';

/** An operation on an entity in external_ids. */
export type ExternalIdsOperation = Pick<EntityOperation<'bridge-mapping' | 'interconnection'>, 'verb' | 'entity'>;

/** The keys that an operation changes, for the current external_ids, which may differ from the planned ones; undefined if nothing is left to do. */
export function externalIdsChange(
  { verb, entity }: ExternalIdsOperation,
  now: NodeSnapshot['switchExternalIds'],
): ExternalIds | undefined {
  switch (entity.kind) {
    case 'bridge-mapping':
      return bridgeMappingChange({ ...entity, verb: verb === 'remove' ? 'remove' : 'add' }, now);
    case 'interconnection':
      return interconnectionChange(verb, now);
  }
}
