import { lacksIpv6 } from '../dataplane/ipv6-setting.ts';
import { familyOf } from '../basics/addresses/ip-address.ts';
import type { NetworkCheck } from './network-check.ts';

/** The uplink has an address of every family that the network has. */
export const addressFamilies: NetworkCheck = ({ network, ipAddresses, node }) => {
  const present = new Set(ipAddresses.map(familyOf));
  const families = network.families.filter((family) => !present.has(family));
  if (families.length === 0) return undefined;
  const noIpv6 = families.includes(6) && lacksIpv6(node.snapshot);
  return { reason: 'AddressFamilyMissing', families, ...(noIpv6 && { noIpv6 }) };
};
