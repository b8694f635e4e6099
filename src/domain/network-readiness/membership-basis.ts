/**
 * Facts that decide whether an interface may change its membership, apart from what operations of a plan change before that: the interface and the devices on
 * it, other programs' routes out of them, nexthop objects, and the default routes by which the node stays reachable (docs/design/enslaving.md,
 * "Refusals" and "Never cut the node off").
 */
import { canonical } from '../basics/names/ordering.ts';
import { isOwnRoute } from '../entities/kernel/route.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type NodeView, viewNode } from '../snapshot/node-view.ts';
import { timelessText } from '../snapshot/timeless.ts';
import { isWayOut } from '../snapshot/ways-out.ts';
import { cycledInterfaces } from './cycled-interfaces.ts';

function basisOf(device: string, view: NodeView, moving: ReadonlySet<string>): string {
  const { routes, nextHopObjects } = view.snapshot;
  const links = cycledInterfaces(device, view);
  const names = new Set(links.map(({ name }) => name));
  return timelessText(
    canonical({
      links,
      routes: [...names].flatMap((name) => view.routesOutOf(name)).filter((route) => !isOwnRoute(route)),
      nextHopObjects: nextHopObjects.filter((object) => object.device !== undefined && names.has(object.device)),
      waysOut: routes.filter(
        (route) => isWayOut(route) && route.nextHops.some((hop) => hop.device !== undefined && !moving.has(hop.device)),
      ),
    }),
  );
}

/**
 * Whether a decision about the membership of an interface that was made for one snapshot of a node holds for another one.
 *
 * @param moving the interfaces whose membership the plan changes; what leaves with them decides nothing
 */
export function isSameMembershipBasis(
  device: string,
  planned: NodeSnapshot,
  now: NodeSnapshot,
  moving: ReadonlySet<string>,
): boolean {
  const [before, after] = [viewNode(planned), viewNode(now)];
  return basisOf(device, before, moving) === basisOf(device, after, moving);
}
