/**
 * What goes on when an operation fails: the rest of its network waits, a half-made enslavement is undone, the other networks go on. (Node
 * design, Desired state of a programmed network)
 */
import { applyOperation, meaningOf, type Operation } from '../operations/operation-kinds.ts';
import { isOurs } from '../ownership/is-ours.ts';
import { awaitingThings, withSettledLedger } from '../ownership/restored.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { inOrder, Predecessors } from './order-operations.ts';

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
 * Takes back the enslavement that a failed operation leaves half-made: the interface is in the VRF by us, and not everything of it is back. What
 * waits for its return goes where it was, and so does what the way out makes the kernel drop again.
 */
function undoHalfMade(failed: Operation, node: NodeSnapshot): readonly Operation[] {
  if (failed.kind !== 'put-back') return [];
  const { device, networks } = failed;
  const vrf = node.links.find(({ name }) => name === device)?.master;
  if (vrf === undefined || !isOurs({ kind: 'membership', device, master: vrf }, node.ledger)) return [];
  const release: Operation = { kind: 'release', networks, device, vrf };
  const change = applyOperation(release, withSettledLedger(node));
  if (!change.done) return [];
  const putBacks = awaitingThings(change.node)
    .filter((awaiting) => awaiting.device === device)
    .map(({ thing, origin }): Operation => ({ kind: 'put-back', networks, device, thing, origin }));
  return inOrder([release, ...putBacks]);
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
 * @param failed the operation that failed; what came of it all the same is on the node
 * @param rest what was still to be done, in order
 * @param node how the node is now
 */
export function recover(failed: Operation, rest: readonly Operation[], node: NodeSnapshot): Recovery {
  const affected = new Set(failed.networks);
  const held = new Predecessors();
  held.add(failed);
  const proceed: Operation[] = [];
  const waiting: Operation[] = [];
  // In order of execution everything comes after what it depends on, so one pass finds all that depend on the failed one.
  for (const operation of rest) {
    const waits = held.comeBefore(operation) || operation.networks.some((network) => affected.has(network));
    if (waits) held.add(operation);
    (waits ? waiting : proceed).push(operation);
  }
  return { undo: possibleBefore(undoHalfMade(failed, node), rest), proceed, waiting };
}
