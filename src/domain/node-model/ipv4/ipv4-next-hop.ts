import { MAIN_TABLE } from '../../basics/conventions.ts';
import { familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Table } from '../../snapshot/node-snapshot.ts';
import { linkOf, LOCAL_TABLE, vrfTableOf } from '../device.ts';
import { checkIpv6Hop } from '../ipv6/ipv6-next-hop.ts';
import { type Checked, valid } from '../checked.ts';
import { invalidHop } from '../next-hop.ts';
import { type LookupResult, lookUpIn } from '../route-lookup.ts';
import { lookUpByRules } from '../rules/rule-lookup.ts';
import { HOST_SCOPE, LINK_SCOPE } from '../scopes.ts';

/** Where a next hop is used. */
export interface Ipv4Use {
  readonly table: Table;
  /** Scope of the route as a number. */
  readonly scope: number;
}

/** Checks a next hop of an IPv4 route (net/ipv4/fib_semantics.c, fib_check_nh). */
export function checkIpv4Hop(node: NodeSnapshot, use: Ipv4Use, hop: NextHop): Checked<NextHop> {
  if (hop.device !== undefined && linkOf(node, hop.device) === undefined) return invalidHop(hop, 'Cannot find device');
  if (use.scope === HOST_SCOPE)
    return hop.gateway === undefined ? valid(hop) : invalidHop(hop, 'Route with host scope can not have a gateway');
  if (hop.gateway === undefined) return checkDevice(node, hop);
  if (familyOf(hop.gateway) === 6) return checkIpv6Hop(node, use.table, hop);
  return hop.onlink === true ? checkOnLink(node, use, hop, hop.gateway) : checkGateway(node, use, hop, hop.gateway);
}

function checkDevice(node: NodeSnapshot, hop: NextHop): Checked<NextHop> {
  const link = linkOf(node, hop.device ?? '');
  if (hop.onlink === true) return invalidHop(hop, 'ONLINK can not be set without a gateway');
  if (link === undefined) return invalidHop(hop, 'No such device');
  return link.up ? valid(hop) : invalidHop(hop, 'Device for nexthop is not up');
}

/** An on-link gateway needs no route, but must not be an address of the device itself (fib_check_nh_v4_gw). */
function checkOnLink(node: NodeSnapshot, { scope }: Ipv4Use, hop: NextHop, gateway: string): Checked<NextHop> {
  const link = linkOf(node, hop.device ?? '');
  if (scope >= LINK_SCOPE) return invalidHop(hop, 'Nexthop has invalid scope');
  if (link === undefined) return invalidHop(hop, 'Nexthop device required for onlink');
  if (!link.up) return invalidHop(hop, 'Nexthop device is not up');
  const result = lookUpIn(node, vrfTableOf(node, link) ?? LOCAL_TABLE, { family: 4, address: gateway });
  const isOther = !result.found || result.route.type === 'unicast' || result.hop.device !== link.name;
  return isOther && !isNoHost(gateway) ? valid(hop) : invalidHop(hop, 'Nexthop has invalid gateway');
}

function isNoHost(address: string): boolean {
  return ['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32'].some((subnet) => subnetContains(subnet, address));
}

/**
 * A gateway must be reachable without another gateway, by a route of narrower scope than the new one: in the new route's table, else in those
 * that the rules select. A local address is such a gateway, too (fib_check_nh_v4_gw).
 */
function checkGateway(node: NodeSnapshot, { table, scope }: Ipv4Use, hop: NextHop, gateway: string): Checked<NextHop> {
  const query = { family: 4, address: gateway, device: hop.device, scope: Math.max(scope + 1, LINK_SCOPE) } as const;
  const near: LookupResult = table === MAIN_TABLE ? { found: false, refused: false } : lookUpIn(node, table, query);
  const result = near.found ? near : lookUpByRules(node, query);
  if (!result.found || !['unicast', 'local'].includes(result.route.type)) {
    return invalidHop(hop, 'Nexthop has invalid gateway');
  }
  const { device } = result.hop;
  return valid({ ...hop, ...(device !== undefined && { device }) });
}

/** Whether a route of a table may have an address as its source: it is local in that table, or outside of VRFs (fib_valid_prefsrc). */
export function isIpv4Source(node: NodeSnapshot, table: Table, address: string): boolean {
  return [table === MAIN_TABLE ? LOCAL_TABLE : table, LOCAL_TABLE].some((searched) => {
    const result = lookUpIn(node, searched, { family: 4, address });
    return result.found && result.route.type === 'local';
  });
}
