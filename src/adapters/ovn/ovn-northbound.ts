import { northboundTransaction, type TransactionStep } from '../../domain/datapath/ovsdb/row-transaction.ts';
import { columnsByTable, conditionsByTable } from '../../domain/datapath/northbound/tables.ts';
import { changesRefusal, isInForce, rowChanges } from '../../domain/entities/operations/northbound-changes.ts';
import {
  awaitedNumber,
  isRepeated,
  type UnconfirmedChanges,
  unconfirmedAfter,
  unconfirmedAmong,
  withUnconfirmed,
} from '../../domain/entities/operations/unconfirmed-rows.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import type { Northbound, NorthboundOperation, NorthboundSnapshot } from '../../ports/node/northbound.ts';
import { allFields, mapReading, thenRead } from '../../ports/readings.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import type { Tables } from '../ovsdb/row.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
import { type OvsdbTiming, seconds, USUAL_TIMING } from '../ovsdb/timing.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { COUNTER_COLUMNS, type Counters, countersOf, missingConfirmation, requestOperations } from './confirmation.ts';
import { eachAlone } from './each-alone.ts';
import { flowsOfChange } from './expected-flows.ts';
import type { InstalledFlows } from './installed-flows.ts';
import { NorthboundRows } from './rows.ts';
import { northboundSnapshot } from './snapshot.ts';

/** Timeouts, in milliseconds. */
export interface NorthboundTiming extends OvsdbTiming {
  /** For ovn-northd and ovn-controller to confirm a change. */
  readonly confirmation: number;
  /** For the confirmation of a change that is asked for again, which is shorter: other operations wait meanwhile. */
  readonly repetition: number;
}

/** A controller of a large node takes seconds for all its flows. */
export const USUAL_NORTHBOUND_TIMING: NorthboundTiming = { ...USUAL_TIMING, confirmation: 30_000, repetition: 2000 };

/** Milliseconds between two looks for flows that are not there. */
const FLOW_PERIOD = 250;

const NO_NUMBER =
  'has no number for the change in nb_cfg of NB_Global, so that it cannot be confirmed: start ovn-northd, or run ovn-nbctl init';

/** Why a change is not confirmed, in one line, and how long to wait for more of it at most. */
interface Missing {
  readonly error: string;
  readonly period: number;
}

/** The outcome of a change: its result, or the number to confirm. */
type ChangeOutcome = { readonly result: ApplyResult } | { readonly number: number };

/**
 * OVN's Northbound database.
 *
 * Reads return a replica that the server keeps up to date. A change is computed from the rows of the replica, and guarded: the server refuses it if one of
 * them has changed since, so that writes of other programs are never overwritten.
 */
export class OvnNorthbound implements Northbound {
  /** The server as named in problems. */
  readonly #file: string;
  readonly #timing: NorthboundTiming;
  readonly #flows: Pick<InstalledFlows, 'problem'> | undefined;
  readonly #database: ReplicatedDatabase;
  readonly #rows = new NorthboundRows();
  readonly #changes = new Changes();
  #listener = (): void => undefined;
  /** One change after another: each is computed from the rows that the previous one has left. */
  #lastChange: Promise<unknown> = Promise.resolve();
  #unconfirmed: UnconfirmedChanges = new Map();
  #isClosed = false;

  /** @param flows which a change must have besides to be confirmed; absent where they cannot be looked for */
  constructor(
    server: DatabaseServer,
    timing: NorthboundTiming = USUAL_NORTHBOUND_TIMING,
    flows?: Pick<InstalledFlows, 'problem'>,
  ) {
    this.#file = serverText(server);
    this.#timing = timing;
    this.#flows = flows;
    const columns = { ...columnsByTable(), NB_Global: COUNTER_COLUMNS };
    this.#database = new ReplicatedDatabase('OVN_Northbound', columns, server, timing, conditionsByTable());
  }

  async read(): Promise<Reading<NorthboundSnapshot>> {
    const rows = thenRead(await this.#database.content(), (tables) => this.#rows.of(tables));
    return mapReading(rows, (value) => {
      this.#unconfirmed = unconfirmedAmong(value, this.#unconfirmed);
      return northboundSnapshot(withUnconfirmed(value, this.#unconfirmed), this.#database.missing);
    });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
    this.#follow();
  }

  async apply(operation: NorthboundOperation): Promise<ApplyResult> {
    this.#follow();
    const result = await this.#apply(operation);
    const isOfSeveral =
      operation.verb === 'change' && operation.kind === 'open-router-port' && operation.changes.length > 1;
    // A refusal for one router must not keep those of other networks closed.
    return isOfSeveral && !result.done && result.isRefused === true
      ? await eachAlone(operation.changes, (change) => this.#apply(change))
      : result;
  }

  /** Waits until ovn-controller has processed what ovn-northd has in the Southbound database now. Never rejects. */
  async confirm(): Promise<ApplyResult> {
    this.#follow();
    const requested = await this.#transact([], true);
    return 'result' in requested ? requested.result : this.#confirmed(requested.number, this.#timing.confirmation);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#database.close();
    this.#changes.notify();
    return Promise.resolve();
  }

  async #apply(operation: NorthboundOperation): Promise<ApplyResult> {
    const change = this.#lastChange.then(() => this.#change(operation));
    // An exception, which is a defect, must not keep others from being made.
    this.#lastChange = change.catch(() => undefined);
    const made = await change;
    const { confirmation, repetition } = this.#timing;
    const limit = isRepeated(operation, this.#unconfirmed) ? Math.min(repetition, confirmation) : confirmation;
    const result = 'result' in made ? made.result : await this.#confirmed(made.number, limit, operation);
    if (result.done || result.isRefused !== true) {
      const number = 'number' in made ? made.number : undefined;
      this.#unconfirmed = unconfirmedAfter(operation, result.done, this.#unconfirmed, number);
    }
    return result;
  }

  #follow(): void {
    if (this.#isClosed) return;
    this.#database.onChange((rows) => {
      this.#changes.notify();
      // Counters are not part of a snapshot.
      if (rows === undefined || rows.some(({ table }) => table !== 'NB_Global')) this.#listener();
    });
  }

  #countersOf(tables: Tables): Reading<Counters> {
    const counters = countersOf(tables);
    if (counters !== undefined) return { read: true, value: counters };
    return {
      read: false,
      problems: [this.#problem('has an empty NB_Global: start ovn-northd, or run ovn-nbctl init')],
    };
  }

  async #change(operation: NorthboundOperation): Promise<ChangeOutcome> {
    const content = thenRead(await this.#database.content(), (tables) =>
      allFields({ rows: this.#rows.of(tables), counters: this.#countersOf(tables) }),
    );
    if (!content.read) return { result: { ...this.#refused(content.problems).result, isUnavailable: true } };
    const { rows, counters } = content.value;
    const changes = rowChanges(operation, rows);
    const refusal = changesRefusal(changes, rows);
    if (refusal !== undefined) return this.#refused([this.#problem(refusal)]);
    const isAwaited = isInForce(operation, changes, rows);
    if (changes.length === 0 && !isAwaited) return { result: { done: true } };
    if (changes.length === 0) return await this.#repeat(operation, counters);
    return await this.#transact(northboundTransaction(changes, rows), isAwaited);
  }

  /** Asks for confirmation of an operation that changes nothing. */
  async #repeat(operation: NorthboundOperation, counters: Counters): Promise<ChangeOutcome> {
    if (!isRepeated(operation, this.#unconfirmed)) return { number: counters.requested };
    // ovn-controller may never report a number during which it has lost its connection to the bridge, only later ones (seen on OVN 23.03).
    const requested = await this.#transact([], true);
    const number = awaitedNumber(operation, this.#unconfirmed);
    return 'result' in requested || number === undefined ? requested : { number };
  }

  async #transact(steps: readonly TransactionStep[], isAwaited: boolean): Promise<ChangeOutcome> {
    const operations = [...steps.map(({ operation }) => operation), ...(isAwaited ? requestOperations : [])];
    const result = transactionResult(await this.#database.transact(operations));
    switch (result.outcome) {
      case 'done': {
        if (!isAwaited) return { result: { done: true } };
        const [row] = selectedRows(result.results[operations.length - 1]);
        const number = row?.['nb_cfg'];
        if (typeof number === 'number') return { number };
        return { result: { done: false, error: describeProblem(this.#problem(NO_NUMBER)) } };
      }
      case 'unknown':
        return {
          result: {
            done: false,
            error: describeProblem(this.#problem(`ovsdb-server ${result.reason}`)),
            isUnavailable: true,
          },
        };
      case 'refused':
        return this.#refused([this.#problem(`ovsdb-server refused the change: ${result.error}`)]);
      case 'failed': {
        const row = steps[result.at]?.row;
        const text = row === undefined ? 'the change' : `${row.table} ${row.name}`;
        return this.#refused([
          this.#problem(
            result.isWait
              ? `another program changed ${text} in the meantime; nothing is changed`
              : `ovsdb-server refused ${text}: ${result.error}`,
          ),
        ]);
      }
    }
  }

  /** Waits until a change is confirmed. @param limit in milliseconds */
  async #confirmed(number: number, limit: number, operation?: NorthboundOperation): Promise<ApplyResult> {
    const end = performance.now() + limit;
    for (;;) {
      const missing = (await this.#missing(number, limit)) ?? (await this.#missingFlows(operation));
      if (missing === undefined) return { done: true };
      const left = end - performance.now();
      if (left <= 0 || this.#isClosed) return { done: false, error: missing.error };
      await this.#changes.next(Math.min(left, missing.period));
    }
  }

  /** Names who has not confirmed a change; undefined if all have. */
  async #missing(number: number, limit: number): Promise<Missing | undefined> {
    const counters = thenRead(await this.#database.content(), (tables) => this.#countersOf(tables));
    if (counters.read && counters.value.done >= number) return undefined;
    const problems = counters.read
      ? [this.#problem(missingConfirmation(counters.value, number, seconds(limit)))]
      : counters.problems;
    return { error: problems.map(describeProblem).join('; '), period: limit };
  }

  /** Why the flows of an operation are not there; undefined if they are. */
  async #missingFlows(operation: NorthboundOperation | undefined): Promise<Missing | undefined> {
    if (operation === undefined || this.#flows === undefined) return undefined;
    const rows = thenRead(await this.#database.content(), (tables) => this.#rows.of(tables));
    const change = rows.read ? flowsOfChange(operation, rows.value) : undefined;
    const error = change && (await this.#flows.problem(change));
    return error === undefined ? undefined : { error, period: FLOW_PERIOD };
  }

  #problem(message: string): InputProblem {
    return { origin: { kind: 'file', file: this.#file }, message };
  }

  #refused(problems: readonly InputProblem[]) {
    return { result: { done: false, error: problems.map(describeProblem).join('; '), isRefused: true } } as const;
  }
}
