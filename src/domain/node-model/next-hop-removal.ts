import type { NextHop, NextHopObject, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';

/** The next hops that routes take from an object: its own, or those of its members; a member that is not there counts for nothing. */
export function hopsOf(objects: readonly NextHopObject[], object: NextHopObject): readonly NextHop[] {
  if (object.group === undefined) return ownHops(object);
  return object.group.flatMap(({ id, weight }) => {
    const member = objects.find((other) => other.id === id);
    return (member === undefined ? [] : ownHops(member)).map((hop) => ({ ...hop, ...(weight !== 1 && { weight }) }));
  });
}

function ownHops({ device, gateway, onlink }: NextHopObject): readonly NextHop[] {
  if (device === undefined && gateway === undefined) return [];
  return [
    {
      ...(device !== undefined && { device }),
      ...(gateway !== undefined && { gateway }),
      ...(onlink !== undefined && { onlink }),
    },
  ];
}

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
    return [isAffected(object) ? { ...route, nextHops: hopsOf(nextHopObjects, object) } : route];
  };
  return { ...node, nextHopObjects, routes: node.routes.flatMap(follow) };
}
