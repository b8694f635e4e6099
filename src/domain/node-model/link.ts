import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/** Gives a device a free text: `ip link set dev NAME alias ALIAS`. */
export function setAlias(node: NodeSnapshot, name: string, alias: string): Change {
  return withLink(node, name, (link) => ({ ...link, alias }));
}

/** Sets a device administratively up: `ip link set dev NAME up`. */
export function setUp(node: NodeSnapshot, name: string): Change {
  return withLink(node, name, (link) => ({ ...link, up: true, operationalState: 'up' }));
}

/** Removes a VRF device: `ip link delete dev NAME`. */
export function deleteLink(node: NodeSnapshot, name: string): Change {
  if (!node.links.some((link) => link.name === name)) return refused(`${name}: Cannot find device`);
  return done({ ...node, links: node.links.filter((link) => link.name !== name) });
}

function withLink(node: NodeSnapshot, name: string, change: (link: Link) => Link): Change {
  if (!node.links.some((link) => link.name === name)) return refused(`${name}: Cannot find device`);
  return done({ ...node, links: node.links.map((link) => (link.name === name ? change(link) : link)) });
}
