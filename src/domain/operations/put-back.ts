import { isDetected } from '../entities/address.ts';
import { dependencies, dependency } from '../entities/dependencies.ts';
import { displaceableKindOf, displacedKey, displacedText, isPutBack } from '../entities/displaceable.ts';
import { tableText } from '../entities/route.ts';
import { lostByCycle } from '../node-model/cycle.ts';
import { presenceIn } from '../ownership/displaced-entities.ts';
import { withPlaced } from '../ownership/placed.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { PutBack } from './operation.ts';
import type { OperationMeaning } from './meaning.ts';

/** Operations that restore, in its present place, everything that a membership change would displace. */
export function putBacksFor(networks: readonly string[], device: string, before: NodeSnapshot): readonly PutBack[] {
  // In an order in which entities can be restored.
  return lostByCycle(before, device)
    .filter((entity) => isPutBack(entity, before))
    .map((entity) => ({ verb: 'put-back', networks, device, entity }));
}

/** A group of next hops that has lost some of its members: restoring the whole group replaces it. */
function shrunkGroup(entity: DisplacedEntity, { nextHopObjects }: NodeSnapshot): DisplacedEntity | undefined {
  if (entity.kind !== 'next-hop-object') return undefined;
  const object = nextHopObjects.find(({ id }) => id === entity.object.id);
  return object && { kind: 'next-hop-object', object };
}

function summary({ entity, origin }: PutBack): string {
  const isMoved = origin?.kind === 'route' && displacedKey(origin) !== displacedKey(entity);
  return isMoved
    ? `${displacedText(entity)}, moved from table ${tableText(origin.route.table)}`
    : `${displacedText(entity)}, restored`;
}

/** The meaning of restoring an entity. */
export function putBack({ entity }: PutBack): OperationMeaning<PutBack> {
  const { port, failureReason } = displaceableKindOf(entity);
  return { ...meaning, port, failureReason };
}

const meaning: Omit<OperationMeaning<PutBack>, 'port' | 'failureReason'> = {
  name: 'put-back',
  mark: '+',
  displaces: false,
  dependencies: ({ device, entity, networks }) => {
    const { makes = [], needs = [] } = displaceableKindOf(entity).displaced.dependencies(entity);
    return {
      makes: [...makes, dependency('restored', device), ...dependencies('network', networks)],
      needs: [...needs, dependency('after-cycle', device)],
    };
  },
  refusal: () => undefined,
  announced: (_operation, { ledger }) => ledger,
  effect: ({ entity }, node) => displaceableKindOf(entity).displaced.restore(entity, node),
  confirmed: ({ device, entity }, after) => withPlaced(after, device, entity),
  inverse: ({ networks, device, entity, origin }, before) => {
    if (presenceIn(before)(entity)) return [];
    const leaving = shrunkGroup(entity, before);
    return [{ verb: 'take-back', networks, device, entity, ...(origin && { origin }), ...(leaving && { leaving }) }];
  },
  disruption: ({ entity }) => (entity.kind === 'address' && isDetected(entity) ? 'address-detection' : 'none'),
  command: ({ entity }) => displaceableKindOf(entity).displaced.restoreCommand(entity),
  summary,
  discrepancy: (operation) => ({ path: summary(operation), found: 'absent', wanted: 'present' }),
};
