/**
 * Which pods of a network have which addresses on this node?
 *
 * Two sources say so: the logical switch ports that the agent has created, and an annotation of each pod. Either is enough after the loss of the other. If
 * they differ, the port counts: it is what packets are checked against, and tenants may be able to write annotations.
 */
import {
  addressFamilies,
  compareAddresses,
  familyOf,
  macAddressOf,
  subnetContains,
} from '../basics/addresses/ip-address.ts';
import { sortedBy } from '../basics/names/ordering.ts';
import { type PodKey, textOfKey } from './pod-key.ts';
import { isReservedAddress } from '../network/allocation/reserved-addresses.ts';

/** The addresses of a pod in a network. */
export interface AddressRecord {
  readonly pod: PodKey;
  /** Without prefix length, IPv4 before IPv6. */
  readonly addresses: readonly string[];
}

/** The content of the annotation of a pod. */
export interface AnnotatedPod extends AddressRecord {
  /** When the pod was created, RFC 3339. */
  readonly createdAt: string;
}

/** All addresses that are in use. */
export interface KnownAddresses {
  readonly records: readonly AddressRecord[];
  /** Annotations that do not count, as another pod has the address, or the node has no such subnet. */
  readonly ignored: readonly AddressRecord[];
}

/** The MAC address of a pod: that of its first address (OVN-Kubernetes, util.IPAddrToHWAddr). */
export function podMac(addresses: readonly string[]): string {
  return macAddressOf(addresses[0] ?? '');
}

/** Whether both are the same pod. */
export function isSamePod(left: PodKey, right: PodKey): boolean {
  return left.uid === right.uid && left.name === right.name && left.namespace === right.namespace;
}

function isUsable(address: string, subnets: readonly string[]): boolean {
  const subnet = subnets.find((each) => subnetContains(each, address));
  return subnet !== undefined && !isReservedAddress(subnet, address);
}

/** Whether addresses are in the subnets, one of each family. */
export function hasEachFamily(addresses: readonly string[], subnets: readonly string[]): boolean {
  const families = addressFamilies.filter((family) => subnets.some((subnet) => familyOf(subnet) === family));
  const isInside = (address: string) => subnets.some((subnet) => subnetContains(subnet, address));
  return addresses.map(familyOf).join() === families.join() && addresses.every(isInside);
}

/**
 * Finds all addresses that are in use.
 *
 * @param subnets of the network's pods on this node, CIDR
 * @param ports the logical switch ports of pods
 * @param annotated the pods of the network on this node that have an annotation, in any order
 */
export function knownAddresses(
  subnets: readonly string[],
  ports: readonly AddressRecord[],
  annotated: readonly AnnotatedPod[],
): KnownAddresses {
  const records = [...ports];
  const ignored: AddressRecord[] = [];
  const taken = new Set(ports.flatMap(({ addresses }) => addresses));
  const macs = new Set(ports.map(({ addresses }) => podMac(addresses)));
  const withPort = new Set(ports.map(({ pod }) => textOfKey(pod)));
  const missing = annotated.filter(({ pod }) => !withPort.has(textOfKey(pod)));
  for (const { pod, addresses: said } of sortedBy(missing, ({ createdAt, pod: { uid } }) => `${createdAt} ${uid}`)) {
    const addresses = said.toSorted(compareAddresses);
    const isValid =
      hasEachFamily(addresses, subnets) &&
      addresses.every((address) => isUsable(address, subnets) && !taken.has(address)) &&
      !macs.has(podMac(addresses));
    if (!isValid) {
      ignored.push({ pod, addresses: said });
      continue;
    }
    records.push({ pod, addresses });
    macs.add(podMac(addresses));
    for (const address of addresses) taken.add(address);
  }
  return { records, ignored };
}
