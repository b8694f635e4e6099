/**
 * Parts of a route that it takes from the next hop object that it uses.
 */
import type { NextHop, NextHopObject, Route } from '../snapshot/node-snapshot.ts';
import { withoutWeight } from './next-hop.ts';

/** The objects that packets go to: the object itself, or the members of a group that are there. */
function plainObjects(
  objects: readonly NextHopObject[],
  { group, ...object }: NextHopObject,
): readonly NextHopObject[] {
  return group === undefined ? [object] : group.flatMap(({ id }) => objects.find((other) => other.id === id) ?? []);
}

/** The next hops: one of a plain object, those of the members of a group, none of a blackhole. */
function hopsOf(objects: readonly NextHopObject[], object: NextHopObject): readonly NextHop[] {
  const weights = new Map(object.group?.map(({ id, weight }) => [id, weight]));
  return plainObjects(objects, object).flatMap(({ id, device, gateway, onlink }) => {
    if (device === undefined && gateway === undefined) return [];
    const weight = weights.get(id) ?? 1;
    return [
      {
        ...(device !== undefined && { device }),
        ...(gateway !== undefined && { gateway }),
        ...(onlink !== undefined && { onlink }),
        ...(weight !== 1 && { weight }),
      },
    ];
  });
}

/**
 * A route that uses an object: a blackhole makes a blackhole of it. An IPv4 route whose group has one member left does not show its weight
 * (net/ipv4/fib_semantics.c, fib_dump_info; net/ipv6/route.c, rt6_fill_node).
 */
export function withObject<Some extends Pick<Route, 'type' | 'family'>>(
  route: Some,
  objects: readonly NextHopObject[],
  object: NextHopObject,
): Some & Pick<Route, 'nextHops'> {
  const refuses = plainObjects(objects, object).some(({ blackhole }) => blackhole === true);
  const typeWithout = route.type === 'blackhole' ? 'unicast' : route.type;
  const hops = hopsOf(objects, object);
  const nextHops = route.family === 4 && hops.length === 1 ? hops.map(withoutWeight) : hops;
  return { ...route, type: refuses ? 'blackhole' : typeWithout, nextHops };
}

/** Whether an object, or one of a group's, is of IPv4; a blackhole does not show it. */
export function isIpv4(objects: readonly NextHopObject[], object: NextHopObject): boolean {
  return plainObjects(objects, object).some(({ family }) => family === 4);
}
