import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * What became of one change: the node after it, or why nothing was changed.
 *
 * `refusal` is the kernel's reason, in the words that ip prints, with what it is about. `exists` tells the one reason apart that a change
 * which may be made twice is content with: what it would make is there already (EEXIST).
 */
export type Change =
  | { readonly done: true; readonly node: NodeSnapshot }
  | { readonly done: false; readonly refusal: string; readonly exists?: true };

/** The change is made. */
export function done(node: NodeSnapshot): Change {
  return { done: true, node };
}

/** The change is refused; the node is as it was. */
export function refused(refusal: string): Change {
  return { done: false, refusal };
}

/** The change is refused because what it would make is there already. */
export function refusedAsExisting(refusal: string): Change {
  return { done: false, refusal, exists: true };
}
