/**
 * Scenarios that begin in the middle of something: on a node that bears things of ours, or that others' daemons have part in.
 */
import { isPutBack } from '../../src/domain/entities/displaceable.ts';
import { allKinds, ownOf } from '../../src/domain/entities/entity-kinds.ts';
import { routeEntity } from '../../src/domain/entities/route.ts';
import type { Case } from '../../src/testing/index.ts';

type Node = Case['nodes'][number];

function bearsOurs(node: Node): boolean {
  return node.ledger.entries.length > 0 || allKinds.some((kind) => ownOf(kind, node).length > 0);
}

function bearsRoutesOfDaemons({ routes }: Node): boolean {
  return routes.some((route) => route.protocol !== 'kernel' && !isPutBack(routeEntity(route)));
}

/**
 * Whether a scenario begins on a node without anything of ours or of a daemon's: no operation's inverse brings back what is ours, which is made anew, or
 * a daemon's, so elsewhere there is no law about inverses.
 */
export function isBeginning({ nodes }: Case): boolean {
  return !nodes.some((node) => bearsOurs(node) || bearsRoutesOfDaemons(node));
}
