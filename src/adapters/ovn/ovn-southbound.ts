import { chassisTransaction } from '../../domain/entities/remote-chassis.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { mapReading } from '../../ports/readings.ts';
import type { Southbound, SouthboundOperation, SouthboundSnapshot } from '../../ports/southbound.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import { type Server, serverText } from '../ovsdb/server.ts';
import { type OvsdbTiming, USUAL_TIMING } from '../ovsdb/timing.ts';
import { transactionResult } from '../ovsdb/transaction-result.ts';
import { chassisIn, SOUTHBOUND_COLUMNS } from './chassis-rows.ts';

/** OVN's Southbound database. Reads return a replica that the server keeps up to date. */
export class OvnSouthbound implements Southbound {
  /** The server as named in problems. */
  readonly #file: string;
  readonly #database: ReplicatedDatabase;

  constructor(server: Server, timing: OvsdbTiming = USUAL_TIMING) {
    this.#file = serverText(server);
    this.#database = new ReplicatedDatabase('OVN_Southbound', SOUTHBOUND_COLUMNS, server, timing);
  }

  async read(): Promise<Reading<SouthboundSnapshot>> {
    return mapReading(await this.#database.content(), (tables) => ({ chassis: chassisIn(tables) }));
  }

  onChange(listener: () => void): void {
    this.#database.onChange(() => listener());
  }

  async apply(operation: SouthboundOperation): Promise<ApplyResult> {
    const changes = operation.verb === 'change' ? operation.changes : [operation];
    const content = await this.#database.content();
    if (!content.read) return { ...this.#failed(content.problems), isUnavailable: true };
    const result = transactionResult(await this.#database.transact(chassisTransaction(changes)));
    switch (result.outcome) {
      case 'done':
        return { done: true };
      case 'unknown':
        return { ...this.#failed([this.#problem(`ovsdb-server ${result.reason}`)]), isUnavailable: true };
      case 'refused':
        return {
          ...this.#failed([this.#problem(`ovsdb-server refused the change: ${result.error}`)]),
          isRefused: true,
        };
      case 'failed': {
        const message = result.isWait
          ? 'another program has added, changed or deleted one of the chassis; nothing is changed'
          : `ovsdb-server refused the change: ${result.error}`;
        return { ...this.#failed([this.#problem(message)]), isRefused: true };
      }
    }
  }

  close(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }

  #problem(message: string): InputProblem {
    return { origin: { kind: 'file', file: this.#file }, message };
  }

  #failed(problems: readonly InputProblem[]) {
    return { done: false, error: problems.map(describeProblem).join('; ') } as const;
  }
}
