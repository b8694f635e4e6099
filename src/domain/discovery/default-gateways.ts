import { MAX_DEFAULT_GATEWAYS } from '../api/uplink-state.ts';
import { MAIN_TABLE, OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { canonicalAddress, compareAddresses, familyOf } from '../ip-address.ts';
import type { Link, Route } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { least } from '../ordering.ts';
import { isDefaultRoute } from '../snapshot/route-key.ts';

/** The table that routes out of a device are looked up in: main, or that of the VRF that the device is a member of. */
export function routingTableOf(link: Link, node: NodeView): number {
  const master = link.master === undefined ? undefined : node.link(link.master);
  return master?.vrfTable ?? MAIN_TABLE;
}

function isForeignDefault({ type, destination, protocol, source, typeOfService }: Route): boolean {
  if (protocol === OWN_ROUTE_PROTOCOL || type !== 'unicast') return false;
  // A route for some packets only is not a default route.
  if (source !== undefined || typeOfService !== undefined) return false;
  return isDefaultRoute({ destination });
}

/** A next hop of default routes. */
interface DefaultGateway {
  readonly address: string;
  /** Its share of the packets, 1 to 256. */
  readonly weight: number;
}

/** The order in which the kernel prefers routes of one destination: by metric, then by router preference (RFC 4191, section 3.2). */
function comparePreference(left: Route, right: Route): number {
  return left.metric - right.metric || preferenceRank(left) - preferenceRank(right);
}

function preferenceRank({ preference = 'medium' }: Route): number {
  return ['high', 'medium', 'low'].indexOf(preference);
}

/** The next hops out of a device that OVN can use: it has no routes by a gateway of the other family, and none without a gateway. */
function gatewaysOf({ family, nextHops }: Route, device: string): readonly DefaultGateway[] {
  return nextHops.flatMap(({ device: out, gateway, weight = 1 }) =>
    out === device && gateway !== undefined && familyOf(gateway) === family
      ? [{ address: canonicalAddress(gateway), weight }]
      : [],
  );
}

/** The gateways of a family that the kernel uses: those of worse routes are used once there is no better one. In numeric order, none twice. */
function bestGateways(family: 4 | 6, { name }: Link, routes: readonly Route[]): readonly DefaultGateway[] {
  const usable = routes.filter((route) => route.family === family && gatewaysOf(route, name).length > 0);
  const best = least(usable, comparePreference);
  if (best === undefined) return [];
  const gateways = usable
    .filter((route) => comparePreference(route, best) === 0)
    .flatMap((route) => gatewaysOf(route, name))
    .sort((left, right) => compareAddresses(left.address, right.address));
  return [...new Map(gateways.map((gateway) => [gateway.address, gateway])).values()];
}

function gatewaysByFamily(link: Link, node: NodeView): readonly (readonly DefaultGateway[])[] {
  const table = routingTableOf(link, node);
  const routes = node.routesOutOf(link.name).filter((route) => route.table === table && isForeignDefault(route));
  return ([4, 6] as const).map((family) => bestGateways(family, link, routes));
}

/**
 * Next hops of the default routes out of a device, of each family those of the best metric, in numeric order, IPv4 first, none twice, at most 64
 * (docs/design/api-decisions.md, "Ready"). Managed routes do not count: they were derived from these.
 */
export function defaultGatewaysOf(link: Link, node: NodeView): readonly string[] {
  return gatewaysByFamily(link, node)
    .flat()
    .map(({ address }) => address)
    .slice(0, MAX_DEFAULT_GATEWAYS);
}

/** The default gateways of a device that have different weights, by family: OVN's routes have none (ovn-nb(5), Logical_Router_Static_Route). */
export function unequalGatewaysOf(link: Link, node: NodeView): readonly (readonly DefaultGateway[])[] {
  return gatewaysByFamily(link, node).filter((gateways) => new Set(gateways.map(({ weight }) => weight)).size > 1);
}
