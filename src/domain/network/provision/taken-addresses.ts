/**
 * Whose is an address outside of a network? One that has an owner is never taken over for others. Subnets of a tenant's network count for that network alone, unless its
 * pods are reached by them: an object of a tenant changes nothing that is decided about another one.
 */
import {
  addressFamilies,
  canonicalAddress,
  familyOf,
  LINK_LOCAL_SUBNETS,
  SPECIAL_SUBNETS,
  subnetContains,
} from '../../basics/addresses/ip-address.ts';
import { joinSubnet } from '../allocation/addresses.ts';
import type { Network } from '../network.ts';
import type { SubnetIndex, SubnetUse } from './used-subnets.ts';

/** The owner of an address, or why it can have none. */
export type AddressOwner =
  | SubnetUse
  /** It means no single host of a link, such as a multicast or a link-local address. */
  | 'special'
  /** It is that of a default gateway. */
  | 'gateway'
  /** It is that of a pod of another network, which is reached by it. */
  | 'advertised';

/** Addresses on the links of a node. */
export interface LinkAddresses {
  /** Addresses of the uplinks of the node. */
  readonly uplinks: readonly string[];
  /** Their default gateways. */
  readonly gateways: readonly string[];
  /** Subnets of pods that are advertised on the bridge of the network, CIDR. */
  readonly advertised: readonly string[];
}

/** No addresses. */
export const noLinkAddresses: LinkAddresses = { uplinks: [], gateways: [], advertised: [] };

/** The subnets of a network, and those of its routers. */
function ownUseOf({ subnets, joinSubnets }: Pick<Network, 'subnets' | 'joinSubnets'>, address: string) {
  if (subnets.some(({ cidr }) => subnetContains(cidr, address))) return 'pods';
  const join = addressFamilies.flatMap((family) => joinSubnet(joinSubnets, family) ?? []);
  return join.some((cidr) => subnetContains(cidr, address)) ? 'join' : undefined;
}

/**
 * Finds the owner of an address, as seen from a network; undefined for none.
 *
 * @param used the subnets that the cluster uses
 */
export function ownerOfAddress(
  address: string,
  network: Pick<Network, 'subnets' | 'joinSubnets'>,
  used: SubnetIndex,
  { uplinks, gateways, advertised }: LinkAddresses,
): AddressOwner | undefined {
  const isIn = (subnets: readonly string[]) => subnets.some((cidr) => subnetContains(cidr, address));
  const isOneOf = (addresses: readonly string[]) =>
    addresses.some((other) => canonicalAddress(other) === canonicalAddress(address));
  if (isIn([...SPECIAL_SUBNETS, ...LINK_LOCAL_SUBNETS])) return 'special';
  const own = ownUseOf(network, address);
  if (own !== undefined) return own;
  if (isOneOf(uplinks)) return 'uplink';
  if (isOneOf(gateways)) return 'gateway';
  const use = used.overlapping(`${address}/${familyOf(address) === 4 ? 32 : 128}`)?.use;
  return use ?? (isIn(advertised) ? 'advertised' : undefined);
}
