/**
 * What a membership change would make the kernel change or drop, and nobody could make again as it was.
 */
import type { NodeView } from '../discovery/node-view.ts';
import { familyOf } from '../ip-address.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import { thingText } from '../operations/displaced-thing-change.ts';
import { routeText } from '../operations/route-words.ts';
import { by, byName, canonical } from '../ordering.ts';
import { isPutBack, thingKey } from '../ownership/displaced-things.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import { arrivals, contentKey } from './arrivals.ts';
import { routeInTheWay } from './in-the-way.ts';
import type { NetworkFailure } from './network-check.ts';

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

/** The kernel gives an IPv4 route no source that only the table of another VRF knows (net/ipv4/fib_semantics.c, fib_valid_prefsrc). */
function hasLostSource(route: Route, addresses: ReadonlySet<string>, target: number): boolean {
  const { preferredSource: source, table, type } = route;
  return (
    source !== undefined && familyOf(source) === 4 && type === 'unicast' && table !== target && addresses.has(source)
  );
}

function unplaceable(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  const moving = arrivals(device, target, view);
  const addresses = new Set(view.link(device)?.addresses.map(({ address }) => address));
  for (const route of moving.routes.toSorted(by(contentKey))) {
    if (target !== undefined && hasLostSource(route, addresses, target)) {
      const thing = routeText(canonical(route));
      return { reason, cause: 'cannot-be-put-back', device, thing, by: { source: route.preferredSource ?? '' } };
    }
    const serves = (other: Route) => contentKey(other) === contentKey(route);
    const failure = routeInTheWay(route, moving.routesLike(route), serves, view.snapshot.ledger);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/**
 * What keeps an interface from changing its membership without harm; nothing where it can.
 *
 * @param target table of the VRF that it would be in; absent where it would be in none
 */
export function irreplaceableOn(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  return takenUp(device, view) ?? notUnderstood(device, view) ?? unplaceable(device, target, view);
}
