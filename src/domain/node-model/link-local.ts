import { canonicalAddress, isLinkLocal, linkLocalAddressOf } from '../ip-address.ts';
import type { Address, Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { hasCarrier, isVrf, settingName } from './device.ts';
import { runsIpv6 } from './ipv6-device-routes.ts';

/** Way in which a device makes its link-local address of its MAC address (linux/if_link.h, IN6_ADDR_GEN_MODE_EUI64). */
const FROM_MAC_ADDRESS = '0';

function isIpv6LinkLocal({ address, scope }: Address): boolean {
  return scope === 'link' && address.includes(':') && isLinkLocal(address);
}

/** Whether the kernel makes the same address again, of a secret: it says so, or could not make it of a MAC address (RFC 7217). */
function isOfSecret({ type }: Link, address: Address): boolean {
  return isIpv6LinkLocal(address) && (address.flags.includes('stable-privacy') || type === 'none');
}

/**
 * The link-local addresses that the kernel makes when a device comes up (net/ipv6/addrconf.c, addrconf_addr_gen). VRF devices have none.
 *
 * How a device makes it is the setting `addr_gen_mode`. Where that was not read, a device that was ready tells it by what it had: another
 * program may have switched the kernel's off and made one of its own.
 *
 * @param before the device before it went down
 */
export function linkLocalAddresses(node: NodeSnapshot, link: Link, before: Link): readonly Address[] {
  if (isVrf(link) || !hasCarrier(link) || !runsIpv6(node, link)) return [];
  const ofSecret = before.addresses.filter((address) => isOfSecret(link, address));
  const ofMacAddress = linkLocalAddressOf(link.macAddress ?? '');
  if (link.type !== 'ether' || ofMacAddress === undefined) return ofSecret;
  const had = before.addresses.some(({ address }) => canonicalAddress(address) === ofMacAddress);
  const wasReady = before.up && hasCarrier(before);
  const mode = node.sysctls[settingName(6, link.name, 'addr_gen_mode')];
  const makes = mode === undefined ? had || (!wasReady && ofSecret.length === 0) : mode === FROM_MAC_ADDRESS;
  return makes ? [...ofSecret, { address: ofMacAddress, prefixLength: 64, scope: 'link', flags: [] }] : ofSecret;
}
