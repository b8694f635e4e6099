/**
 * Observations that lead to no plan: the switch of a bridge has gone and nothing else has changed, so that all a plan could do waits for the
 * connection. Without one it is planned once the switch is late, and then its networks have failed.
 */
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { sameIfEqual } from '../../domain/basics/incremental/same-if-equal.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { Observation } from '../observation.ts';
import type { Awaited } from './awaited.ts';
import { nextObservationAt } from './observation/next-observation.ts';
import { isPlanAffected } from './relevant-changes.ts';
import type { LoopState } from './state.ts';

const isEqual = <Value>(former: Value, later: Value) => sameIfEqual(former, later) === former;

/** Fields of a snapshot that are compared in another way; the clock is no change. */
const otherwiseCompared: ReadonlySet<string> = new Set<keyof NodeSnapshot>([
  'flows',
  'fdbEntries',
  'noFloodPorts',
  'bridgesWithoutSwitch',
  'uptimeSeconds',
]);

/** Whether two snapshots are equal but for what the switches of some bridges have. */
function isEqualWithout(gone: ReadonlySet<string>, former: NodeSnapshot, later: NodeSnapshot): boolean {
  const others = <Item extends { readonly bridge: string }>(items: readonly Item[]) =>
    items.filter(({ bridge }) => !gone.has(bridge));
  const [before, after] = [new Map<string, unknown>(Object.entries(former)), new Map(Object.entries(later))];
  return (
    isSameList(others(former.flows), others(later.flows)) &&
    isEqual(others(former.fdbEntries), others(later.fdbEntries)) &&
    isEqual(others(former.noFloodPorts), others(later.noFloodPorts)) &&
    [...new Set([...before.keys(), ...after.keys()])].every(
      (field) => otherwiseCompared.has(field) || isEqual(before.get(field), after.get(field)),
    )
  );
}

/** The next state if an observation needs no plan, with what it waits for; absent if it needs one. */
export function waitForSwitches(state: LoopState, observation: Observation, now: number): LoopState | undefined {
  const { execution, done, refused, options } = state;
  if (execution === undefined || execution.queue.length + done.length > 0 || refused !== undefined) return undefined;
  const { bridgesWithoutSwitch: gone = [] } = observation.node;
  const { bridgesWithoutSwitch: goneBefore = [] } = execution.node;
  const isOnlyGone =
    gone.length > 0 &&
    goneBefore.every((bridge) => gone.includes(bridge)) &&
    isEqual(execution.observation.warnings, observation.warnings) &&
    !isPlanAffected(execution, observation.cluster, options) &&
    isEqualWithout(new Set(gone), execution.node, observation.node);
  if (!isOnlyGone) return undefined;
  const lost = gone.filter((bridge) => !goneBefore.includes(bridge)).map((bridge): Awaited => `switch ${bridge}`);
  const awaited = new Map([...lost.map((each) => [each, now] as const), ...state.awaited]);
  const next: LoopState = { ...state, awaited, activity: { kind: 'resting' } };
  // A retry, a resync, or a switch that is late needs a plan.
  return nextObservationAt({ ...next, changes: undefined }) > now ? next : undefined;
}
