/** The managed routes of a network's table (docs/design/dataplane.md, "Desired state"). */
import { FALLBACK_ROUTE_METRIC, OWN_ROUTE_PROTOCOL } from '../basics/conventions.ts';
import { familyOf, isLinkLocal, subnetContains } from '../basics/addresses/ip-address.ts';
import { canonical } from '../basics/names/ordering.ts';
import type { NextHop, Route } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/** The metric of an IPv6 route that is added without one (Linux, IP6_RT_PRIO_USER). */
const IPV6_DEFAULT_METRIC = 1024;

/** A managed route, apart from where it leads. */
export function ownRoute(family: 4 | 6, table: number, destination: string): Omit<Route, 'nextHops' | 'type'> {
  return { family, table, destination, protocol: OWN_ROUTE_PROTOCOL, metric: family === 6 ? IPV6_DEFAULT_METRIC : 0 };
}

function everything(family: 4 | 6): string {
  return family === 4 ? '0.0.0.0/0' : '::/0';
}

/** A gateway outside the subnets of the interface is `onlink`, as in the administrator's own route. */
function hopTo(gateway: string, { device, node }: DataplaneInput): NextHop {
  const isNear =
    (familyOf(gateway) === 6 && isLinkLocal(gateway)) ||
    node
      .link(device)
      ?.addresses.some(({ address, prefixLength }) => subnetContains(`${address}/${prefixLength}`, gateway)) === true;
  return { device, gateway, ...(!isNear && { onlink: true as const }) };
}

/** In the default routing domain the administrator's default route stays in the main table, so the table of the network gets one of its own. */
function defaultRoute(input: DataplaneInput, family: 4 | 6): readonly Route[] {
  if (input.vrf.enslaves) return [];
  const gateways = input.defaultGateways.filter((gateway) => familyOf(gateway) === family);
  if (gateways.length === 0) return [];
  return [
    {
      ...ownRoute(family, input.vrf.table, everything(family)),
      type: 'unicast',
      // In a canonical order: the kernel compares the next hops of an IPv4 route in order.
      nextHops: canonical(gateways.map((gateway) => hopTo(gateway, input))),
      metrics: { mtu: input.mtu },
    },
  ];
}

/** Packets without a route in the table of the network never use another table. */
export function fallbackRoute(family: 4 | 6, table: number): Route {
  return {
    ...ownRoute(family, table, everything(family)),
    type: 'unreachable',
    metric: FALLBACK_ROUTE_METRIC,
    nextHops: [],
  };
}

/** Whether the node has an address, or will have it once ovn-uplinks has added it. */
function hasSource(address: string, { vrf, node }: Pick<DataplaneInput, 'vrf' | 'node'>): boolean {
  return vrf.enslaves || node.hasAddress(address);
}

/** The host address that the service routes of the network need, if no device has it: they wait until OVN-Kubernetes adds it. */
export function missingServiceSource(
  input: Pick<DataplaneInput, 'families' | 'vrf' | 'node' | 'addressing'>,
): string | undefined {
  return input.families
    .flatMap((family) => input.addressing[family].hostAddresses.slice(0, 1))
    .find((address) => !hasSource(address, input));
}

function serviceRoutes(input: DataplaneInput, family: 4 | 6): readonly Route[] {
  const {
    serviceSubnets,
    hostAddresses: [source],
    dummyNextHop: nextHop,
  } = input.addressing[family];
  if (source === undefined || nextHop === undefined || !hasSource(source, input)) return [];
  return serviceSubnets.map((destination) => ({
    ...ownRoute(family, input.vrf.table, destination),
    type: 'unicast',
    nextHops: [{ device: input.device, gateway: nextHop.address, ...(family === 4 && { onlink: true as const }) }],
    preferredSource: source,
  }));
}

/** The managed routes of a network's table. */
export function wantedRoutes(input: DataplaneInput): readonly Route[] {
  return input.families.flatMap((family) => [
    ...defaultRoute(input, family),
    // In an existing VRF of others, its routes decide.
    ...(input.vrf.own ? [fallbackRoute(family, input.vrf.table)] : []),
    ...serviceRoutes(input, family),
  ]);
}
