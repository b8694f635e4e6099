import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';
import { cycle } from './cycle.ts';
import { isVrf, linkOf, vrfOf, withLink } from './device.ts';

/**
 * Makes a device a member of a VRF: `ip link set dev DEVICE master VRF`.
 *
 * A device with another master is released first (net/core/rtnetlink.c, do_set_master). From one VRF to the next its link is cycled
 * twice.
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

/** Releases a device from its VRF: `ip link set dev DEVICE nomaster`. Other masters cause no cycle. */
export function release(node: NodeSnapshot, device: string): Change {
  const link = linkOf(node, device);
  if (link === undefined) return refused('Cannot find device', device);
  if (link.master === undefined) return done(node);
  return done(
    vrfOf(node, link) === undefined ? withLink(node, device, withoutMaster) : cycle(node, device, withoutMaster),
  );
}

/** The device without its master. */
export function withoutMaster(link: Link): Link {
  const { master: _master, ...free } = link;
  return free;
}
