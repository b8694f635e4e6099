/**
 * Recovery from a failed operation: the rest of its network waits, an incomplete enslavement is undone, the other networks continue.
 * (docs/design/dataplane.md, "When an operation fails")
 */
import { isOwnMembership, membershipEntity } from '../entities/kernel/membership.ts';
import {
  changesOf,
  narrowed,
  type Operation,
  type OperationOwners,
  ownersIn,
  partsOf,
  type SingleOperation,
} from '../entities/operations/operation.ts';
import { applyOperation } from '../entities/operations/operation-semantics.ts';
import { awaitingEntities, isRestorable, oncePerPlace, withSettledLedger } from '../entities/ownership/restored.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { inOrder, Predecessors } from './order-operations.ts';

/** The reaction to a failure. */
export interface Recovery {
  /** Operations that undo an incomplete enslavement, in order; they come first. */
  readonly undo: readonly Operation[];
  /** The planned operations that continue, in order. */
  readonly proceed: readonly Operation[];
  /** Those that wait for the next plan. */
  readonly waiting: readonly Operation[];
}

/**
 * Divides operations, in their order, into those that wait and those that continue: what depends on a waiting operation waits too.
 *
 * @param held further operations that are not applied, as prerequisites
 */
export function divide(
  operations: readonly Operation[],
  waits: (operation: SingleOperation) => boolean,
  held: Predecessors = new Predecessors(),
): Pick<Recovery, 'proceed' | 'waiting'> {
  const proceed: Operation[] = [];
  const waiting: Operation[] = [];
  // In order of execution everything comes after what it depends on, so one pass finds all that depend on waiting ones.
  for (const operation of operations) {
    // A set with entities of several networks continues without those of one that waits.
    const heldChanges = new Set(changesOf(operation).filter((change) => held.comeBefore(change) || waits(change)));
    for (const change of heldChanges) held.add(change);
    const isHeld = (change: SingleOperation) => heldChanges.has(change);
    waiting.push(...narrowed(operation, isHeld));
    proceed.push(...narrowed(operation, (change) => !isHeld(change)));
  }
  return { proceed, waiting };
}

/** The interface whose enslavement a failed operation leaves incomplete: it is a member of the VRF, and not everything displaced is restored. */
export function incompleteEnslavement(failed: Operation, node: NodeSnapshot): string | undefined {
  // An entity that is moved while the interface is in the VRF is not lost.
  if (failed.verb !== 'put-back' || failed.moves) return undefined;
  const { device } = failed;
  const vrf = node.links.find(({ name }) => name === device)?.master;
  return vrf !== undefined && isOwnMembership(device, vrf, node.ledger) ? device : undefined;
}

/**
 * Operations that undo an incomplete enslavement: the interface is released, and what awaits that is restored in its former place, with what the
 * kernel drops on the release. Some of that may have been done before. What depends on entities that other interfaces await, such as a group of next
 * hops, is left to the next plan.
 */
export function undoing(device: string, owners: OperationOwners, node: NodeSnapshot): readonly Operation[] {
  const before = withSettledLedger(node);
  const vrf = before.links.find(({ name }) => name === device)?.master;
  const membership =
    vrf === undefined ? undefined : entryOf(before.ledger, 'membership', device, (entry) => entry.vrf === vrf);
  if (vrf !== undefined && membership === undefined) return [];
  const release: Operation | undefined = membership && {
    verb: 'remove',
    ...owners,
    entity: membershipEntity(membership),
  };
  const change = release && applyOperation(release, before);
  if (change?.done === false) return [];
  const outside = change?.node ?? before;
  const back = awaitingEntities(outside).filter(isRestorable(outside, outside, (name) => name !== device));
  const putBacks = oncePerPlace(back).map(({ entity, origin }): Operation => ({
    verb: 'put-back',
    ...owners,
    device,
    entity,
    origin,
  }));
  return inOrder([...(release === undefined ? [] : [release]), ...putBacks]);
}

/**
 * Decides what continues after a failure.
 *
 * @param failed the operation that failed; its partial effects are on the node
 * @param rest the remaining operations, in order
 * @param node the present node
 */
export function recover(failed: Operation, rest: readonly Operation[], node: NodeSnapshot): Recovery {
  const affected = new Set(partsOf(failed));
  const held = new Predecessors();
  held.add(failed);
  const { proceed, waiting } = divide(rest, (change) => partsOf(change).some((part) => affected.has(part)), held);
  const device = incompleteEnslavement(failed, node);
  return { undo: device === undefined ? [] : undoing(device, ownersIn(failed), node), proceed, waiting };
}
