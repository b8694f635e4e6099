import { canonicalAddress, familyOf } from '../../basics/addresses/ip-address.ts';
import type { Neighbour, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { type Change, done, refused } from '../change.ts';
import { linkOf, settingOf } from '../device.ts';
import { beforeManaged, isManaged, putState } from './lasting-neighbour.ts';

/**
 * Adds a permanent neighbour, or makes an existing one permanent: `ip neighbour replace ADDRESS lladdr MAC dev DEVICE nud permanent`, or
 * `nud noarp`, `nud stale`. A MAC address or protocol that is not given is kept (net/core/neighbour.c, neigh_add).
 */
function putInState(node: NodeSnapshot, wanted: Neighbour): Change {
  const { device, macAddress, router } = wanted;
  const refusal = refusalOf(node, device, wanted.address);
  if (refusal !== undefined) return refusal;
  // Over loopback there is only one IPv4 neighbour (net/ipv4/arp.c, arp_constructor).
  const isOne = familyOf(wanted.address) === 4 && linkOf(node, device)?.type === 'loopback';
  const address = isOne ? '0.0.0.0' : canonicalAddress(wanted.address);
  const old = node.neighbours.find((other) => isSame(other, { device, address }));
  const mac = macAddress ?? old?.macAddress;
  if (mac === undefined) return refused('Invalid argument', `${address} on ${device}`);
  const protocol = wanted.protocol ?? old?.protocol;
  const neighbour: Neighbour = {
    device,
    address,
    macAddress: mac,
    states: [putState(wanted)],
    ...(protocol !== undefined && { protocol }),
    ...(router !== undefined && { router }),
  };
  return done({ ...node, neighbours: [...node.neighbours.filter((other) => other !== old), neighbour] });
}

/**
 * Has the kernel keep a neighbour resolved: `ip neighbour replace ADDRESS dev DEVICE managed`. A learned MAC address is confirmed soon (`delay`), otherwise
 * asked for at once; it is not foreseen whether the neighbour answers. A permanent entry becomes one without a MAC address, one without resolution stays
 * so (net/core/neighbour.c: __neigh_update, NEIGH_UPDATE_F_MANAGED; __neigh_event_send).
 */
function putManaged(node: NodeSnapshot, { device, address, protocol }: Neighbour): Change {
  const refusal = refusalOf(node, device, address);
  if (refusal !== undefined) return refusal;
  const old = node.neighbours.find((other) => isSame(other, { device, address }));
  const known = (old?.states ?? [])
    .filter((state) => !['permanent', 'managed'].includes(state))
    .map((state) => (state === 'stale' ? 'delay' : state));
  const isKnown = known.length > 0;
  const neighbour: Neighbour = {
    device,
    address: canonicalAddress(address),
    states: [...(isKnown ? known : ['incomplete']), 'managed'],
    ...(isKnown && old?.macAddress !== undefined && { macAddress: old.macAddress }),
    ...(protocol !== undefined && { protocol }),
    ...(old?.router !== undefined && { router: old.router }),
  };
  return done({ ...node, neighbours: [...node.neighbours.filter((other) => other !== old), neighbour] });
}

/** Adds a neighbour that lasts, or that the kernel keeps resolved, or makes one of what is there. */
export function putNeighbour(node: NodeSnapshot, wanted: Neighbour): Change {
  if (!isManaged(wanted)) return putInState(node, wanted);
  const first = beforeManaged(wanted);
  const change = first === undefined ? done(node) : putInState(node, first);
  return change.done ? putManaged(change.node, wanted) : change;
}

function refusalOf(node: NodeSnapshot, device: string, address: string): Change | undefined {
  const family = familyOf(address);
  if (linkOf(node, device) === undefined) return refused('Cannot find device', device);
  if (family === undefined) return refused(`${address} is no address`);
  return family === 6 && settingOf(node, [6, device, 'disable_ipv6'], 0) !== 0
    ? refused('IPv6 is disabled on this device', `${canonicalAddress(address)} on ${device}`)
    : undefined;
}

/** Removes a neighbour: `ip neighbour delete ADDRESS dev DEVICE`. */
export function deleteNeighbour(
  node: NodeSnapshot,
  { device, address }: Pick<Neighbour, 'device' | 'address'>,
): Change {
  if (linkOf(node, device) === undefined) return refused('Cannot find device', device);
  const gone = node.neighbours.find((other) => isSame(other, { device, address }));
  if (gone === undefined) return refused('No such file or directory', `${address} on ${device}`);
  return done({ ...node, neighbours: node.neighbours.filter((other) => other !== gone) });
}

function isSame(other: Neighbour, { device, address }: Pick<Neighbour, 'device' | 'address'>): boolean {
  return other.device === device && canonicalAddress(other.address) === canonicalAddress(address);
}
