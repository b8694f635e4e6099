import type { NextHopObject, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { withObject } from './object-route.ts';

/**
 * The node without some next hop objects (net/ipv4/nexthop.c, __remove_nexthop).
 *
 * Groups lose those members and go with the last one. Routes go with the object that they use; those that use a group which is left take
 * what is left of it.
 */
export function withoutNextHopObjects(node: NodeSnapshot, isGone: (object: NextHopObject) => boolean): NodeSnapshot {
  const gone = new Set(node.nextHopObjects.filter(isGone).map(({ id }) => id));
  if (gone.size === 0) return node;
  const objects = node.nextHopObjects
    .filter(({ id }) => !gone.has(id))
    .map((object) => withoutMembers(object, gone))
    .filter(({ group }) => group === undefined || group.length > 0);
  return withNextHopObjects(node, objects);
}

function withoutMembers(object: NextHopObject, gone: ReadonlySet<number>): NextHopObject {
  if (object.group?.some(({ id }) => gone.has(id)) !== true) return object;
  return { ...object, group: object.group.filter(({ id }) => !gone.has(id)) };
}

/** The node with other next hop objects, and with the routes that follow from that. */
export function withNextHopObjects(node: NodeSnapshot, nextHopObjects: readonly NextHopObject[]): NodeSnapshot {
  const before = new Set(node.nextHopObjects);
  const changed = new Set(nextHopObjects.filter((object) => !before.has(object)).map(({ id }) => id));
  const byId = new Map(nextHopObjects.map((object) => [object.id, object]));
  const isAffected = ({ id, group = [] }: NextHopObject): boolean =>
    changed.has(id) || group.some((member) => changed.has(member.id));
  const follow = (route: Route): readonly Route[] => {
    if (route.nextHopObject === undefined) return [route];
    const object = byId.get(route.nextHopObject);
    if (object === undefined) return [];
    return [isAffected(object) ? withObject(route, nextHopObjects, object) : route];
  };
  return { ...node, nextHopObjects, routes: node.routes.flatMap(follow) };
}
