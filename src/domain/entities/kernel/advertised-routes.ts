/**
 * Routes from router advertisements: the kernel adds them again if it reads advertisements itself. Where a daemon reads them instead, such as
 * NetworkManager, systemd-networkd or dhcpcd, it adds its routes to the main table, and only when the router advertises something else.
 */
import type { NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { deviceSetting } from '../../snapshot/device-settings.ts';

/** Protocol of routes to routers (rtnetlink(7), RTPROT_RA), as ip prints it. */
const ADVERTISED: readonly string[] = ['ra', '9'];

/**
 * Whether the kernel reads the router advertisements that a device receives (include/net/ipv6.h, ipv6_accept_ra; ip-sysctl, accept_ra): with 1 not
 * while the device forwards. Unknown settings count as usual.
 */
function acceptsAdvertisements(device: string, { sysctls }: Pick<NodeSnapshot, 'sysctls'>): boolean {
  const acceptance = sysctls[deviceSetting(6, device, 'accept_ra')];
  if (acceptance === undefined || acceptance === '2') return true;
  const forwarding = sysctls[deviceSetting(6, device, 'forwarding')] ?? '0';
  return acceptance !== '0' && forwarding === '0';
}

/** Whether the kernel adds a route again: to a router, or to a prefix as long as that is advertised (RFC 4861, section 6.3.4). */
export function isAdvertisedAgain(
  { protocol, expiresSeconds, nextHops }: Route,
  node: Pick<NodeSnapshot, 'sysctls'>,
): boolean {
  const isAdvertised = ADVERTISED.includes(protocol) || (protocol === 'kernel' && expiresSeconds !== undefined);
  return isAdvertised && nextHops.every(({ device = '' }) => acceptsAdvertisements(device, node));
}
