/**
 * Which addresses does a pod get?
 *
 * The lowest in the node's subnets of each family that no pod has and that has rested: other hosts and connection tracking remember for a while whose it was.
 */
import { podRouterAddress } from '../network/allocation/addresses.ts';
import {
  addressAt,
  addressFamilies,
  familyOf,
  macAddressOf,
  subnetContains,
  withoutLength,
} from '../basics/addresses/ip-address.ts';
import { type AddressRecord, hasEachFamily, isSamePod, podMac } from './address-records.ts';
import type { PodKey } from './pod-key.ts';
import { FIRST_POD_OFFSET, lastPodOffset } from '../network/allocation/reserved-addresses.ts';

/** Seconds for which an address is not given after its pod has gone. */
export const RESTING_SECONDS = 60;

/** An address whose pod has gone. */
export interface ReleasedAddress {
  readonly address: string;
  /** Unix time in seconds. */
  readonly releasedAt: number;
}

/** The addresses of a pod, or the subnets that have none left. */
export type PodAddresses =
  | {
      readonly kind: 'given';
      /** Without prefix length, one of each family, IPv4 before IPv6. */
      readonly addresses: readonly string[];
      readonly mac: string;
      /** Whether it is the pod's already. */
      readonly isKnown: boolean;
    }
  | {
      readonly kind: 'exhausted';
      /** Those of a family, none of which has a free address. */
      readonly subnets: readonly string[];
      /** Number of addresses that rest, and can be given soon. */
      readonly resting: number;
    };

/** The input of the choice of a pod's addresses. */
export interface AddressInput {
  readonly pod: PodKey;
  /** Of the network's pods on this node, CIDR. */
  readonly subnets: readonly string[];
  /** The addresses of all pods of the network on this node. */
  readonly records: readonly AddressRecord[];
  readonly released: readonly ReleasedAddress[];
  /** Unix time in seconds. */
  readonly now: number;
}

/** The released addresses that are not given yet. A time in the future, after the clock was set back, ends the rest at once. */
export function restingAddresses(released: readonly ReleasedAddress[], now: number): readonly ReleasedAddress[] {
  return released.filter(({ releasedAt }) => now >= releasedAt && now - releasedAt < RESTING_SECONDS);
}

function lowestFree(subnets: readonly string[], isFree: (address: string) => boolean): string | undefined {
  for (const subnet of subnets) {
    const last = lastPodOffset(subnet);
    for (let offset = FIRST_POD_OFFSET; offset <= last; offset++) {
      const address = addressAt(subnet, offset);
      if (address !== undefined && isFree(address)) return address;
    }
  }
  return undefined;
}

/** Chooses the addresses of a pod. A pod that has addresses in the subnets keeps them. */
export function podAddresses({ pod, subnets, records, released, now }: AddressInput): PodAddresses {
  const own = records.find((record) => isSamePod(record.pod, pod));
  if (own !== undefined && hasEachFamily(own.addresses, subnets)) {
    return { kind: 'given', addresses: own.addresses, mac: podMac(own.addresses), isKnown: true };
  }
  const others = records.filter((record) => record !== own);
  const resting = restingAddresses(released, now);
  const taken = new Set([...others.flatMap(({ addresses }) => addresses), ...resting.map(({ address }) => address)]);
  const macs = new Set([
    ...others.map(({ addresses }) => podMac(addresses)),
    ...subnets.map((subnet) => macAddressOf(withoutLength(podRouterAddress(subnet) ?? ''))),
  ]);
  const chosen: string[] = [];
  for (const family of addressFamilies) {
    const ofFamily = subnets.filter((subnet) => familyOf(subnet) === family);
    if (ofFamily.length === 0) continue;
    // The MAC address follows from the first one.
    const hasFreeMac = (each: string) => chosen.length > 0 || !macs.has(macAddressOf(each));
    const address = lowestFree(ofFamily, (each) => !taken.has(each) && hasFreeMac(each));
    if (address === undefined) {
      const inSubnets = resting.filter((each) => ofFamily.some((subnet) => subnetContains(subnet, each.address)));
      return { kind: 'exhausted', subnets: ofFamily, resting: inSubnets.length };
    }
    chosen.push(address);
  }
  return { kind: 'given', addresses: chosen, mac: podMac(chosen), isKnown: false };
}
