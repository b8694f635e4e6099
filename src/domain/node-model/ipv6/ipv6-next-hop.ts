import { MAIN_TABLE } from '../../basics/conventions.ts';
import { canonicalAddress, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NextHop, NodeSnapshot, Table } from '../../snapshot/node-snapshot.ts';
import { linkOf, vrfOf, vrfTableOf } from '../device.ts';
import { runsIpv6 } from './ipv6-device-routes.ts';
import { type Checked, valid } from '../checked.ts';
import { invalidHop } from '../next-hop.ts';
import { type LookupResult, lookUpIn } from '../route-lookup.ts';
import { lookUpByRules } from '../rules/rule-lookup.ts';

/** Checks a next hop of a route in a table, where the gateway is IPv6 or there is none (net/ipv6/route.c, fib6_nh_init). */
export function checkIpv6Hop(node: NodeSnapshot, table: Table, hop: NextHop): Checked<NextHop> {
  const link = hop.device === undefined ? undefined : linkOf(node, hop.device);
  if (hop.device !== undefined && link === undefined) return invalidHop(hop, 'Cannot find device');
  if (hop.onlink === true && link?.up !== true) return invalidHop(hop, 'Nexthop device is not up');
  const checked = hop.gateway === undefined ? valid(hop) : checkGateway(node, table, hop, hop.gateway, link);
  if (!checked.valid) return checked;
  const out = linkOf(node, checked.value.device ?? '');
  if (out === undefined) return invalidHop(hop, 'No such device');
  if (!runsIpv6(node, out)) return invalidHop(hop, 'IPv6 is disabled on nexthop device');
  return out.up ? checked : invalidHop(hop, 'Nexthop device is not up');
}

/** (net/ipv6/route.c, ip6_validate_gw) */
function checkGateway(
  node: NodeSnapshot,
  table: Table,
  hop: NextHop,
  gateway: string,
  link: Link | undefined,
): Checked<NextHop> {
  if (link !== undefined && isOwn(node, link, gateway)) return invalidHop(hop, OWN_ADDRESS);
  if (subnetContains('ff00::/8', gateway) || gateway === '::') return invalidHop(hop, 'Invalid gateway address');
  const checked = isLinkLocal(gateway) ? valid(hop) : checkReachable(node, table, hop, gateway, link);
  if (!checked.valid) return checked;
  const out = linkOf(node, checked.value.device ?? '');
  if (out === undefined) return invalidHop(hop, 'Egress device not specified');
  if (out.type === 'loopback') return invalidHop(hop, 'Egress device can not be loopback device for this route');
  return link === undefined && isOwn(node, out, gateway) ? invalidHop(hop, OWN_ADDRESS) : checked;
}

const OWN_ADDRESS = 'Gateway can not be a local address';

function isLinkLocal(address: string): boolean {
  return subnetContains('fe80::/10', address);
}

function checkReachable(
  node: NodeSnapshot,
  table: Table,
  hop: NextHop,
  gateway: string,
  link: Link | undefined,
): Checked<NextHop> {
  if (hop.onlink === true && link !== undefined) return checkOnLink(node, hop, gateway, link);
  const query = { family: 6, address: gateway, device: hop.device } as const;
  const near = lookUpIn(node, table, query);
  const result = isDirect(near) ? near : lookUpByRules(node, query);
  // The gateway must not be behind another gateway, another device or a route that refuses packets (ip6_route_check_nh).
  const isThere = isDirect(result) && (link === undefined || result.hop.device === link.name);
  if (!isThere) return invalidHop(hop, 'No route to host');
  const { device } = result.hop;
  return valid({ ...hop, ...(device !== undefined && { device }) });
}

function isDirect(result: LookupResult): result is Extract<LookupResult, { found: true }> {
  return result.found && result.hop.gateway === undefined;
}

/** An on-link gateway must not be reachable elsewhere in the routing domain, except by a default route (ip6_route_check_nh_onlink). */
function checkOnLink(node: NodeSnapshot, hop: NextHop, gateway: string, link: Link): Checked<NextHop> {
  const table = vrfTableOf(node, link) ?? MAIN_TABLE;
  const here = lookUpIn(node, table, { family: 6, address: gateway, device: link.name });
  const result = here.found ? here : lookUpIn(node, table, { family: 6, address: gateway });
  if (!result.found || result.route.destination === '::/0') return valid(hop);
  const isHere = result.route.type === 'unicast' && result.hop.device === link.name;
  return isHere ? valid(hop) : invalidHop(hop, 'Nexthop has invalid gateway or device mismatch');
}

/** Whether a device's routing domain has an address: a link-local one only counts on the device itself (net/ipv6/addrconf.c, ipv6_chk_addr_and_flags). */
function addressOf(node: NodeSnapshot, link: Link, address: string): Address | undefined {
  const text = canonicalAddress(address);
  const bearers = node.links.filter(({ addresses }) => addresses.some((candidate) => candidate.address === text));
  const domain = vrfOf(node, link)?.name;
  return bearers
    .filter((bearer) => vrfOf(node, bearer)?.name === domain)
    .flatMap(({ name, addresses }) =>
      addresses.filter(({ scope }) => name === link.name || (scope !== 'link' && scope !== 'host')),
    )
    .find((candidate) => candidate.address === text);
}

function isOwn(node: NodeSnapshot, link: Link, address: string): boolean {
  return addressOf(node, link, address) !== undefined;
}

/** Whether a route out of a device may have an address as its source: it is one of the device's routing domain and ready for use. */
export function isIpv6Source(node: NodeSnapshot, link: Link, address: string): boolean {
  const found = addressOf(node, link, address);
  return found !== undefined && !found.flags.includes('tentative');
}
