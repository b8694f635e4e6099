/**
 * What a membership change would make the kernel change or drop, and nobody could make again as it was.
 */
import type { NodeView } from '../discovery/node-view.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import { thingText } from '../operations/displaced-thing-change.ts';
import { by, byName, canonical } from '../ordering.ts';
import { isPutBack, thingKey } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import { arrivals, contentKey } from './arrivals.ts';
import { routeInTheWay } from './in-the-way.ts';
import type { NetworkFailure } from './network-check.ts';
import { refusedPutBacks } from './refused-put-back.ts';

const reason = 'UplinkVRFAttachmentFailed';

/** Why an interface stays where it is. */
export type Irreplaceable = NetworkFailure & { readonly cause: 'cannot-be-put-back' | 'takes-up' | 'in-the-way' };

function unknownAttributesOf(thing: DisplacedThing): readonly string[] {
  if (thing.type === 'route') return thing.route.unknownAttributes ?? [];
  return thing.type === 'next-hop-object' ? (thing.object.unknownAttributes ?? []) : [];
}

function takenUp(device: string, view: NodeView): Irreplaceable | undefined {
  const [stacked] = vlansOn(view.linkCycleOf(device).around, device)
    .filter(({ up }) => !up)
    .map(({ name }) => name)
    .sort(byName);
  if (stacked === undefined || view.link(device)?.up !== true) return undefined;
  return { reason, cause: 'takes-up', device, stacked };
}

function notUnderstood(device: string, view: NodeView): Irreplaceable | undefined {
  const [thing] = view
    .linkCycleOf(device)
    .lost.filter((each) => isPutBack(each) && unknownAttributesOf(each).length > 0)
    .map(canonical)
    .sort(by(thingKey));
  if (thing === undefined) return undefined;
  const attributes = unknownAttributesOf(thing);
  return { reason, cause: 'cannot-be-put-back', device, thing: thingText(thing), by: { attributes } };
}

function unplaceable(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  const moving = arrivals(device, target, view);
  for (const route of moving.routes.toSorted(by(contentKey))) {
    const serves = (other: Route) => contentKey(other) === contentKey(route);
    const failure = routeInTheWay(route, moving.routesLike(route), serves, view.snapshot.ledger);
    if (failure !== undefined) return failure;
  }
  const [refused] = refusedPutBacks([device, target], view);
  if (refused === undefined) return undefined;
  const { thing, refusal } = refused;
  return { reason, cause: 'cannot-be-put-back', device, thing: thingText(thing), by: { refusal } };
}

/**
 * What keeps an interface from changing its membership without harm; nothing where it can.
 *
 * @param target table of the VRF that it would be in; absent where it would be in none
 */
export function irreplaceableOn(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  return takenUp(device, view) ?? notUnderstood(device, view) ?? unplaceable(device, target, view);
}
