/**
 * Every kind of operation. A new one is one file, one line in each list here, and nothing else.
 */
import { type Change, refused } from '../node-model/change.ts';
import type { Ledger } from '../ownership/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type AddAddress, addAddress } from './add-address.ts';
import { type AddBridgeMapping, addBridgeMapping } from './add-bridge-mapping.ts';
import { type AddNeighbour, addNeighbour } from './add-neighbour.ts';
import { type AddRoute, addRoute } from './add-route.ts';
import { type AddRule, addRule } from './add-rule.ts';
import { type AddVrf, addVrf } from './add-vrf.ts';
import { type BringUpVrf, bringUpVrf } from './bring-up-vrf.ts';
import { type DeleteAddress, deleteAddress } from './delete-address.ts';
import { type DeleteNeighbour, deleteNeighbour } from './delete-neighbour.ts';
import { type DeleteRoute, deleteRoute } from './delete-route.ts';
import { type DeleteRule, deleteRule } from './delete-rule.ts';
import { type DeleteVrf, deleteVrf } from './delete-vrf.ts';
import { type Enslave, enslave } from './enslave.ts';
import type { OperationKind } from './operation.ts';
import { type PutBack, putBack } from './put-back.ts';
import { type Release, release } from './release.ts';
import { type RemoveBridgeMapping, removeBridgeMapping } from './remove-bridge-mapping.ts';
import { type ReplaceRoute, replaceRoute } from './replace-route.ts';
import { type SetSysctl, setSysctl } from './set-sysctl.ts';
import { type SignVrf, signVrf } from './sign-vrf.ts';
import { type TakeBack, takeBack } from './take-back.ts';

/** One change of one object of a node. */
export type Operation =
  | AddVrf
  | SignVrf
  | BringUpVrf
  | DeleteVrf
  | Enslave
  | Release
  | PutBack
  | TakeBack
  | AddAddress
  | DeleteAddress
  | AddRoute
  | ReplaceRoute
  | DeleteRoute
  | AddRule
  | DeleteRule
  | SetSysctl
  | AddNeighbour
  | DeleteNeighbour
  | AddBridgeMapping
  | RemoveBridgeMapping;

const kinds: { readonly [Kind in Operation['kind']]: OperationKind<Extract<Operation, { kind: Kind }>> } = {
  'add-vrf': addVrf,
  'sign-vrf': signVrf,
  'bring-up-vrf': bringUpVrf,
  'delete-vrf': deleteVrf,
  enslave,
  release,
  'put-back': putBack,
  'take-back': takeBack,
  'add-address': addAddress,
  'delete-address': deleteAddress,
  'add-route': addRoute,
  'replace-route': replaceRoute,
  'delete-route': deleteRoute,
  'add-rule': addRule,
  'delete-rule': deleteRule,
  'set-sysctl': setSysctl,
  'add-neighbour': addNeighbour,
  'delete-neighbour': deleteNeighbour,
  'add-bridge-mapping': addBridgeMapping,
  'remove-bridge-mapping': removeBridgeMapping,
};

/** What an operation means. */
export function meaningOf<Kind extends Operation>(operation: Kind): OperationKind<Kind> {
  // The table gives each kind its own meaning, which the compiler cannot follow through the index.
  return kinds[operation.kind] as unknown as OperationKind<Kind>;
}

/** The ledger as it is written before an operation. */
export function announced(operation: Operation, before: NodeSnapshot): Ledger {
  return meaningOf(operation).announce?.(operation, before) ?? before.ledger;
}

/** The ledger as it is written after an operation. */
export function confirmed(operation: Operation, after: NodeSnapshot): Ledger {
  return meaningOf(operation).confirm?.(operation, after) ?? after.ledger;
}

/** Does an operation to a node, with the ledger written before and after it. Refused where it must not be done, or the kernel would not. */
export function applyOperation(operation: Operation, node: NodeSnapshot): Change {
  const obstacle = meaningOf(operation).obstacle?.(operation, node);
  if (obstacle !== undefined) return refused(obstacle);
  const change = meaningOf(operation).effect(operation, { ...node, ledger: announced(operation, node) });
  if (!change.done) return change;
  return { done: true, node: { ...change.node, ledger: confirmed(operation, change.node) } };
}
