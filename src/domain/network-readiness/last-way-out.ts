/**
 * Interfaces that would move into VRFs must not take along the node's last way out of a family in which it has an InternalIP. That is a matter of
 * all of them together: each may leave while another one stays. (docs/design/enslaving.md, "Never cut the node off")
 */
import { familyOf } from '../basics/addresses/ip-address.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { NextHop, Route } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { isTunnel } from '../snapshot/tunnels.ts';
import { isWayOut, reached } from '../snapshot/ways-out.ts';

/**
 * Whether what the node itself sends gets out by a next hop, and replies reach it: not by a device that is down, or of a VRF, nor by a tunnel alone,
 * whose own packets leave by another route.
 */
function isUsable({ device = '', down }: NextHop, node: NodeView): boolean {
  const link = node.link(device);
  const vrf = link?.master === undefined ? link : node.link(link.master);
  return down === undefined && vrf?.kind !== 'vrf' && !isTunnel(device, node);
}

function hopsOf(routes: readonly Route[]): readonly NextHop[] {
  return routes.flatMap(({ nextHops }) => nextHops);
}

/** Why an interface cannot move. */
export interface LastWayOut {
  readonly lastDefaultRoute: 4 | 6;
  /** The other interfaces that default routes of the family leave by; all of them would move. */
  readonly alongside: readonly string[];
  /** Other devices that have default routes of the family, which do not count: they are down, in a VRF, or tunnels. */
  readonly unusable: readonly string[];
}

/**
 * Which of some interfaces cannot move together.
 *
 * @param carriers the interfaces that would leave the default VRF, by the names of the devices that go down with each: itself, and VLAN devices on it
 * @param internalIps InternalIP addresses of the Node object
 * @returns by name of the interface
 */
export function lastWaysOut(
  carriers: ReadonlyMap<string, string>,
  internalIps: readonly string[],
  node: NodeView,
): ReadonlyMap<string, LastWayOut> {
  const families = new Set(internalIps.map(familyOf));
  const bound = new Map<string, LastWayOut>();
  const isMoving = ({ device = '' }: NextHop) => carriers.has(device);
  // If both families keep an interface, IPv4 is reported: it comes last here.
  for (const family of [6, 4] as const) {
    if (!families.has(family)) continue;
    const routes = node.snapshot.routes.filter((route) => route.family === family && isWayOut(route));
    const staying = routes.filter(({ nextHops }) => nextHops.some((hop) => !isMoving(hop) && isUsable(hop, node)));
    if (reached(family, staying).size > 0) continue;
    // One that is down now is the last way out as soon as it is up.
    const moving = routes.filter(({ nextHops }) => nextHops.some(isMoving));
    const lost = reached(family, [...staying, ...moving]);
    const interfaces = distinct(
      hopsOf(moving.filter(({ destination }) => lost.has(destination))).flatMap(
        ({ device = '' }) => carriers.get(device) ?? [],
      ),
    );
    const others = hopsOf(routes).filter((hop) => !isMoving(hop) && !isUsable(hop, node));
    const unusable = distinct(others.flatMap(({ device }) => device ?? []));
    for (const name of interfaces) {
      bound.set(name, { lastDefaultRoute: family, alongside: interfaces.filter((other) => other !== name), unusable });
    }
  }
  return bound;
}
