import type { NextHopObject, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/** Makes a next hop object, or changes the one of its id: `ip nexthop replace id ID`. */
export function putNextHopObject(node: NodeSnapshot, object: NextHopObject): Change {
  const others = node.nextHopObjects.filter(({ id }) => id !== object.id);
  return done({ ...node, nextHopObjects: [...others, object] });
}

/** Removes a next hop object and the routes that use it: `ip nexthop delete id ID`. */
export function deleteNextHopObject(node: NodeSnapshot, id: number): Change {
  if (!node.nextHopObjects.some((object) => object.id === id))
    return refused(`nexthop ${id}: No such file or directory`);
  return done({
    ...node,
    nextHopObjects: node.nextHopObjects.filter((object) => object.id !== id),
    routes: node.routes.filter(({ nextHopObject }) => nextHopObject !== id),
  });
}
