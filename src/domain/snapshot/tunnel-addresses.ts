import { ENCAPSULATION_ADDRESSES_KEY } from '../basics/conventions.ts';
import { canonicalAddress, compareAddresses } from '../basics/addresses/ip-address.ts';
import { type TunnelAddresses, tunnelAddressesIn } from '../basics/addresses/tunnel-address.ts';
import { valueInForce } from './controller-keys.ts';
import type { Link, NodeSnapshot } from './node-snapshot.ts';

type Switch = Pick<NodeSnapshot, 'switchExternalIds'>;

/** Where the tunnels of a node end, as Open vSwitch says, and what is no address of them (ovn-controller(8), ovn-encap-ip). */
export function tunnelAddressesReadFrom({ switchExternalIds }: Switch): TunnelAddresses {
  const text = valueInForce(ENCAPSULATION_ADDRESSES_KEY, switchExternalIds) ?? '';
  return tunnelAddressesIn(text.split(',').flatMap((address) => address.trim() || []));
}

/** The addresses where the tunnels of a node end, each once. */
export function tunnelAddressesOf(node: Switch): readonly string[] {
  return tunnelAddressesReadFrom(node).addresses;
}

/** The first address of a device where tunnels of the node end, in numeric order; undefined for none. */
export function tunnelEndOn({ addresses }: Pick<Link, 'addresses'>, node: Switch): string | undefined {
  const assigned = new Set(addresses.map(({ address }) => canonicalAddress(address)));
  const ends = tunnelAddressesOf(node).filter((address) => assigned.has(address));
  return ends.toSorted(compareAddresses)[0];
}
