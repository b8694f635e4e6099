import { canonicalAddress, familyOf } from '../../basics/addresses/ip-address.ts';
import type { NeighbourProxy, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { type Change, done, refused } from '../change.ts';
import { linkOf } from '../device.ts';

/**
 * Adds a proxy entry: `ip neighbour add proxy ADDRESS dev DEVICE`. An existing entry is changed, except for a
 * protocol that is not given (net/core/neighbour.c, neigh_add).
 */
export function addNeighbourProxy(node: NodeSnapshot, wanted: NeighbourProxy): Change {
  const { device, router } = wanted;
  if (linkOf(node, device) === undefined) return refused('Cannot find device', device);
  if (familyOf(wanted.address) === undefined) return refused(`${wanted.address} is no address`);
  const old = node.neighbourProxies.find((other) => isSame(other, wanted));
  const protocol = wanted.protocol ?? old?.protocol;
  const proxy: NeighbourProxy = {
    device,
    address: canonicalAddress(wanted.address),
    ...(protocol !== undefined && { protocol }),
    ...(router !== undefined && { router }),
  };
  return done({ ...node, neighbourProxies: [...node.neighbourProxies.filter((other) => other !== old), proxy] });
}

/** Removes a proxy entry: `ip neighbour delete proxy ADDRESS dev DEVICE`. */
export function deleteNeighbourProxy(node: NodeSnapshot, proxy: NeighbourProxy): Change {
  const { device, address } = proxy;
  if (linkOf(node, device) === undefined) return refused('Cannot find device', device);
  const gone = node.neighbourProxies.find((other) => isSame(other, proxy));
  if (gone === undefined) return refused('No such file or directory', `proxy ${address} on ${device}`);
  return done({ ...node, neighbourProxies: node.neighbourProxies.filter((other) => other !== gone) });
}

function isSame(left: NeighbourProxy, right: NeighbourProxy): boolean {
  return left.device === right.device && canonicalAddress(left.address) === canonicalAddress(right.address);
}
