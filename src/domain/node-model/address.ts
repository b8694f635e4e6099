import type { Address, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done } from './change.ts';

/** Puts an address on a device, or changes it there: `ip address replace ADDRESS/LENGTH dev DEVICE`. */
export function putAddress(node: NodeSnapshot, device: string, address: Address): Change {
  const others = (addresses: readonly Address[]): readonly Address[] =>
    addresses.filter((other) => other.address !== address.address || other.prefixLength !== address.prefixLength);
  return done({
    ...node,
    links: node.links.map((link) =>
      link.name === device ? { ...link, addresses: [...others(link.addresses), address] } : link,
    ),
  });
}

/** Takes an address from a device: `ip address delete ADDRESS/LENGTH dev DEVICE`. */
export function deleteAddress(node: NodeSnapshot, device: string, address: string, prefixLength: number): Change {
  return done({
    ...node,
    links: node.links.map((link) =>
      link.name === device
        ? {
            ...link,
            addresses: link.addresses.filter(
              (other) => other.address !== address || other.prefixLength !== prefixLength,
            ),
          }
        : link,
    ),
  });
}
