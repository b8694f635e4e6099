import { isDetected } from '../kernel/address.ts';
import { dependencies, dependency } from '../dependencies.ts';
import { displaceableKindOf, displacedKey, displacedText, isPutBack } from '../displaceable.ts';
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { routeEntity, tableText } from '../kernel/route.ts';
import { lostByCycle } from '../../node-model/cycle.ts';
import { awaiting, presenceIn } from '../ownership/displaced-entities.ts';
import { withPlaced } from '../ownership/placed.ts';
import { withEntries } from '../ownership/write-ledger.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { routeKey } from '../../snapshot/route-key.ts';
import { type OperationOwners, ownersIn, partsOf, type PutBack } from './operation.ts';
import type { OperationSemantics } from './semantics.ts';

/** Operations that restore, in its present place, everything that a membership change would displace. */
export function putBacksFor(owners: OperationOwners, device: string, before: NodeSnapshot): readonly PutBack[] {
  // In an order in which entities can be restored.
  return lostByCycle(before, device)
    .filter((entity) => isPutBack(entity, before))
    .map((entity) => ({ verb: 'put-back', ...owners, device, entity }));
}

/** A group of next hops that has lost some of its members: restoring the whole group replaces it. */
function shrunkGroup(entity: DisplacedEntity, { nextHopObjects }: NodeSnapshot): DisplacedEntity | undefined {
  if (entity.kind !== 'next-hop-object') return undefined;
  const object = nextHopObjects.find(({ id }) => id === entity.object.id);
  return object && { kind: 'next-hop-object', object };
}

/** The route that has the key of a moved one, and where it was outside of the VRF. */
function routeLike(
  route: Route,
  { routes }: NodeSnapshot,
): { readonly entity: DisplacedEntity; readonly origin: DisplacedEntity } | undefined {
  const key = routeKey(route);
  const found = routes.find((other) => routeKey(other) === key);
  return found && { entity: routeEntity(found), origin: routeEntity({ ...found, table: MAIN_TABLE }) };
}

function summary({ entity, origin }: PutBack): string {
  const isMoved = origin?.kind === 'route' && displacedKey(origin) !== displacedKey(entity);
  return isMoved
    ? `${displacedText(entity)}, moved from table ${tableText(origin.route.table)}`
    : `${displacedText(entity)}, restored`;
}

/** The meaning of restoring an entity. */
export function putBack({ entity }: PutBack): OperationSemantics<PutBack> {
  return { ...semantics, port: displaceableKindOf(entity).port };
}

const semantics: Omit<OperationSemantics<PutBack>, 'port'> = {
  name: 'put-back',
  mark: '+',
  displaces: false,
  dependencies: (operation) => {
    const { device, entity } = operation;
    const { makes = [], needs = [] } = displaceableKindOf(entity).displaced.dependencies(entity);
    return {
      makes: [...makes, dependency('restored', device), ...dependencies('network', partsOf(operation))],
      needs: [...needs, dependency('after-cycle', device)],
    };
  },
  refusal: () => undefined,
  announced: ({ device, entity, origin = entity, moves }, before) =>
    moves === undefined ? before.ledger : withEntries(before.ledger, [awaiting(device, origin, before)]),
  effect: ({ entity, moves }, node) => {
    const { replace, displaced } = displaceableKindOf(entity);
    return (moves && replace?.effect?.(entity, node)) ?? displaced.restore(entity, node);
  },
  confirmed: ({ device, entity }, after) => withPlaced(after, device, entity),
  inverse: ({ device, entity, origin, moves, ...owners }, before) => {
    const replaced = moves && entity.kind === 'route' ? routeLike(entity.route, before) : undefined;
    if (replaced !== undefined) return [{ ...ownersIn(owners), verb: 'put-back', device, ...replaced, moves: true }];
    if (presenceIn(before)(entity)) return [];
    const leaving = shrunkGroup(entity, before);
    return [
      {
        ...ownersIn(owners),
        verb: 'take-back',
        device,
        entity,
        ...(origin && { origin }),
        ...(leaving && { leaving }),
      },
    ];
  },
  disruption: ({ entity }) => (entity.kind === 'address' && isDetected(entity) ? 'address-detection' : 'none'),
  command: ({ entity, moves }, before) => {
    const { replace, displaced } = displaceableKindOf(entity);
    return (moves && replace?.command(entity, before)) ?? displaced.restoreCommand(entity);
  },
  summary,
  discrepancy: (operation) => ({ path: summary(operation), found: 'absent', wanted: 'present' }),
};
