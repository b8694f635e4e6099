/**
 * The ports of a loop with somebody between them and the loop who counts what is changed, and may step in at any change: a command, a
 * transaction, a kernel setting, or a write of the ledger. What is applied is applied by the adapters themselves.
 */
import type { NodePorts } from '../../../../../src/control/node/ports.ts';
import { operationKey } from '../../../../../src/domain/operations/operation-key.ts';
import type { Operation } from '../../../../../src/domain/index.ts';
import type { ApplyResult } from '../../../../../src/ports/apply-result.ts';

/** Steps in at a change. A promise that is never fulfilled keeps the loop from ever knowing more. */
export type StepIn = () => void | Promise<void>;

/** At which change somebody steps in, counted from 1, and how. */
export interface Fault {
  readonly at: number;
  readonly before?: StepIn;
  readonly after?: StepIn;
}

/** What was changed by way of the ports. */
export class Changes {
  /** How many changes were begun. */
  count = 0;
  /** What was applied on the node, by what it is known by. */
  readonly made: string[] = [];
  readonly #fault: Fault | undefined;
  readonly #onMade: (change: string) => void;

  /** @param onMade told of what was applied as soon as it is */
  constructor(fault?: Fault, onMade: (change: string) => void = () => undefined) {
    this.#fault = fault;
    this.#onMade = onMade;
  }

  /** Has a change made. */
  async make(change: 'ledger' | Operation, apply: () => Promise<ApplyResult>): Promise<ApplyResult> {
    this.count += 1;
    const fault = this.count === this.#fault?.at ? this.#fault : undefined;
    await fault?.before?.();
    const result = await apply();
    if (result.done && change !== 'ledger') {
      const made = operationKey(change);
      this.made.push(made);
      this.#onMade(made);
    }
    await fault?.after?.();
    return result;
  }
}

/** Ports whose changes are watched. */
export function watchedPorts<Ports extends Omit<NodePorts, 'resourceStore'>>(ports: Ports, changes: Changes): Ports {
  const { hostNetwork, switchDatabase, kernelSettings, ledgerStore } = ports;
  const watched: Omit<NodePorts, 'resourceStore'> = {
    hostNetwork: {
      read: () => hostNetwork.read(),
      onChange: (listener) => hostNetwork.onChange(listener),
      close: () => hostNetwork.close(),
      apply: (operation) => changes.make(operation, () => hostNetwork.apply(operation)),
    },
    switchDatabase: {
      read: () => switchDatabase.read(),
      onChange: (listener) => switchDatabase.onChange(listener),
      close: () => switchDatabase.close(),
      apply: (operation) => changes.make(operation, () => switchDatabase.apply(operation)),
    },
    kernelSettings: {
      read: () => kernelSettings.read(),
      onChange: (listener) => kernelSettings.onChange(listener),
      close: () => kernelSettings.close(),
      apply: (operation) => changes.make(operation, () => kernelSettings.apply(operation)),
    },
    ledgerStore: {
      read: (bootId) => ledgerStore.read(bootId),
      write: (ledger, bootId) => changes.make('ledger', () => ledgerStore.write(ledger, bootId)),
    },
  };
  return { ...ports, ...watched };
}
