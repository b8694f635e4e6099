import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refusedAsExisting } from './change.ts';

/** Makes a VRF device that is up: `ip link add dev NAME up type vrf table TABLE`. */
export function addVrf(node: NodeSnapshot, vrf: { readonly name: string; readonly table: number }): Change {
  if (node.links.some(({ name }) => name === vrf.name)) return refusedAsExisting(`${vrf.name}: File exists`);
  const link: Link = {
    index: Math.max(0, ...node.links.map(({ index }) => index)) + 1,
    name: vrf.name,
    kind: 'vrf',
    up: true,
    operationalState: 'up',
    mtu: 65575,
    type: 'ether',
    vrfTable: vrf.table,
    addresses: [],
  };
  return done({ ...node, links: [...node.links, link] });
}
