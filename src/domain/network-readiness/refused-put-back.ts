/**
 * The kernel keeps entities that it would refuse to add again: a route whose gateway lost its subnet, one with a next hop out of a device that is
 * down, one whose source only another routing domain knows. The node model decides which, by restoring them first.
 */
import type { NodeView } from '../snapshot/node-view.ts';
import { by } from '../basics/names/ordering.ts';
import { displaceableKindOf, displacedKey, isPutBack } from '../entities/displaceable.ts';
import { isOwnRoute } from '../entities/kernel/route.ts';
import { linkCycleOf } from '../entities/ownership/link-cycle.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import { withReach } from '../snapshot/surroundings.ts';
import { lostOn } from './lost-entities.ts';

/** An entity, as it is outside of VRFs, and why it could not be restored. */
export interface RefusedPutBack {
  readonly entity: DisplacedEntity;
  /** The kernel's refusal, without the entity. */
  readonly refusal: string;
}

/** A device, and the table of the VRF that it is to be in; absent where it is to be in none. */
type Move = readonly [device: string, target: number | undefined];

/** Whether others may depend on an entity. A route by a gateway makes no gateway reachable, and there may be very many. */
function isPrerequisite(entity: DisplacedEntity): boolean {
  return entity.kind !== 'route' || entity.route.nextHops.every(({ gateway }) => gateway === undefined);
}

/** Whether another program restores the entity, and others may depend on it. */
function isRestoredPrerequisite(entity: DisplacedEntity): boolean {
  switch (entity.kind) {
    case 'route':
      return isPrerequisite(entity) && !isOwnRoute(entity.route);
    case 'next-hop-object':
      return true;
    case 'address':
    case 'neighbour':
    case 'neighbour-proxy':
      return false;
  }
}

/** Prerequisites come first, since others are refused because of them. */
const order = by(({ entity }: RefusedPutBack) => `${isPrerequisite(entity) ? '0' : '1'} ${displacedKey(entity)}`);

/**
 * Entities that the kernel drops when a device moves, and would refuse to add again. What routing daemons and router advertisements restore counts
 * as restored.
 */
export function refusedPutBacks(move: Move, view: NodeView): readonly RefusedPutBack[] {
  const lost = lostOn(...move, view);
  const isOurs = ({ origin }: { readonly origin: DisplacedEntity }) => isPutBack(origin, view.snapshot);
  if (!lost.some(isOurs)) return [];
  const entities = lost.filter((each) => isOurs(each) || isRestoredPrerequisite(each.origin));
  const routes = entities.flatMap(({ origin }) => (origin.kind === 'route' ? [origin.route] : []));
  const refused: RefusedPutBack[] = [];
  const { around, after } = linkCycleOf(...move, view);
  let node = withReach(after, routes, view, around);
  for (const { origin, place } of entities) {
    const change = displaceableKindOf(place).displaced.restore(place, node);
    if (change.done) {
      if (isPrerequisite(place)) node = change.node;
    } else if (change.exists !== true && isOurs({ origin })) {
      refused.push({ entity: origin, refusal: change.reason });
    }
  }
  return refused.sort(order);
}
