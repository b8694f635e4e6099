import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';
import { cycle } from './cycle.ts';
import { isVrf, linkOf, vrfOf, withLink } from './device.ts';

/**
 * Makes a device a slave of a VRF: `ip link set dev DEVICE master VRF`.
 *
 * A device with another master leaves that one first (net/core/rtnetlink.c, do_set_master). From one VRF to the next it is taken down and
 * up twice, of which only the end is seen.
 */
export function enslave(node: NodeSnapshot, device: string, vrf: string): Change {
  const link = linkOf(node, device);
  const master = linkOf(node, vrf);
  if (link === undefined) return refused('Cannot find device', device);
  if (master === undefined) return refused('Device does not exist', vrf);
  if (link.master === vrf) return done(node);
  if (!isVrf(master)) return refused('Operation not supported', `${vrf} is no VRF device`);
  if (link.type === 'loopback') return refused('Can not enslave loopback device to a VRF', device);
  if (isVrf(link)) return refused('Can not enslave an L3 master device to a VRF', device);
  return done(cycle(node, device, (changed) => ({ ...changed, master: vrf })));
}

/** Takes a device out of its VRF: `ip link set dev DEVICE nomaster`. From another master it goes without a cycle. */
export function release(node: NodeSnapshot, device: string): Change {
  const link = linkOf(node, device);
  if (link === undefined) return refused('Cannot find device', device);
  if (link.master === undefined) return done(node);
  return done(
    vrfOf(node, link) === undefined ? withLink(node, device, withoutMaster) : cycle(node, device, withoutMaster),
  );
}

/** The device, a slave of nothing. */
export function withoutMaster(link: Link): Link {
  const { master: _master, ...free } = link;
  return free;
}
