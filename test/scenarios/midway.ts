/**
 * Scenarios that begin in the middle of something: on a node with managed entities, or with entities of routing daemons.
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
 * Whether a scenario begins on a node without managed entities and those of daemons: inverses do not restore these, so the law about
 * inverses does not apply to them.
 */
export function isBeginning({ nodes }: Case): boolean {
  return !nodes.some((node) => bearsOurs(node) || bearsRoutesOfDaemons(node));
}
