import type { Effect } from '../effect.ts';
import { partsToRead } from './node-part.ts';
import type { LoopState, ObservationPurpose } from '../state.ts';

/** Starts an observation. It covers every change so far: of the cluster, and of the parts of the node that are outdated. */
export function startObservation(
  state: LoopState,
  purpose: ObservationPurpose,
): readonly [LoopState, readonly Effect[]] {
  const observation = state.observations + 1;
  return [
    {
      ...state,
      observations: observation,
      activity: { kind: 'observing', purpose },
      busySince: state.busySince ?? state.changes?.first,
      changes: undefined,
      outdated: new Set(),
    },
    [{ do: 'observe', observation, parts: partsToRead(state.outdated, state.execution?.node.ledger) }],
  ];
}
