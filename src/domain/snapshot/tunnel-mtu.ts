import { compareAddresses, familyOf } from '../basics/addresses/ip-address.ts';
import { least } from '../basics/names/ordering.ts';
import type { Link } from './node-parts.ts';
import type { NodeSnapshot } from './node-snapshot.ts';
import { tunnelAddressesOf } from './tunnel-addresses.ts';

/**
 * Bytes that a tunnel adds to a packet of a pod, by the family of its addresses: the Ethernet header inside (14), Geneve with the option of OVN (16), UDP (8), and
 * IPv4 (20) or IPv6 (40) (RFC 8926, section 3.1; ovn-architecture(7), "Tunnel Encapsulations").
 */
const OVERHEAD = { 4: 58, 6: 78 } as const;

/** The longest packet of a pod that fits through the tunnels of a node. */
export interface TunnelMtu {
  /** Bytes. */
  readonly bytes: number;
  /** The device with the address where tunnels end. */
  readonly device: string;
  /** MTU of the device, in bytes. */
  readonly deviceMtu: number;
}

function tunnelMtuBy({ name: device, mtu: deviceMtu }: Link, family: 4 | 6): TunnelMtu {
  return { bytes: deviceMtu - OVERHEAD[family], device, deviceMtu };
}

/** The longest packet of a pod that fits through all tunnels of a node; undefined where no device has an address at which they end. */
export function tunnelMtuOf(node: Pick<NodeSnapshot, 'links' | 'switchExternalIds'>): TunnelMtu | undefined {
  const all = tunnelAddressesOf(node).flatMap((address) => {
    const family = familyOf(address);
    const link = node.links.find(({ addresses }) =>
      addresses.some((each) => familyOf(each.address) === family && compareAddresses(each.address, address) === 0),
    );
    return link === undefined || family === undefined ? [] : [tunnelMtuBy(link, family)];
  });
  return least(all, (left, right) => left.bytes - right.bytes);
}
