import { familyOf } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { type Change, done, refused } from '../change.ts';
import { settingOf } from '../device.ts';
import { withIpv4Addresses } from './ipv4-addresses-change.ts';
import { isSecondary, shareSubnet } from './ipv4-device-routes.ts';
import { withLifetimes } from '../lifetime.ts';

/** Flags of an IPv4 address that can be set; the kernel sets the others, or they are of IPv6 (net/ipv4/devinet.c, __inet_insert_ifa). */
const REQUESTED_FLAGS = ['autojoin', 'noprefixroute'];

/**
 * Adds an IPv4 address to a device. A further one of a subnet becomes secondary; of an existing one only the metric and the
 * lifetimes change (net/ipv4/devinet.c, inet_rtm_newaddr).
 */
export function putIpv4Address(node: NodeSnapshot, link: Link, wanted: Address): Change {
  const siblings = link.addresses.filter(
    (other) =>
      familyOf(other.address) === 4 && other.prefixLength === wanted.prefixLength && shareSubnet(other, wanted),
  );
  const existing = siblings.find(({ address }) => address === wanted.address);
  if (existing !== undefined) {
    const changed = withLifetimes(withMetric(existing, wanted.metric), wanted);
    const addresses = link.addresses.map((address) => (address === existing ? changed : address));
    return done(withIpv4Addresses(node, link, addresses));
  }
  if (siblings.some(({ scope }) => scope !== wanted.scope)) {
    return refused('Invalid scope value', `${wanted.address} on ${link.name}`);
  }
  const flags = wanted.flags.filter((flag) => REQUESTED_FLAGS.includes(flag));
  const added = withLifetimes(
    { ...wanted, label: wanted.label ?? link.name, flags: siblings.length === 0 ? flags : [...flags, 'secondary'] },
    wanted,
  );
  return done(withIpv4Addresses(node, link, [...link.addresses, added]));
}

function withMetric(address: Address, metric: number | undefined): Address {
  const { metric: _metric, ...rest } = address;
  return { ...rest, ...(metric !== undefined && { metric }) };
}

/**
 * Removes an IPv4 address. The secondary ones of its subnet are removed with a primary address, or the first of them takes its
 * place if the setting `promote_secondaries` of the device or of `all` is set (net/ipv4/devinet.c, __inet_del_ifa).
 */
export function deleteIpv4Address(node: NodeSnapshot, link: Link, gone: Address): NodeSnapshot {
  const isDependent = (other: Address): boolean =>
    !isSecondary(gone) && other !== gone && isSecondary(other) && shareSubnet(other, gone);
  const promotes = ['all', link.name].some((name) => settingOf(node, [4, name, 'promote_secondaries'], 0) !== 0);
  const heir = promotes ? link.addresses.find(isDependent) : undefined;
  const left = link.addresses.filter((address) => address !== gone && (promotes || !isDependent(address)));
  const addresses = left.map((address) => (address === heir ? withoutSecondary(address) : address));
  return withIpv4Addresses(node, link, addresses);
}

function withoutSecondary(address: Address): Address {
  return { ...address, flags: address.flags.filter((flag) => flag !== 'secondary') };
}
