import { meaningOf, type NodeSnapshot, type Operation } from '../domain/index.ts';
import { applyOperation } from '../domain/operations/operation-meaning.ts';

/** Something that no program may ask of a node: the kernel refuses it, or we forbid it ourselves though the kernel would take it. */
export class Nonsense extends Error {
  override readonly name = 'Nonsense';
}

/** How far an operation came before a crash. `announced`: written down and not done. `done`: done and not written down as such. */
export type CrashPoint = 'announced' | 'done';

/**
 * A node that operations are done to: what the kernel and Open vSwitch do, with what they do besides, as was seen on Linux 6.1 and Open
 * vSwitch 3.1.
 */
export class NodeModel {
  #node: NodeSnapshot;

  constructor(node: NodeSnapshot) {
    this.#node = node;
  }

  /** What the node looks like now. */
  get snapshot(): NodeSnapshot {
    return this.#node;
  }

  /** @throws Nonsense where the operation must not be done to the node as it is. */
  apply(operation: Operation): void {
    const change = applyOperation(operation, this.#node);
    if (!change.done)
      throw new Nonsense(`${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}: ${change.refusal}`);
    this.#node = change.node;
  }

  /** Begins an operation and crashes half-way. @throws Nonsense as `apply` does. */
  crash(operation: Operation, point: CrashPoint): void {
    const before = this.#node;
    this.apply(operation);
    const written = meaningOf(operation).announced(operation, before);
    this.#node = point === 'announced' ? { ...before, ledger: written } : { ...this.#node, ledger: written };
  }
}
