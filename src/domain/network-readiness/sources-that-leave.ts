/**
 * Interfaces that would move into VRFs may have the sources of each other's routes. Each may move while the other one stays; if both do, the route's
 * source address is in no reachable routing domain. Only IPv4 accepts a source of another routing domain at all (net/ipv4/fib_semantics.c, fib_valid_prefsrc).
 */
import type { NodeView } from '../snapshot/node-view.ts';
import { familyOf } from '../basics/addresses/ip-address.ts';
import { routeText } from '../entities/kernel/route-command.ts';
import { by, canonical } from '../basics/names/ordering.ts';
import { isPutBack } from '../entities/displaceable.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import { lostOn } from './lost-entities.ts';

/** A route that could not be restored. */
export interface SourceThatLeaves {
  readonly route: Route;
  readonly source: string;
  /** The interface with the source, which would move as well. */
  readonly bearer: string;
}

/**
 * Which of some interfaces cannot move together.
 *
 * @param moves tables of the VRFs that interfaces outside of VRFs would move into, by name of the interface
 * @returns by name of the route's interface
 */
export function sourcesThatLeave(
  moves: ReadonlyMap<string, number>,
  view: NodeView,
): ReadonlyMap<string, SourceThatLeaves> {
  const found = new Map<string, SourceThatLeaves>();
  for (const [device, target] of moves) {
    const [first] = lostOn(device, target, view)
      .flatMap(({ origin, place }) => {
        if (origin.kind !== 'route' || place.kind !== 'route' || !isPutBack(place, view.snapshot)) return [];
        const bearer = bearerThatLeaves(place.route, moves, view);
        return bearer === undefined ? [] : [{ route: canonical(origin.route), ...bearer }];
      })
      .sort(by(({ route }) => routeText(route)));
    if (first !== undefined) found.set(device, first);
  }
  return found;
}

function bearerThatLeaves(
  { preferredSource: source, table }: Route,
  moves: ReadonlyMap<string, number>,
  view: NodeView,
): Omit<SourceThatLeaves, 'route'> | undefined {
  if (source === undefined || familyOf(source) !== 4) return undefined;
  const bearers = view.bearersOf(source).map(({ name }) => name);
  const leaves = (name: string) => moves.has(name) && moves.get(name) !== table;
  const [bearer] = bearers.toSorted();
  return bearer !== undefined && bearers.every(leaves) ? { source, bearer } : undefined;
}
