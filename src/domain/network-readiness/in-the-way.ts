import { isOwnRoute } from '../entities/route.ts';
import { routeText } from '../entities/route-words.ts';
import { byName, canonical } from '../ordering.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { NetworkFailure } from './network-check.ts';

type InTheWay = NetworkFailure & { readonly cause: 'in-the-way' };

/** An unmanaged entity has the place of a desired one; both as texts. */
export function inTheWay(wanted: string, found: string): InTheWay {
  return { reason: 'UplinkVRFAttachmentFailed', cause: 'in-the-way', wanted, found };
}

/**
 * The unmanaged route that conflicts with another one; absent if there is none.
 *
 * @param likes the routes that have the wanted one's key
 * @param serves whether one of them is as good as the wanted one
 */
export function routeInTheWay(
  wanted: Route,
  likes: readonly Route[],
  serves: (route: Route) => boolean,
): InTheWay | undefined {
  const [found] = likes
    .filter((route) => !isOwnRoute(route) && !serves(route))
    .map((route) => `${routeText(canonical(route))} of protocol ${route.protocol}`)
    .sort(byName);
  return found === undefined ? undefined : inTheWay(routeText(canonical(wanted)), found);
}
