/**
 * The meaning of an operation: its precondition, its effect on a node and on the ledger, its inverse, its disruption, its
 * command and its text.
 */
import type { Command } from '../command.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Discrepancy, Disruption, Mark, PortName } from '../entity-kind.ts';
import type { Change } from '../../node-model/change.ts';
import type { LostByMove } from '../ownership/displace.ts';
import type { Ledger } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Operation, SetOperation } from './operation.ts';

/** The command of an operation: undefined for a set that takes several. */
type CommandOf<Some extends Operation> = Some extends SetOperation ? Command | undefined : Command;

/** The meaning of operations of one verb on one kind of entity. */
export interface OperationSemantics<Some extends Operation = Operation> {
  /** Name in plans, logs and metrics, such as `add-route`. */
  readonly name: string;
  readonly mark: Mark;
  /** The port that applies it. */
  readonly port: PortName;
  dependencies(operation: Some): Dependencies;
  /** Why it must not be applied to a node, even if the kernel would accept it; undefined if it may. */
  refusal(operation: Some, node: NodeSnapshot): string | undefined;
  /** The ledger to write before the operation. */
  announced(operation: Some, before: NodeSnapshot, lostByMove?: LostByMove): Ledger;
  /** The node afterwards, without the ledger. */
  effect(operation: Some, node: NodeSnapshot): Change;
  /** The ledger to write after the operation. */
  confirmed(operation: Some, after: NodeSnapshot): Ledger;
  /** Its inverse, in order. */
  inverse(operation: Some, before: NodeSnapshot): readonly Operation[];
  disruption(operation: Some): Disruption;
  /** Whether the kernel displaces entities, so that the node is observed right before it. */
  readonly displaces: boolean;
  /** The command that does it; undefined if there is no single one. */
  command(operation: Some, before: NodeSnapshot): CommandOf<Some>;
  /** One line of text. */
  summary(operation: Some): string;
  /** The drift that it repairs on a node. */
  discrepancy(operation: Some, node: NodeSnapshot): Discrepancy;
}
