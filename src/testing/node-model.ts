import { semanticsOf, type NodeSnapshot, type Operation, operationText } from '../domain/index.ts';
import { applyOperation } from '../domain/entities/operations/operation-semantics.ts';
import { frozen } from './frozen.ts';

/** An operation that the kernel refuses, or that must not be done though the kernel would do it. */
export class RefusedOperation extends Error {
  override readonly name = 'RefusedOperation';
}

/** How far an operation came before a crash. `announced`: in the ledger and not done. `done`: done, with the ledger as it was before it. */
export type CrashPoint = 'announced' | 'done';

/**
 * A node that operations are applied to: what the kernel and Open vSwitch do, with side effects, as observed on Linux 6.1 and Open vSwitch 3.1. Its snapshots are frozen,
 * also the one that it begins with.
 */
export class NodeModel {
  #node: NodeSnapshot;

  constructor(node: NodeSnapshot) {
    this.#node = frozen(node);
  }

  /** The node as it is now. */
  get snapshot(): NodeSnapshot {
    return this.#node;
  }

  /** @throws RefusedOperation where the node as it is refuses the operation. */
  apply(operation: Operation): void {
    const change = applyOperation(operation, this.#node);
    if (!change.done) throw new RefusedOperation(`${operationText(operation)}: ${change.refusal}`);
    this.#node = frozen(change.node);
  }

  /** Starts an operation and crashes in the middle of it. @throws RefusedOperation as `apply` does. */
  crash(operation: Operation, point: CrashPoint): void {
    const before = this.#node;
    this.apply(operation);
    const written = semanticsOf(operation).announced(operation, before);
    this.#node = point === 'announced' ? { ...before, ledger: written } : { ...this.#node, ledger: written };
  }
}
