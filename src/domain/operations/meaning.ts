/**
 * What an operation means: its precondition, its effect on a node and on the ledger, its inverse, its disruption, its
 * command and its text.
 */
import type { Command } from '../entities/command.ts';
import type { Dependencies } from '../entities/dependencies.ts';
import type { Discrepancy, Disruption, EntityKind, Mark, PortName } from '../entities/entity-kind.ts';
import type { Entity } from '../entities/entity-kinds.ts';
import type { Change } from '../node-model/change.ts';
import type { LostByMove } from '../ownership/displace.ts';
import type { Ledger } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { Operation, SetOperation } from './operation.ts';

/** The command of an operation: a set may have none that does it alone. */
type CommandOf<Some extends Operation> = Some extends SetOperation ? Command | undefined : Command;

/** What operations of one verb on one kind of entity mean. */
export interface OperationMeaning<Some extends Operation = Operation> {
  /** Name in plans, logs and metrics, such as `add-route`. */
  readonly name: string;
  readonly mark: Mark;
  /** The port that applies it. */
  readonly port: PortName;
  /** Reason in `networks[]` where it fails. */
  readonly failureReason: EntityKind<Entity>['failureReason'];
  dependencies(operation: Some): Dependencies;
  /** Why it must not be done to a node, though the kernel might do it; absent where it may. */
  refusal(operation: Some, node: NodeSnapshot): string | undefined;
  /** The ledger as it is written before the operation. */
  announced(operation: Some, before: NodeSnapshot, lostByMove?: LostByMove): Ledger;
  /** The node after it, ledger aside. */
  effect(operation: Some, node: NodeSnapshot): Change;
  /** The ledger as it is written after the operation. */
  confirmed(operation: Some, after: NodeSnapshot): Ledger;
  /** Its inverse, in order. */
  inverse(operation: Some, before: NodeSnapshot): readonly Operation[];
  disruption(operation: Some): Disruption;
  /** Whether the kernel displaces entities, so that the node is observed right before. */
  readonly displaces: boolean;
  /** The program that does it; absent where no single one does. */
  command(operation: Some, before: NodeSnapshot): CommandOf<Some>;
  /** One line of text. */
  summary(operation: Some): string;
  /** What it repairs on a node. */
  discrepancy(operation: Some, node: NodeSnapshot): Discrepancy;
}
