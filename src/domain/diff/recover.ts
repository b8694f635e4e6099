/**
 * What goes on when an operation fails: the rest of its network waits, a half-made enslavement is undone, the other networks go on. (Node
 * design, Desired state of a programmed network)
 */
import { meaningOf, type Operation } from '../operations/operation-kinds.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { predecessors } from './order-operations.ts';

/** An operation that was done, and the node before it. */
export interface DoneOperation {
  readonly operation: Operation;
  readonly before: NodeSnapshot;
}

/** What is to be done after a failure. */
export interface Recovery {
  /** Operations that take a half-made enslavement back, in order; they come first. */
  readonly undo: readonly Operation[];
  /** Those of the planned operations that go on, in order. */
  readonly proceed: readonly Operation[];
  /** Those that wait for the next plan. */
  readonly waiting: readonly Operation[];
}

/**
 * Steps of the enslavement that a failed operation leaves half-made: the interface is in the VRF and not all of its routes are. What was put back
 * for another interface and needs one of them is such a step as well: a group of next hops by both.
 */
function halfMade(done: readonly DoneOperation[], failed: Operation): readonly DoneOperation[] {
  if (failed.kind !== 'put-back') return [];
  const begin = done.findLastIndex(
    ({ operation }) => operation.kind === 'enslave' && operation.device === failed.device,
  );
  const since = begin === -1 ? [] : done.slice(begin);
  const before = predecessors(since.map(({ operation }) => operation));
  const steps = new Set([0]);
  for (const [position, { operation }] of since.entries()) {
    if (operation.kind !== 'put-back') continue;
    const needsStep = (before[position] ?? []).some((other) => steps.has(other));
    if (needsStep || operation.device === failed.device) steps.add(position);
  }
  return since.filter((_step, position) => steps.has(position));
}

/**
 * Those of some operations that can be done now: not what needs something that is only made by an operation still to be done, such as a group of
 * next hops one of which is another network's and not yet back. The ledger knows what then awaits the next plan.
 */
function possibleBefore(operations: readonly Operation[], rest: readonly Operation[]): readonly Operation[] {
  const missing = new Set(rest.flatMap((operation) => meaningOf(operation).dependencies(operation).makes ?? []));
  const possible: Operation[] = [];
  for (const operation of operations) {
    const { makes = [], needs = [] } = meaningOf(operation).dependencies(operation);
    const isPossible = !needs.some((thing) => missing.has(thing));
    if (isPossible) possible.push(operation);
    for (const thing of makes) {
      if (isPossible) missing.delete(thing);
      else missing.add(thing);
    }
  }
  return possible;
}

/**
 * Decides what goes on after a failure.
 *
 * @param done what was done of the plan, in order
 * @param failed the operation that failed; nothing of it was done
 * @param rest what was still to be done, in order
 */
export function recover(done: readonly DoneOperation[], failed: Operation, rest: readonly Operation[]): Recovery {
  const affected = new Set(failed.networks);
  const before = predecessors([failed, ...rest]);
  const waits = new Set([0]);
  // In order of execution everything comes after what it depends on, so one pass finds all that depend on the failed one.
  for (const [index, { networks }] of rest.entries()) {
    const position = index + 1;
    const depends = (before[position] ?? []).some((other) => waits.has(other));
    if (depends || networks.some((network) => affected.has(network))) waits.add(position);
  }
  const undo = halfMade(done, failed)
    .toReversed()
    .flatMap((step) => meaningOf(step.operation).inverse(step.operation, step.before));
  return {
    undo: possibleBefore(undo, rest),
    proceed: rest.filter((_operation, index) => !waits.has(index + 1)),
    waiting: rest.filter((_operation, index) => waits.has(index + 1)),
  };
}
