/** Facts that decide whether a network is left as it is on a node. */
export interface Standing {
  /** Whether its uplink is usable on the node now; `not-selected` where there is no uplink for the node at all. */
  readonly uplink: 'ready' | 'not-ready' | 'not-selected';
  readonly inConflict: boolean;
  /** Whether it waits for something else: an id, a device of OVN-Kubernetes, a VRF, an address family, a conflicting entity. */
  readonly waiting: boolean;
}

/**
 * Whether a network is left exactly as it is on a node: nothing added, changed or removed (docs/design/api-decisions.md, "Held").
 *
 * A conflict has no winner to be served, and neither a flapping link nor a device that OVN-Kubernetes recreates must tear down what is
 * programmed. Only removal does: a network that no uplink carries on the node any more is never held.
 */
export function isHeld({ uplink, inConflict, waiting }: Standing): boolean {
  return uplink !== 'not-selected' && (uplink === 'not-ready' || inConflict || waiting);
}
