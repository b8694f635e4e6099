/**
 * What decides whether an interface may change its membership: the interface and the devices on it, routes out of them, nexthop objects, and the
 * default routes by which the node stays reachable (docs/design/enslaving.md, "Refusals" and "Never cut the node off").
 */
import { MAIN_TABLE } from '../conventions.ts';
import { canonical } from '../ordering.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { viewNode } from '../snapshot/node-view.ts';
import { isDefaultRoute } from '../snapshot/route-key.ts';
import { surroundings } from '../snapshot/surroundings.ts';
import { timelessText } from '../snapshot/timeless.ts';

function basisOf(device: string, node: NodeSnapshot): string {
  const { links, routes, nextHopObjects } = surroundings(viewNode(node), [device]);
  const waysOut = node.routes.filter((route) => route.table === MAIN_TABLE && isDefaultRoute(route));
  return timelessText(canonical({ links, routes, nextHopObjects, waysOut }));
}

/** Whether a decision about the membership of an interface that was made for one snapshot of a node holds for another one. */
export function isSameMembershipBasis(device: string, before: NodeSnapshot, now: NodeSnapshot): boolean {
  return basisOf(device, before) === basisOf(device, now);
}
