/** What decides whether a network is left as it is on a node. */
export interface Standing {
  /** Whether its uplink is usable on the node now; `not-selected` where there is no uplink for the node at all. */
  readonly uplink: 'ready' | 'not-ready' | 'not-selected';
  readonly inConflict: boolean;
}

/**
 * Whether a network is left exactly as it is on a node: nothing added, changed or removed (API decisions, Held).
 *
 * A conflict has no winner to be served, and a flapping link must not tear down what is programmed. A network that no uplink
 * carries on the node any more is removed, and what is removed is never held.
 */
export function isHeld({ uplink, inConflict }: Standing): boolean {
  return uplink !== 'not-selected' && (uplink === 'not-ready' || inConflict);
}
