import { managementPortMasqueradeAddress, subnetOfFamily } from '../../network/allocation/addresses.ts';
import type { LogicalNetwork } from '../logical-network/node-addresses.ts';
import { addressFamilies, type AddressFamily, familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';

/** The address of a network on its nodes, of one family: packets that leave by the node have it between OVN and the kernel. All networks have different ones. */
export interface NetworkAddress {
  readonly family: AddressFamily;
  readonly address: string;
}

/** The addresses of a network on its nodes, IPv4 first: that of its management port among the masquerade addresses. @param masqueradeSubnets CIDR */
export function networkAddresses(
  { networkId, subnets }: Pick<LogicalNetwork, 'networkId' | 'subnets'>,
  masqueradeSubnets: readonly string[],
): readonly NetworkAddress[] {
  return addressFamilies
    .filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family))
    .flatMap((family) => {
      const cidr = managementPortMasqueradeAddress(subnetOfFamily(masqueradeSubnets, family), networkId);
      return cidr === undefined ? [] : [{ family, address: withoutLength(cidr) }];
    });
}
