import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done } from './change.ts';

/** Makes a device a slave of a VRF: `ip link set dev DEVICE master VRF`. */
export function enslave(node: NodeSnapshot, device: string, vrf: string): Change {
  const links = node.links.map((link) => (link.name === device ? { ...link, master: vrf } : link));
  return done({ ...node, links });
}

/** Takes a device out of its VRF: `ip link set dev DEVICE nomaster`. */
export function release(node: NodeSnapshot, device: string): Change {
  const links = node.links.map((link) => {
    const { master: _master, ...free } = link;
    return link.name === device ? free : link;
  });
  return done({ ...node, links });
}
