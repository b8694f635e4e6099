import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * The result of a change: the node after it, or why nothing was changed.
 *
 * `reason` is the error that ip prints; `refusal` has its subject as well.
 * `exists`: the reason is EEXIST, which a change that may be repeated accepts.
 */
export type Change =
  | { readonly done: true; readonly node: NodeSnapshot }
  | { readonly done: false; readonly reason: string; readonly refusal: string; readonly exists?: true };

/** The change is made. */
export function done(node: NodeSnapshot): Change {
  return { done: true, node };
}

/**
 * The change is refused; the node is as it was.
 *
 * @param about what was to be changed; absent where the reason names it
 */
export function refused(reason: string, about?: string): Change {
  return { done: false, reason, refusal: about === undefined ? reason : `${about}: ${reason}` };
}

/** The change is refused because what it would make is there already. */
export function refusedAsExisting(about: string): Change {
  const reason = 'File exists';
  return { done: false, reason, refusal: `${about}: ${reason}`, exists: true };
}
