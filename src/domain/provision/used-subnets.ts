/**
 * Do the subnets of a network overlap with subnets that its pods or nodes also use? (OKEP-5193, IP Addressing)
 *
 * Subnets of different networks may overlap: they never meet.
 */
import { joinSubnet } from '../allocation/addresses.ts';
import { DEFAULT_NETWORK_JOIN_SUBNETS, TRANSIT_SUBNETS } from '../conventions.ts';
import { subnetsOverlap } from '../ip-address.ts';
import type { TenantNetwork } from './tenant-network.ts';

/** What a subnet is used for. */
export type SubnetUse =
  | 'pods'
  | 'join'
  | 'transit'
  | 'masquerade'
  | 'services'
  | 'uplink'
  | 'default-network'
  | 'default-network-join'
  | 'node';

/** A subnet in use. */
export interface UsedSubnet {
  readonly use: SubnetUse;
  /** CIDR. */
  readonly subnet: string;
  /** Of an uplink or a node, its name. */
  readonly of?: string;
}

/** Two subnets that overlap, the first of which is of the network. */
export interface UsedTwice {
  readonly own: UsedSubnet;
  readonly other: UsedSubnet;
}

const withUse = (use: SubnetUse, subnets: readonly string[]) => subnets.map((subnet) => ({ use, subnet }));

/** The subnets of a network that must be unique in the cluster. */
function subnetsOf({ subnets, joinSubnets }: TenantNetwork): readonly UsedSubnet[] {
  const join = ([4, 6] as const).flatMap((family) => joinSubnet(joinSubnets, family) ?? []);
  return [
    ...withUse(
      'pods',
      subnets.map(({ cidr }) => cidr),
    ),
    ...withUse('join', join),
  ];
}

/** The first subnet of a network that overlaps with another one that is in use; undefined for none. @param used those of the cluster */
export function firstUsedTwice(network: TenantNetwork, used: readonly UsedSubnet[]): UsedTwice | undefined {
  const own = subnetsOf(network);
  const others = [
    ...withUse('transit', TRANSIT_SUBNETS),
    ...withUse('default-network-join', DEFAULT_NETWORK_JOIN_SUBNETS),
    ...used,
  ];
  for (const [index, each] of own.entries()) {
    const other = [...own.slice(index + 1), ...others].find(({ subnet }) => subnetsOverlap(each.subnet, subnet));
    if (other !== undefined) return { own: each, other };
  }
  return undefined;
}
