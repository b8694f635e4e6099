import type { Effect } from './effect.ts';
import type { LoopState } from './state.ts';

/** Begins a look. What was noticed until now is seen with it. */
export function look(state: LoopState, purpose: 'plan' | 'look'): readonly [LoopState, readonly Effect[]] {
  const number = state.looks + 1;
  return [
    {
      ...state,
      looks: number,
      activity: { kind: 'observing', purpose },
      busySince: state.busySince ?? state.changes?.first,
      changes: undefined,
    },
    [{ do: 'observe', look: number }],
  ];
}
