/**
 * Interfaces that would move into VRFs must not take along the node's last default route of a family in which it has an InternalIP. That is
 * a matter of all of them together: each may leave while another one stays. (docs/design/enslaving.md, "Never cut the node off")
 */
import { MAIN_TABLE } from '../conventions.ts';
import { familyOf } from '../ip-address.ts';
import { distinct } from '../ordering.ts';
import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';

/** The node's default routes; those for some packets only do not count. */
function defaultRoutes({ routes }: NodeSnapshot, family: 4 | 6): readonly Route[] {
  const destination = family === 4 ? '0.0.0.0/0' : '::/0';
  return routes.filter(
    (route) =>
      route.table === MAIN_TABLE &&
      route.destination === destination &&
      route.type === 'unicast' &&
      route.source === undefined &&
      route.typeOfService === undefined,
  );
}

/** Why an interface cannot move. */
export interface LastWayOut {
  readonly lastDefaultRoute: 4 | 6;
  /** The other interfaces that default routes of the family leave by; all of them would move. */
  readonly alongside: readonly string[];
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
  node: NodeSnapshot,
): ReadonlyMap<string, LastWayOut> {
  const families = new Set(internalIps.map(familyOf));
  const bound = new Map<string, LastWayOut>();
  // If both families keep an interface, IPv4 is reported: it comes last here.
  for (const family of [6, 4] as const) {
    if (!families.has(family)) continue;
    const hops = defaultRoutes(node, family).flatMap(({ nextHops }) => nextHops);
    if (!hops.every(({ device = '' }) => carriers.has(device))) continue;
    const interfaces = distinct(hops.flatMap(({ device = '' }) => carriers.get(device) ?? []));
    for (const name of interfaces) {
      bound.set(name, { lastDefaultRoute: family, alongside: interfaces.filter((other) => other !== name) });
    }
  }
  return bound;
}
