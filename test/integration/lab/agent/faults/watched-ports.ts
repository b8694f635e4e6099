/**
 * Wraps the ports of a loop to count changes, and to inject a fault at one of them: a command, a transaction, a bundle of flows, a kernel setting, or
 * a write of the ledger. Changes are applied by the real adapters.
 */
import type { DatapathPorts, NodePorts } from '../../../../../src/control/node/ports.ts';
import { operationKey } from '../../../../../src/domain/entities/operations/operation-key.ts';
import {
  changesOf,
  type Operation,
  type SingleOperation,
} from '../../../../../src/domain/entities/operations/operation.ts';
import type { ApplyResult, LeftOut } from '../../../../../src/ports/apply-result.ts';

/** Injects a fault. If the promise never resolves, the loop never learns the result. */
export type Injection = () => void | Promise<void>;

/** The number of the change at which a fault is injected, from 1, and how. */
export interface Fault {
  readonly at: number;
  readonly before?: Injection;
  readonly after?: Injection;
}

/** The changes through the ports. */
export class Changes {
  /** The number of changes that were begun. */
  count = 0;
  /** The keys of the applied operations. */
  readonly applied: string[] = [];
  readonly #fault: Fault | undefined;
  readonly #onApplied: (change: string) => void;

  /** @param onApplied called right after an operation is applied */
  constructor(fault?: Fault, onApplied: (change: string) => void = () => undefined) {
    this.#fault = fault;
    this.#onApplied = onApplied;
  }

  /** Counts a change, and applies it. */
  async apply(change: 'ledger' | Operation, apply: () => Promise<ApplyResult>): Promise<ApplyResult> {
    this.count += 1;
    const fault = this.count === this.#fault?.at ? this.#fault : undefined;
    await fault?.before?.();
    const result = await apply();
    if (result.done && change !== 'ledger') this.#record(change, result.leftOut);
    await fault?.after?.();
    return result;
  }

  #record(operation: Operation, leftOut: readonly LeftOut[] = []): void {
    const omitted = leftOut.map(({ change }) => change);
    for (const change of changesOf(operation)) {
      if (omitted.includes(change)) continue;
      const applied = keyOf(change);
      this.applied.push(applied);
      this.#onApplied(applied);
    }
  }
}

/** Identifies a change in all runs: a row of OVN that is added again has another UUID, and what is removed may have been changed before. */
function keyOf(change: SingleOperation): string {
  if (change.entity.kind !== 'northbound-row') return operationKey(change);
  const { table, name } = change.entity.row;
  return `${change.verb} ${table} ${name}`;
}

/** Ports whose changes are counted. */
export function watchedPorts<Ports extends Omit<NodePorts, 'resourceStore'>>(ports: Ports, changes: Changes): Ports {
  const { hostNetwork, switchDatabase, kernelSettings, ledgerStore } = ports;
  const watched: Omit<NodePorts, 'resourceStore'> = {
    hostNetwork: {
      read: () => hostNetwork.read(),
      readNeighbours: () => hostNetwork.readNeighbours(),
      onChange: (listener) => hostNetwork.onChange(listener),
      close: () => hostNetwork.close(),
      apply: (operation) => changes.apply(operation, () => hostNetwork.apply(operation)),
    },
    switchDatabase: {
      read: () => switchDatabase.read(),
      onChange: (listener) => switchDatabase.onChange(listener),
      close: () => switchDatabase.close(),
      apply: (operation) => changes.apply(operation, () => switchDatabase.apply(operation)),
    },
    kernelSettings: {
      read: (devices) => kernelSettings.read(devices),
      onChange: (listener) => kernelSettings.onChange(listener),
      close: () => kernelSettings.close(),
      apply: (operation) => changes.apply(operation, () => kernelSettings.apply(operation)),
    },
    ledgerStore: {
      read: (bootId) => ledgerStore.read(bootId),
      write: (ledger, bootId) => changes.apply('ledger', () => ledgerStore.write(ledger, bootId)),
    },
  };
  return { ...ports, ...watched, ...(ports.datapath && { datapath: watchedDatapath(ports.datapath, changes) }) };
}

function watchedDatapath(
  { flowTables, northbound, southbound, packetFilters }: DatapathPorts,
  changes: Changes,
): DatapathPorts {
  return {
    flowTables: {
      read: (switches) => flowTables.read(switches),
      onChange: (listener) => flowTables.onChange(listener),
      close: () => flowTables.close(),
      apply: (operation, bridges) => changes.apply(operation, () => flowTables.apply(operation, bridges)),
    },
    northbound: {
      read: () => northbound.read(),
      onChange: (listener) => northbound.onChange(listener),
      close: () => northbound.close(),
      apply: (operation) => changes.apply(operation, () => northbound.apply(operation)),
    },
    ...(southbound && {
      southbound: {
        read: () => southbound.read(),
        onChange: (listener) => southbound.onChange(listener),
        close: () => southbound.close(),
        apply: (operation) => changes.apply(operation, () => southbound.apply(operation)),
      },
    }),
    ...(packetFilters && {
      packetFilters: {
        read: () => packetFilters.read(),
        onChange: (listener) => packetFilters.onChange(listener),
        close: () => packetFilters.close(),
        apply: (operation) => changes.apply(operation, () => packetFilters.apply(operation)),
      },
    }),
  };
}
