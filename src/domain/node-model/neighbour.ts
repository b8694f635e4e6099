import type { Neighbour, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/** Makes a permanent neighbour, or changes it: `ip neighbour replace ADDRESS lladdr MAC dev DEVICE nud permanent`. */
export function putNeighbour(node: NodeSnapshot, neighbour: Neighbour): Change {
  const others = node.neighbours.filter((other) => !isSame(other, neighbour));
  return done({ ...node, neighbours: [...others, neighbour] });
}

/** Removes a neighbour: `ip neighbour delete ADDRESS dev DEVICE`. */
export function deleteNeighbour(node: NodeSnapshot, neighbour: Pick<Neighbour, 'device' | 'address'>): Change {
  const neighbours = node.neighbours.filter((other) => !isSame(other, neighbour));
  if (neighbours.length === node.neighbours.length) return refused(`${neighbour.address}: No such file or directory`);
  return done({ ...node, neighbours });
}

function isSame(left: Pick<Neighbour, 'device' | 'address'>, right: Pick<Neighbour, 'device' | 'address'>): boolean {
  return left.device === right.device && left.address === right.address;
}
