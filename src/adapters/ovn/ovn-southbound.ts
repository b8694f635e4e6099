import { chassisTransaction } from '../../domain/entities/ovn/remote-chassis.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { mapReading } from '../../ports/readings.ts';
import type {
  Southbound,
  SouthboundChange,
  SouthboundOperation,
  SouthboundSnapshot,
} from '../../ports/node/southbound.ts';
import type { Row } from '../ovsdb/row.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
import { type OvsdbTiming, USUAL_TIMING } from '../ovsdb/timing.ts';
import { transactionResult } from '../ovsdb/transaction-result.ts';
import { eachAlone } from './each-alone.ts';
import type { SouthboundQuery } from './expected-flows.ts';
import type { SouthboundQueries } from './installed-flows.ts';
import { bindingOf, type PortBinding, type PortChange } from './port-binding.ts';
import { rowsIn } from './southbound-selection.ts';
import { SOUTHBOUND_COLUMNS, SOUTHBOUND_CONDITIONS, southboundIn } from './southbound-rows.ts';

/** Waits until ovn-controller has processed what is in the database. */
export type Confirmation = () => Promise<ApplyResult>;

/** Milliseconds in which ports are there that ovn-northd has confirmed: another connection may be faster. */
const PORT_PERIOD = 2000;

const done: ApplyResult = { done: true };

function isOf<Kind extends SouthboundChange['entity']['kind']>(kind: Kind) {
  return (change: SouthboundChange): change is EntityOperation<Kind> => change.entity.kind === kind;
}

type ChassisChange = EntityOperation<'remote-chassis'>;

const addressesOf = ({ entity: { chassis } }: ChassisChange) => chassis.addresses;

/** OVN's Southbound database. Reads return a replica that the server keeps up to date. */
export class OvnSouthbound implements Southbound, SouthboundQueries {
  /** The server as named in problems. */
  readonly #file: string;
  readonly #database: ReplicatedDatabase;
  readonly #confirm: Confirmation;
  readonly #changes = new Changes();
  /** Ports whose binding OVN has not confirmed. */
  readonly #unconfirmed = new Set<string>();
  #listener = (): void => undefined;
  #isClosed = false;

  /** @param confirm called after ports were bound, which ovn-northd does not confirm by itself, and between chassis that follow each other at an address */
  constructor(server: DatabaseServer, confirm: Confirmation, timing: OvsdbTiming = USUAL_TIMING) {
    this.#file = serverText(server);
    this.#confirm = confirm;
    const conditions = SOUTHBOUND_CONDITIONS;
    this.#database = new ReplicatedDatabase('OVN_Southbound', SOUTHBOUND_COLUMNS, server, timing, conditions);
  }

  async read(): Promise<Reading<SouthboundSnapshot>> {
    return mapReading(await this.#database.content(), (tables) => this.#withUnconfirmed(southboundIn(tables)));
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
    this.#follow();
  }

  /** The rows that queries of one transaction find, in their order. Never rejects. */
  async select(queries: readonly SouthboundQuery[]): Promise<Reading<readonly (readonly Row[])[]>> {
    const operations = queries.map((query) => ({ op: 'select', ...query }));
    const result = transactionResult(await this.#database.transact(operations));
    if (result.outcome === 'done') {
      const rows = queries.map(({ table }, index) => rowsIn(table, result.results[index], this.#file));
      return { read: true, value: rows };
    }
    const message = result.outcome === 'unknown' ? `ovsdb-server ${result.reason}` : result.error;
    return { read: false, problems: [this.#problem(message)] };
  }

  async apply(operation: SouthboundOperation): Promise<ApplyResult> {
    const changes = operation.verb === 'change' ? operation.changes : [operation];
    const ports = changes.filter(isOf('remote-port'));
    if (ports.length > 0) return await this.#bind(ports);
    const content = await this.#database.content();
    if (!content.read) return { ...this.#failed(content.problems), isUnavailable: true };
    return await this.#changeChassis(changes.filter(isOf('remote-chassis')));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#database.close();
    this.#changes.notify();
    return Promise.resolve();
  }

  /** Changes chassis: first deletes those at whose addresses others will be. */
  async #changeChassis(changes: readonly ChassisChange[]): Promise<ApplyResult> {
    const taken = new Set(changes.filter(({ verb }) => verb !== 'remove').flatMap(addressesOf));
    const isSucceeded = (change: ChassisChange) =>
      change.verb === 'remove' && addressesOf(change).some((address) => taken.has(address));
    const succeeded = changes.filter(isSucceeded);
    if (succeeded.length === 0) return await this.#changeTogether(changes);
    const deleted = await this.#changeTogether(succeeded);
    if (!deleted.done) return deleted;
    // ovs-vswitchd does not add a tunnel to an address while it has another one there ("File exists"), and does not try again once that is gone.
    const confirmed = await this.#confirm();
    if (!confirmed.done) return confirmed;
    const changed = await this.#changeTogether(changes.filter((change) => !isSucceeded(change)));
    if (!changed.done || deleted.leftOut === undefined) return changed;
    return { ...changed, leftOut: [...deleted.leftOut, ...(changed.leftOut ?? [])] };
  }

  /** Changes chassis in one transaction, or where that is refused one by one. */
  async #changeTogether(changes: readonly ChassisChange[]): Promise<ApplyResult> {
    const transact = (some: readonly ChassisChange[]) => this.#transact(chassisTransaction(some), 'one of the chassis');
    const result = await transact(changes);
    if (changes.length === 1 || result.done || result.isRefused !== true) return result;
    return await eachAlone(changes, (change) => transact([change]));
  }

  /** Binds ports, or releases them. Those that cannot be bound are left out. */
  async #bind(changes: readonly PortChange[]): Promise<ApplyResult> {
    const end = performance.now() + PORT_PERIOD;
    for (;;) {
      const content = await this.#database.content();
      if (!content.read) return { ...this.#failed(content.problems), isUnavailable: true };
      const bindings = changes.map((change) => ({ change, binding: bindingOf(change, content.value) }));
      const left = end - performance.now();
      if (bindings.some(({ binding }) => 'error' in binding && binding.isPending) && left > 0 && !this.#isClosed) {
        this.#follow();
        await this.#changes.next(left);
        continue;
      }
      const leftOut = bindings.flatMap(({ change, binding }): readonly LeftOut[] =>
        'error' in binding ? [{ change, error: describeProblem(this.#problem(binding.error)) }] : [],
      );
      const operations = bindings.flatMap(({ binding }) => ('operations' in binding ? binding.operations : []));
      const result = operations.length === 0 ? done : await this.#transact(operations, 'one of the ports');
      if (!result.done) return result;
      const confirmed = await this.#confirmBound(bindings);
      return confirmed.done && leftOut.length > 0 ? { ...confirmed, leftOut } : confirmed;
    }
  }

  /** Has OVN confirm the ports that are bound now, or were before and are not confirmed. */
  async #confirmBound(bindings: readonly { change: PortChange; binding: PortBinding }[]): Promise<ApplyResult> {
    const ports = bindings.flatMap(({ change: { verb, entity }, binding }) => {
      const isBoundNow = 'operations' in binding && binding.operations.length > 0;
      return verb !== 'remove' && (isBoundNow || this.#unconfirmed.has(entity.port)) ? [entity.port] : [];
    });
    if (ports.length === 0) return done;
    const confirmed = await this.#confirm();
    for (const port of ports) {
      if (confirmed.done) this.#unconfirmed.delete(port);
      else this.#unconfirmed.add(port);
    }
    return confirmed;
  }

  /** Marks the ports whose binding is not confirmed, and forgets those that are gone. */
  #withUnconfirmed(content: SouthboundSnapshot): SouthboundSnapshot {
    if (this.#unconfirmed.size === 0) return content;
    const there = new Set(content.remotePorts.map(({ port }) => port));
    for (const port of this.#unconfirmed) if (!there.has(port)) this.#unconfirmed.delete(port);
    const remotePorts = content.remotePorts.map((each) =>
      this.#unconfirmed.has(each.port) ? { ...each, isUnconfirmed: true as const } : each,
    );
    return { ...content, remotePorts };
  }

  #follow(): void {
    if (this.#isClosed) return;
    this.#database.onChange(() => {
      this.#changes.notify();
      this.#listener();
    });
  }

  async #transact(operations: readonly unknown[], what: string): Promise<ApplyResult> {
    const result = transactionResult(await this.#database.transact(operations));
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
          ? `another program has added, changed or deleted ${what}; nothing is changed`
          : `ovsdb-server refused the change: ${result.error}`;
        return { ...this.#failed([this.#problem(message)]), isRefused: true };
      }
    }
  }

  #problem(message: string): InputProblem {
    return { origin: { kind: 'file', file: this.#file }, message };
  }

  #failed(problems: readonly InputProblem[]) {
    return { done: false, error: problems.map(describeProblem).join('; ') } as const;
  }
}
