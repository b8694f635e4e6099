import { MAX_DEFAULT_GATEWAYS } from '../api/uplink-state.ts';
import { MAIN_TABLE, OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { canonicalAddress, compareAddresses, familyOf } from '../ip-address.ts';
import type { Link, Route } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
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

/**
 * Next hops of the default routes out of a device, best metric first, then in numeric order, none twice, at most 64
 * (docs/design/api-decisions.md, "Ready"). Managed routes do not count: they were derived from these.
 */
export function defaultGatewaysOf(link: Link, node: NodeView): readonly string[] {
  const table = routingTableOf(link, node);
  const hops = node
    .routesOutOf(link.name)
    .filter((route) => route.table === table && isForeignDefault(route))
    .flatMap(({ family, metric, nextHops }) =>
      nextHops
        .filter(({ device }) => device === link.name)
        .flatMap(({ gateway }) =>
          gateway !== undefined && familyOf(gateway) === family ? [{ metric, gateway: canonicalAddress(gateway) }] : [],
        ),
    )
    .sort((left, right) => left.metric - right.metric || compareAddresses(left.gateway, right.gateway));
  return [...new Set(hops.map(({ gateway }) => gateway))].slice(0, MAX_DEFAULT_GATEWAYS);
}
