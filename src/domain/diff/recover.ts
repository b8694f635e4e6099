/**
 * What goes on when an operation fails: the rest of its network waits, a half-made enslavement is undone, the other networks go on.
 * (docs/design/dataplane.md, "When an operation fails")
 */
import { isOwnMembership, membershipEntity } from '../entities/membership.ts';
import { changesOf, type Operation, partOf, type SingleOperation } from '../operations/operation.ts';
import { applyOperation } from '../operations/operation-meaning.ts';
import { awaitingEntities, isRestorable, withSettledLedger } from '../ownership/restored.ts';
import { entryOf } from '../snapshot/ledger.ts';
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
 * Divides operations, in their order, into those that wait and those that go on: what has to come after something that waits, waits too.
 *
 * @param held what else has to come first and does not
 */
export function divide(
  operations: readonly Operation[],
  waits: (operation: SingleOperation) => boolean,
  held: Predecessors = new Predecessors(),
): Pick<Recovery, 'proceed' | 'waiting'> {
  const proceed: Operation[] = [];
  const waiting: Operation[] = [];
  // In order of execution everything comes after what it depends on, so one pass finds all that depend on what waits.
  for (const operation of operations) {
    // A set that several networks have entities in goes on without those of one that waits.
    const heldChanges = new Set(changesOf(operation).filter((change) => held.comeBefore(change) || waits(change)));
    for (const change of heldChanges) held.add(change);
    const isHeld = (change: SingleOperation) => heldChanges.has(change);
    waiting.push(...partOf(operation, isHeld));
    proceed.push(...partOf(operation, (change) => !isHeld(change)));
  }
  return { proceed, waiting };
}

/** The interface that a failed operation leaves half enslaved: it is a member of the VRF, and not everything displaced is restored. */
export function halfMade(failed: Operation, node: NodeSnapshot): string | undefined {
  if (failed.verb !== 'put-back') return undefined;
  const { device } = failed;
  const vrf = node.links.find(({ name }) => name === device)?.master;
  return vrf !== undefined && isOwnMembership(device, vrf, node.ledger) ? device : undefined;
}

/**
 * What takes back a half-made enslavement: the interface leaves the VRF that we put it into, and what waits for its return goes where it was, with
 * what the way out makes the kernel drop again. Half of that may have been done before. What needs something that other interfaces await, such as a
 * group of next hops, awaits the next plan.
 */
export function undoing(device: string, networks: readonly string[], node: NodeSnapshot): readonly Operation[] {
  const before = withSettledLedger(node);
  const vrf = before.links.find(({ name }) => name === device)?.master;
  const membership =
    vrf === undefined ? undefined : entryOf(before.ledger, 'membership', device, (entry) => entry.vrf === vrf);
  if (vrf !== undefined && membership === undefined) return [];
  const release: Operation | undefined = membership && {
    verb: 'remove',
    networks,
    entity: membershipEntity(membership),
  };
  const change = release && applyOperation(release, before);
  if (change?.done === false) return [];
  const outside = change?.node ?? before;
  const putBacks = awaitingEntities(outside)
    .filter(isRestorable(outside, outside, (name) => name !== device))
    .map(({ entity, origin }): Operation => ({ verb: 'put-back', networks, device, entity, origin }));
  return inOrder([...(release === undefined ? [] : [release]), ...putBacks]);
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
  const { proceed, waiting } = divide(rest, ({ networks }) => networks.some((network) => affected.has(network)), held);
  const device = halfMade(failed, node);
  return { undo: device === undefined ? [] : undoing(device, failed.networks, node), proceed, waiting };
}
