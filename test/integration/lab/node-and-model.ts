import { setTimeout as pause } from 'node:timers/promises';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  type Ledger,
  semanticsOf,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../../src/domain/index.ts';
import { applyOperation } from '../../../src/domain/entities/operations/operation-semantics.ts';
import { differences } from './comparison.ts';
import type { ArgumentVector, LabNode, Run } from './node.ts';

/** Milliseconds in which what the kernel does by and by, such as to take note of a carrier, has to be done. */
const SETTLING = 60_000;

/** Milliseconds between two looks at that: each of them keeps the machine from what is waited for. */
const PAUSE = 100;

/** The name that the cluster's objects have for the node, whatever its name in the lab. */
const NODE_NAME = 'worker-a';

/** The argument vectors of an operation, in order: mostly one. */
export function commandsOf(operation: Operation, before: NodeSnapshot): readonly ArgumentVector[] {
  const command = semanticsOf(operation).command(operation, before);
  if (command === undefined) throw new Error(`${semanticsOf(operation).name} has no command`);
  const { program, first, arguments: words } = command;
  return [...(first === undefined ? [] : [[program, ...first]]), [program, ...words]];
}

/** The argument vector of an operation; the last one of several. */
export function commandOf(operation: Operation, before: NodeSnapshot): ArgumentVector {
  return commandsOf(operation, before).at(-1) ?? [];
}

/** Whether a command did nothing. ovsdb-client is content with a transaction that was refused, as long as it was answered. */
export function isRefused({ exitCode, stdout }: Run, [program]: ArgumentVector): boolean {
  return exitCode !== 0 || (program === 'ovsdb-client' && stdout.includes('"error"'));
}

/** The refusal of an operation by the model; the node was not asked. */
export class ModelRefusal extends Error {}

/** Only the host's half of networks: no OVN runs on the node. */
export const hostSettings: NodeSettings = { ...defaultSettings, ovn: false };

/** A real node and its model, to which the same operations are done. The ledger is the model's: nothing on the node writes one. */
export class NodeAndModel {
  readonly node: LabNode;
  #model: NodeSnapshot;

  private constructor(node: LabNode, model: NodeSnapshot) {
    this.node = node;
    this.#model = model;
  }

  /** A node as it is, once what the kernel does by and by is done, and a model that is like it. */
  static async of(node: LabNode): Promise<NodeAndModel> {
    const twin = new NodeAndModel(node, await node.snapshot());
    await twin.look();
    return twin;
  }

  /** The expected state of the node. */
  get model(): NodeSnapshot {
    return this.#model;
  }

  /** Takes the node as it is for the model, by default with the ledger from before. */
  async look(ledger: Ledger = this.#model.ledger): Promise<NodeSnapshot> {
    let before: NodeSnapshot;
    let now = await this.#read(ledger);
    do {
      before = now;
      now = await this.#read(ledger);
    } while (differences(before, now).length > 0);
    this.#model = now;
    return now;
  }

  /** Looks at the node, and plans what is to be done. */
  async plan(cluster: ClusterSnapshot, settings: NodeSettings = hostSettings): Promise<readonly Operation[]> {
    this.#model = await this.#read(this.#model.ledger);
    return diffNode(planNode(cluster, this.#model, settings), this.#model);
  }

  /**
   * Does operations to the node and to its model, and compares the two whenever a link has gone down and up, and in the end. Rejects where one
   * of them refuses, or where they differ.
   */
  async do(...operations: readonly Operation[]): Promise<void> {
    const firstCycle = operations.findIndex(
      (operation) => semanticsOf(operation).disruption(operation) === 'link-cycle',
    );
    const count = firstCycle === -1 ? operations.length : firstCycle + 1;
    await this.#do(operations.slice(0, count));
    if (count < operations.length) await this.do(...operations.slice(count));
  }

  /** The operations that take the given ones back, in order, if these were done to the model as it is now. */
  inverse(...operations: readonly Operation[]): readonly Operation[] {
    let model = this.#model;
    const steps = operations.map((operation) => {
      const before = model;
      const change = applyOperation(operation, before);
      if (!change.done) throw refusal(operation, before, change.refusal);
      model = change.node;
      return semanticsOf(operation).inverse(operation, before);
    });
    return steps.reverse().flat();
  }

  /**
   * In which lines the node differs from its model, once what the kernel does by and by is done.
   *
   * @param stays whether a difference stays, so that nothing is waited for
   */
  async differences(
    model: NodeSnapshot = this.#model,
    stays: (line: string) => boolean = () => false,
  ): Promise<readonly string[]> {
    const deadline = performance.now() + SETTLING;
    for (;;) {
      const lines = differences(model, await this.#read(model.ledger));
      if (lines.every(stays) || performance.now() > deadline) return lines;
      await pause(PAUSE);
    }
  }

  async #do(operations: readonly Operation[]): Promise<void> {
    let model = this.#model;
    const steps = operations.flatMap((operation) => {
      const before = model;
      const change = applyOperation(operation, before);
      if (!change.done) throw refusal(operation, before, change.refusal);
      model = change.node;
      return commandsOf(operation, before).map((command) => ({ operation, before, command }));
    });
    const runs = await this.node.runAll(steps.map(({ command }) => command));
    for (const [index, { operation, before, command }] of steps.entries()) {
      const run = runs[index]!;
      // That a thing which is put back is there already is fine.
      const isThere = operation.verb === 'put-back' && run.stderr.includes('File exists');
      if (isRefused(run, command) && !isThere)
        throw new Error(problem('the node refuses', operation, before, [run.stdout, run.stderr]));
    }
    const lines = await this.differences(model);
    const commands = steps.map(({ command }) => command.join(' '));
    if (lines.length > 0) throw new Error(['model (-) and node (+) differ after', ...commands, ...lines].join('\n'));
    this.#model = model;
  }

  async #read(ledger: Ledger): Promise<NodeSnapshot> {
    return { ...(await this.node.snapshot()), nodeName: NODE_NAME, ledger };
  }
}

function refusal(operation: Operation, before: NodeSnapshot, reason: string): ModelRefusal {
  return new ModelRefusal(problem('the model refuses', operation, before, [reason]));
}

function problem(what: string, operation: Operation, before: NodeSnapshot, lines: readonly string[]): string {
  const summary = `${semanticsOf(operation).name} (${semanticsOf(operation).summary(operation)})`;
  return [`${what} ${summary}`, commandOf(operation, before).join(' '), ...lines].join('\n');
}
