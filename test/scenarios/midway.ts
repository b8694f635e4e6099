/**
 * Scenarios that begin in the middle of something: on a node that bears things of ours, or that others' daemons have part in.
 */
import { isPutBack } from '../../src/domain/entities/displaceable.ts';
import { allKinds, ownOf } from '../../src/domain/entities/entity-kinds.ts';
import { routeEntity } from '../../src/domain/entities/route.ts';
import {
  type Case,
  checkConverges,
  checkCrashSafe,
  checkIsolated,
  checkNoBounce,
  checkOwnsOnlyItsOwn,
  checkPure,
  checkReachable,
  checkRecovers,
  checkReversible,
  checkSymmetric,
} from '../../src/testing/index.ts';

type Node = Case['nodes'][number];

function bearsOurs(node: Node): boolean {
  return node.ledger.entries.length > 0 || allKinds.some((kind) => ownOf(kind, node).length > 0);
}

function bearsRoutesOfDaemons({ routes }: Node): boolean {
  return routes.some((route) => route.protocol !== 'kernel' && !isPutBack(routeEntity(route)));
}

/** Whether a scenario begins where taking everything back leads to again. */
export function isBeginning({ nodes }: Case): boolean {
  return !nodes.some((node) => bearsOurs(node) || bearsRoutesOfDaemons(node));
}

/**
 * The laws about a scenario that does not: no operation's inverse brings back what is ours, which is made anew, or a daemon's. What awaits being
 * put back is somebody else's and not on the node, so that law 3 would miss it before and not after.
 */
export function lawsMidway({ nodes }: Case): readonly ((subject: Case) => void)[] {
  const awaits = nodes.some(({ ledger }) =>
    ledger.entries.some((entry) => entry.kind === 'displaced' && entry.state === 'awaiting'),
  );
  return [
    (subject) => checkPure(subject, 1),
    checkConverges,
    ...(awaits ? [] : [checkOwnsOnlyItsOwn]),
    checkIsolated,
    checkSymmetric,
    checkReversible,
    (subject) => checkCrashSafe(subject),
    checkNoBounce,
    checkRecovers,
    checkReachable,
  ];
}
