import { canonicalAddress, isLinkLocal, linkLocalAddressOf } from '../ip-address.ts';
import type { Address, Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { hasCarrier, isVrf } from './device.ts';
import { runsIpv6 } from './ipv6-device-routes.ts';

function isIpv6LinkLocal({ address, scope }: Address): boolean {
  return scope === 'link' && address.includes(':') && isLinkLocal(address);
}

/** Whether an address is one that the kernel made of a secret: it says so, or could not make it of a MAC address (RFC 7217). */
function isOfSecret({ type }: Link, address: Address): boolean {
  return isIpv6LinkLocal(address) && (address.flags.includes('stable-privacy') || type === 'none');
}

/**
 * The addresses of a secret that the kernel makes again: the secret, drawn by lot or set by hand, is the device's for as long as there is
 * the device. What they would be nobody can tell who has not seen them.
 */
function addressesOfSecret(link: Link, before: Link): readonly Address[] {
  return before.addresses.filter((address) => isOfSecret(link, address));
}

function addressesOfMacAddress({ type, macAddress = '' }: Link): readonly Address[] {
  const address = linkLocalAddressOf(macAddress);
  return type !== 'ether' || address === undefined ? [] : [{ address, prefixLength: 64, scope: 'link', flags: [] }];
}

/**
 * What a device makes, judged by what it had when it was ready: another program may have switched the kernel's address off and made one of
 * its own.
 */
function judgedByBefore(link: Link, before: Link): readonly Address[] {
  const ofSecret = addressesOfSecret(link, before);
  const ofMacAddress = addressesOfMacAddress(link);
  const had = before.addresses.some(({ address }) => canonicalAddress(address) === ofMacAddress[0]?.address);
  const wasReady = before.up && hasCarrier(before);
  return had || (!wasReady && ofSecret.length === 0) ? [...ofSecret, ...ofMacAddress] : ofSecret;
}

/**
 * The link-local addresses that the kernel makes when a device comes up (net/ipv6/addrconf.c, addrconf_addr_gen). VRF devices have none; a
 * device that has no MAC address makes its own of a secret, also where `eui64` is said.
 *
 * @param before the device before it went down
 */
export function linkLocalAddresses(node: NodeSnapshot, link: Link, before: Link): readonly Address[] {
  if (isVrf(link) || !hasCarrier(link) || !runsIpv6(node, link)) return [];
  switch (link.addressGeneration) {
    case undefined:
      return judgedByBefore(link, before);
    case 'none':
      return [];
    case 'eui64':
      return link.type === 'none' ? addressesOfSecret(link, before) : addressesOfMacAddress(link);
    default:
      return addressesOfSecret(link, before);
  }
}
