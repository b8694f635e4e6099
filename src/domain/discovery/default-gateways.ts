import { MAX_DEFAULT_GATEWAYS } from '../api/uplink-state.ts';
import { MAIN_TABLE, OWN_ROUTE_PROTOCOL } from '../basics/conventions.ts';
import {
  addressFamilies,
  canonicalAddress,
  compareAddresses,
  familyOf,
  subnetContains,
} from '../basics/addresses/ip-address.ts';
import type { Link, Route, Rule, Table } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { byName, least } from '../basics/names/ordering.ts';
import { isWayOut, reached, waysOut } from '../snapshot/ways-out.ts';

/** The table that routes out of a device are looked up in: main, or that of the VRF that the device is a member of. */
export function routingTableOf(link: Link, node: NodeView): number {
  const master = link.master === undefined ? undefined : node.link(link.master);
  return master?.vrfTable ?? MAIN_TABLE;
}

/** Whether others have added a default route or half of one, be it for some packets only. */
function isForeignDefault({ family, type, destination, protocol }: Route): boolean {
  if (protocol === OWN_ROUTE_PROTOCOL || type !== 'unicast') return false;
  return waysOut[family].some((way) => way.includes(destination));
}

/** Whether a route is for some packets only, and so no way out for all of them. */
function isRestricted({ source, typeOfService }: Route): boolean {
  return source !== undefined || typeOfService !== undefined;
}

/** A next hop of default routes. */
interface DefaultGateway {
  readonly address: string;
  /** Its share of the packets, 1 to 256. */
  readonly weight: number;
  /** The source address that its route has for packets of the node (ip-route(8), `src`). */
  readonly preferredSource?: string;
}

/** The order in which the kernel prefers routes of one destination: by metric, then by router preference (RFC 4191, section 3.2). */
function comparePreference(left: Route, right: Route): number {
  return left.metric - right.metric || preferenceRank(left) - preferenceRank(right);
}

function preferenceRank({ preference = 'medium' }: Route): number {
  return ['high', 'medium', 'low'].indexOf(preference);
}

/** The next hops out of a device that OVN can use: it has no routes by a gateway of the other family, and none without a gateway. */
function gatewaysOf({ family, nextHops, preferredSource }: Route, device: string): readonly DefaultGateway[] {
  return nextHops.flatMap(({ device: out, gateway, weight = 1 }) =>
    out === device && gateway !== undefined && familyOf(gateway) === family
      ? [{ address: canonicalAddress(gateway), weight, ...(preferredSource !== undefined && { preferredSource }) }]
      : [],
  );
}

/** The gateways that the kernel uses of some default routes of one family: those of worse routes are used once there is no better one. In numeric order, none twice. */
function bestGateways({ name }: Link, routes: readonly Route[]): readonly DefaultGateway[] {
  const usable = routes.filter((route) => gatewaysOf(route, name).length > 0);
  const best = least(usable, comparePreference);
  if (best === undefined) return [];
  const gateways = usable
    .filter((route) => comparePreference(route, best) === 0)
    .flatMap((route) => gatewaysOf(route, name))
    .sort(
      (left, right) =>
        compareAddresses(left.address, right.address) ||
        byName(left.preferredSource ?? '', right.preferredSource ?? ''),
    );
  return [...new Map(gateways.map((gateway) => [gateway.address, gateway])).values()];
}

/** The gateways that all parts of a way out have in common: those of a default route, or of both its halves. */
function commonGateways(way: readonly string[], link: Link, routes: readonly Route[]): readonly DefaultGateway[] {
  const [first = [], ...others] = way.map((part) =>
    bestGateways(
      link,
      routes.filter(({ destination }) => destination === part),
    ),
  );
  return first.filter(({ address }) => others.every((gateways) => gateways.some((each) => each.address === address)));
}

/** The gateways of a table. The kernel prefers halves, whose prefixes are longer, to a default route. */
function gatewaysIn(table: Table, family: 4 | 6, link: Link, routes: readonly Route[]): readonly DefaultGateway[] {
  const ofTable = routes.filter((route) => route.table === table && !isRestricted(route));
  const found = [...waysOut[family]].reverse().map((way) => commonGateways(way, link, ofTable));
  return found.find(({ length }) => length > 0) ?? [];
}

/** Whether a rule takes what the one of the main table leaves: with a default route in that, nothing. */
function isBehindMain(rule: Rule, { snapshot: { rules, routes } }: NodeView): boolean {
  const { family } = rule;
  const isOfMain = ({ table, mark, others }: Rule) =>
    table === MAIN_TABLE && mark === undefined && Object.keys(others).length === 0;
  const isBehind = rules.some((other) => other.family === family && other.priority < rule.priority && isOfMain(other));
  const leadingOut = () => routes.filter((route) => route.family === family && isWayOut(route));
  return isBehind && reached(family, leadingOut()).size > 0;
}

/**
 * The tables that rules select for what comes from an address of a device, without further conditions: hosts with several uplinks have a table for
 * each (ip-rule(8), `from`; systemd.network(5), RoutingPolicyRule). A rule that is not reached selects none.
 */
function tablesForSources({ addresses }: Link, family: 4 | 6, node: NodeView): readonly Table[] {
  const length = family === 4 ? '32' : '128';
  return node.snapshot.rules
    .filter(({ family: of, mark, others: { src, srclen = length, ...conditions } }) => {
      if (of !== family || mark !== undefined || src === undefined || Object.keys(conditions).length > 0) return false;
      const subnet = `${src.replaceAll('"', '')}/${srclen}`;
      return addresses.some(({ address }) => familyOf(address) === family && subnetContains(subnet, address));
    })
    .filter((rule) => !isBehindMain(rule, node))
    .sort((left, right) => left.priority - right.priority)
    .flatMap(({ table }) => table ?? []);
}

/** The default routes out of a device of a family that others have added, and halves of some, in any table. */
function foreignDefaults(family: 4 | 6, { name }: Link, node: NodeView): readonly Route[] {
  return node.routesOutOf(name).filter((route) => route.family === family && isForeignDefault(route));
}

/** The gateways of a family in the first table that has any: the table of the device, else those for its addresses. */
function gatewaysOfFamily(family: 4 | 6, link: Link, node: NodeView): readonly DefaultGateway[] {
  const routes = foreignDefaults(family, link, node);
  const own = gatewaysIn(routingTableOf(link, node), family, link, routes);
  if (own.length > 0 || routes.length === 0) return own;
  const others = tablesForSources(link, family, node).map((table) => gatewaysIn(table, family, link, routes));
  return others.find((gateways) => gateways.length > 0) ?? [];
}

/** The source addresses that the default routes in use out of a device have for packets of the node (ip-route(8), `src`). */
export function preferredSourcesOf(link: Link, node: NodeView): readonly string[] {
  return addressFamilies
    .flatMap((family) => gatewaysOfFamily(family, link, node))
    .flatMap(({ preferredSource }) => (preferredSource === undefined ? [] : [canonicalAddress(preferredSource)]));
}

/** Why a default route, or half of one, gives no gateway. */
export interface UnusedDefaultRoute {
  readonly route: Route;
  readonly why: 'some-packets' | 'no-gateway' | 'gateway-of-other-family' | 'one-half' | 'other-table';
}

/** The default routes of a family out of a device that has no gateway of the family. */
export function unusedDefaultRoutes(family: 4 | 6, link: Link, node: NodeView): readonly UnusedDefaultRoute[] {
  if (gatewaysOfFamily(family, link, node).length > 0) return [];
  const routes = foreignDefaults(family, link, node);
  return routes.map((route) => ({ route, why: whyUnused(route, link, routes) }));
}

function whyUnused(route: Route, link: Link, routes: readonly Route[]): UnusedDefaultRoute['why'] {
  if (isRestricted(route)) return 'some-packets';
  if (gatewaysOf(route, link.name).length > 0) {
    return gatewaysIn(route.table, route.family, link, routes).length > 0 ? 'other-table' : 'one-half';
  }
  return route.nextHops.some(({ gateway }) => gateway !== undefined) ? 'gateway-of-other-family' : 'no-gateway';
}

/**
 * Next hops of the default routes out of a device, of each family those of the best metric, in numeric order, IPv4 first, none twice, at most 64
 * (docs/design/api-decisions.md, "Ready"). Managed routes do not count: they were derived from these.
 */
export function defaultGatewaysOf(link: Link, node: NodeView): readonly string[] {
  return addressFamilies
    .flatMap((family) => gatewaysOfFamily(family, link, node))
    .map(({ address }) => address)
    .slice(0, MAX_DEFAULT_GATEWAYS);
}

/** The default gateways of a device that have different weights, by family: OVN's routes have none (ovn-nb(5), Logical_Router_Static_Route). */
export function unequalGatewaysOf(
  families: ReadonlySet<4 | 6>,
  link: Link,
  node: NodeView,
): readonly (readonly DefaultGateway[])[] {
  return addressFamilies
    .filter((family) => families.has(family))
    .map((family) => gatewaysOfFamily(family, link, node))
    .filter((gateways) => new Set(gateways.map(({ weight }) => weight)).size > 1);
}
