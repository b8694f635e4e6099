import { externalIdsChange, type ExternalIdsOperation } from '../../domain/entities/operations/switch-changes.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem, inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import type { SwitchDatabase, SwitchOperation, SwitchSnapshot } from '../../ports/node/switch-database.ts';
import { thenRead } from '../../ports/readings.ts';
import { changeOperations, changeResult, NOT_INITIALIZED } from './external-ids-change.ts';
import { changeManagementPort } from './management-ports.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import { externalIdsOf, SWITCH_COLUMNS, switchOf } from './switch.ts';
import { areOfPods } from './pod-rows.ts';
import { unixServer } from '../ovsdb/server.ts';
import { type OvsdbTiming, seconds, USUAL_TIMING } from '../ovsdb/timing.ts';

/**
 * The Open vSwitch database of this node, through its Unix socket.
 *
 * Reads return a replica that the server keeps up to date. A change is computed from a value of external_ids, and guarded: the server refuses it if the
 * value has changed, so that writes of other programs are never overwritten.
 */
export class OvsdbSwitch implements SwitchDatabase {
  readonly #socket: string;
  readonly #timing: OvsdbTiming;
  readonly #database: ReplicatedDatabase;

  /** @param socket usually /var/run/openvswitch/db.sock */
  constructor(socket: string, timing: OvsdbTiming = USUAL_TIMING) {
    this.#socket = socket;
    this.#timing = timing;
    this.#database = new ReplicatedDatabase('Open_vSwitch', SWITCH_COLUMNS, unixServer(socket, 'Open vSwitch'), timing);
  }

  async read(): Promise<Reading<SwitchSnapshot>> {
    return thenRead(await this.#database.content(), switchOf);
  }

  onChange(listener: () => void): void {
    this.#database.onChange((rows) => {
      if (rows === undefined || !areOfPods(rows)) listener();
    });
  }

  async apply(operation: SwitchOperation): Promise<ApplyResult> {
    const { entity } = operation;
    if (entity.kind === 'management-port') {
      const { deadline } = this.#timing;
      return changeManagementPort(
        { ...operation, entity },
        { database: this.#database, socket: this.#socket, deadline },
      );
    }
    return this.#changeExternalIds({ ...operation, entity });
  }

  async #changeExternalIds(operation: ExternalIdsOperation): Promise<ApplyResult> {
    const end = performance.now() + this.#timing.deadline;
    const first = thenRead(await this.#database.content(), externalIdsOf);
    if (!first.read) return { ...notDone(first.problems), isUnavailable: true };
    if (first.value === undefined)
      return notDone([{ origin: inFile(this.#socket), message: `ovsdb-server ${NOT_INITIALIZED}` }]);
    let now = first.value;
    for (;;) {
      const wanted = externalIdsChange(operation, now);
      if (wanted === undefined) return { done: true };
      const result = changeResult(await this.#database.transact(changeOperations(now, wanted)), this.#socket);
      if (result.outcome === 'done') return { done: true };
      if (result.outcome === 'refused') return { done: false, error: result.error };
      if (result.outcome === 'unknown') return { done: false, error: result.error, isUnavailable: true };
      if (performance.now() > end) return this.#lostEveryRace();
      now = result.now;
    }
  }

  close(): Promise<void> {
    this.#database.close();
    return Promise.resolve();
  }

  #lostEveryRace(): ApplyResult {
    const message = `other programs kept changing external_ids of Open_vSwitch for ${seconds(this.#timing.deadline)}`;
    return notDone([{ origin: inFile(this.#socket), message }]);
  }
}

function notDone(problems: readonly InputProblem[]) {
  return { done: false, error: problems.map(describeProblem).join('; ') } as const;
}
