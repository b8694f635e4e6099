import type { Effect } from './effect.ts';
import type { LoopState, ObservationPurpose } from './state.ts';

/** Starts an observation. It covers every change reported so far. */
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
    },
    [{ do: 'observe', observation }],
  ];
}
