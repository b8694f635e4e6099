import { familyOf } from '../ip-address.ts';
import { familiesOf } from '../selection/network.ts';
import type { NetworkCheck } from './network-check.ts';

/** The uplink has an address of every family that the network has. */
export const addressFamilies: NetworkCheck = ({ network, ipAddresses }) => {
  const present = new Set(ipAddresses.map(familyOf));
  const families = familiesOf(network).filter((family) => !present.has(family));
  return families.length === 0 ? undefined : { reason: 'AddressFamilyMissing', families };
};
