/**
 * When is a thing that is there already what is wanted? Whoever made it: what is right by another's hand serves (Node design, Ownership,
 * rule 3).
 */
import { nextHopsKey } from '../ownership/displaced-things.ts';
import type { Neighbour, Route, Rule } from '../snapshot/node-snapshot.ts';

/** Whether a route that the kernel takes for the same one also does the same. */
export function isSameRoute(left: Route, right: Route): boolean {
  return (
    left.type === right.type &&
    nextHopsKey(left) === nextHopsKey(right) &&
    left.preferredSource === right.preferredSource &&
    left.metrics?.['mtu'] === right.metrics?.['mtu']
  );
}

/** Whether two rules pick the same packets at the same point. */
export function isSameMatch(left: Rule, right: Rule): boolean {
  return (
    left.family === right.family &&
    left.priority === right.priority &&
    left.mark === right.mark &&
    (left.markMask ?? ALL_BITS) === (right.markMask ?? ALL_BITS) &&
    Object.keys(left.others).length === 0 &&
    Object.keys(right.others).length === 0
  );
}

const ALL_BITS = 0xffffffff;

/** Whether two entries are about the same neighbour. */
export function isSameNeighbour(left: Neighbour, right: Neighbour): boolean {
  return left.device === right.device && left.address === right.address;
}

/** States in which an entry stays as it is whatever the neighbour says. */
const unmoved = ['permanent', 'noarp'];

/** Whether an entry stays as it is whatever the neighbour says, with the MAC address that is wanted. */
export function servesAs(found: Neighbour, wanted: Neighbour): boolean {
  return (
    isSameNeighbour(found, wanted) &&
    found.states.some((state) => unmoved.includes(state)) &&
    found.macAddress === wanted.macAddress
  );
}
