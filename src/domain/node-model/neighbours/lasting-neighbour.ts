import { subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Link, Neighbour } from '../../snapshot/node-snapshot.ts';

/** Whether the kernel keeps a neighbour resolved, whether or not packets are sent to it (ip-neighbour(8), `managed`; Linux 5.16). */
export function isManaged({ states }: Pick<Neighbour, 'states'>): boolean {
  return states.includes('managed');
}

/** States in which the kernel does not know the MAC address of a neighbour (ip-neighbour(8)). */
const UNRESOLVED: ReadonlySet<string> = new Set(['incomplete', 'failed', 'none']);

/** The MAC address of a neighbour; undefined while the kernel has not resolved it. */
export function resolvedMac({ macAddress, states }: Neighbour): string | undefined {
  return states.some((state) => UNRESOLVED.has(state)) ? undefined : macAddress;
}

/**
 * Whether an entry does not expire and was not made by the kernel: a permanent one, a managed one, or one without resolution (`noarp`).
 *
 * The kernel creates such entries for multicast and broadcast addresses, and for all addresses on a device without resolution: with
 * the device's own MAC address, or none (net/ipv4/arp.c, arp_constructor; net/ipv6/ndisc.c, ndisc_constructor).
 *
 * @param link the device of the entry; absent where it is not there
 */
export function isLasting({ address, macAddress, states }: Neighbour, link: Link | undefined): boolean {
  if (states.includes('permanent') || states.includes('managed')) return true;
  return states.includes('noarp') && !isMulticast(address) && !isMadeByKernel(macAddress, link);
}

/** Whether the kernel does not change an entry by itself (ip-neighbour(8)). */
export function isStatic({ states }: Pick<Neighbour, 'states'>): boolean {
  return states.includes('permanent') || states.includes('noarp');
}

/** The state in which an entry is put that the kernel does not keep resolved. */
export function putState({ states }: Pick<Neighbour, 'states'>): 'permanent' | 'noarp' | 'stale' {
  if (states.includes('noarp')) return 'noarp';
  return states.includes('stale') ? 'stale' : 'permanent';
}

/**
 * The entry from which one that the kernel keeps resolved is made, where its MAC address is known: it has that address, which the kernel probes. With `managed`
 * it takes no MAC address (net/core/neighbour.c, __neigh_update, NEIGH_UPDATE_F_MANAGED). Undefined for other entries.
 */
export function beforeManaged(neighbour: Neighbour): Neighbour | undefined {
  if (!isManaged(neighbour) || resolvedMac(neighbour) === undefined) return undefined;
  return { ...neighbour, states: [neighbour.states.includes('noarp') ? 'noarp' : 'stale'] };
}

function isMulticast(address: string): boolean {
  return subnetContains('224.0.0.0/4', address) || subnetContains('ff00::/8', address);
}

const BROADCAST_MAC = 'ff:ff:ff:ff:ff:ff';

function isMadeByKernel(macAddress: string | undefined, link: Link | undefined): boolean {
  return macAddress === undefined || macAddress === BROADCAST_MAC || macAddress === link?.macAddress;
}
