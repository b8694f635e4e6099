import { canonicalAddress, isLinkLocal, linkLocalAddressOf } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { hasCarrier, isVrf } from '../device.ts';
import { runsIpv6 } from './ipv6-device-routes.ts';

function isIpv6LinkLocal({ address, scope }: Address): boolean {
  return scope === 'link' && address.includes(':') && isLinkLocal(address);
}

/** Whether the kernel derived an address from a secret (RFC 7217): by its flag, or since the device has no MAC address. */
function isStablePrivacy({ type }: Link, address: Address): boolean {
  return isIpv6LinkLocal(address) && (address.flags.includes('stable-privacy') || type === 'none');
}

/**
 * The addresses from a secret that the kernel adds again: the secret, random or configured, belongs to the device while it exists. The
 * addresses cannot be computed, only observed.
 */
function stablePrivacyAddresses(link: Link, before: Link): readonly Address[] {
  return before.addresses.filter((address) => isStablePrivacy(link, address));
}

function eui64Addresses({ type, macAddress = '' }: Link): readonly Address[] {
  const address = linkLocalAddressOf(macAddress);
  return type !== 'ether' || address === undefined ? [] : [{ address, prefixLength: 64, scope: 'link', flags: [] }];
}

/**
 * The addresses by what the device had before: another program may have disabled the kernel's address and added its
 * own.
 */
function matchingBefore(link: Link, before: Link): readonly Address[] {
  const ofSecret = stablePrivacyAddresses(link, before);
  const ofMacAddress = eui64Addresses(link);
  const had = before.addresses.some(({ address }) => canonicalAddress(address) === ofMacAddress[0]?.address);
  const wasReady = before.up && hasCarrier(before);
  return had || (!wasReady && ofSecret.length === 0) ? [...ofSecret, ...ofMacAddress] : ofSecret;
}

/**
 * The link-local addresses that the kernel makes when a device comes up (net/ipv6/addrconf.c, addrconf_addr_gen). VRF devices have none; a
 * device without a MAC address derives its own from a secret, also with `eui64`.
 *
 * @param before the device before it went down
 */
export function linkLocalAddresses(node: NodeSnapshot, link: Link, before: Link): readonly Address[] {
  if (isVrf(link) || !hasCarrier(link) || !runsIpv6(node, link)) return [];
  switch (link.addressGeneration) {
    case undefined:
      return matchingBefore(link, before);
    case 'none':
      return [];
    case 'eui64':
      return link.type === 'none' ? stablePrivacyAddresses(link, before) : eui64Addresses(link);
    default:
      return stablePrivacyAddresses(link, before);
  }
}
