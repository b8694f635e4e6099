import { deleteRows, putRows } from '../../src/domain/node-model/switch/northbound.ts';
import { type NorthboundRow, rowKey } from '../../src/domain/datapath/northbound/row.ts';
import { changesRefusal, isInForce, rowChanges } from '../../src/domain/entities/operations/northbound-changes.ts';
import {
  type UnconfirmedChanges,
  unconfirmedAfter,
  withUnconfirmed,
} from '../../src/domain/entities/operations/unconfirmed-rows.ts';
import type { RowChange } from '../../src/domain/datapath/ovsdb/row-transaction.ts';
import type { ColumnValue } from '../../src/domain/datapath/northbound/tables.ts';
import type { NodeSnapshot } from '../../src/domain/snapshot/node-snapshot.ts';
import type { ApplyResult, LeftOut } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { Northbound, NorthboundOperation, NorthboundSnapshot } from '../../src/ports/node/northbound.ts';
import { completeNode } from '../../src/testing/brief-node.ts';

type Rows = readonly NorthboundRow[];

const FILE = 'ovnnb_db.sock';

/** The router port that a MAC binding refers to. */
function portOf({ columns }: NorthboundRow): string {
  const port = columns['logical_port'];
  return typeof port === 'string' ? port : '';
}

/** OVN's Northbound database in memory, which can be made to fail, to lose a race against another program, or to be without ovn-controller. */
export class FakeNorthbound implements Northbound {
  #rows: Rows;
  #failure: string | undefined;
  #changeBeforeWrite: (() => void) | undefined;
  #isConfirming = true;
  #unconfirmed: UnconfirmedChanges = new Map();
  #listener = (): void => undefined;
  #nextNumber = 1;

  constructor(rows: Rows = []) {
    this.#rows = rows;
  }

  read(): Promise<Reading<NorthboundSnapshot>> {
    if (this.#failure !== undefined)
      return Promise.resolve({ read: false, problems: [{ origin: inFile(FILE), message: this.#failure }] });
    const northbound = withUnconfirmed(this.#rows, this.#unconfirmed);
    return Promise.resolve({ read: true, value: { northbound, isNorthboundRead: true } });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  async apply(operation: NorthboundOperation): Promise<ApplyResult> {
    const result = await this.#apply(operation);
    const isOfSeveral =
      operation.verb === 'change' && operation.kind === 'open-router-port' && operation.changes.length > 1;
    if (!isOfSeveral || result.done || result.isRefused !== true) return result;
    const leftOut: LeftOut[] = [];
    for (const change of operation.changes) {
      const alone = await this.#apply(change);
      if (alone.done) continue;
      if (alone.isRefused !== true) return alone;
      leftOut.push({ change, error: alone.error });
    }
    return { done: true, ...(leftOut.length > 0 && { leftOut }) };
  }

  #apply(operation: NorthboundOperation): Promise<ApplyResult> {
    const refused = (error: string): Promise<ApplyResult> =>
      Promise.resolve({ done: false, error: `${FILE}: ${error}`, isRefused: true });
    if (this.#failure !== undefined) return refused(this.#failure);
    const rows = this.#rows;
    const changes = rowChanges(operation, rows);
    const refusal = changesRefusal(changes, rows);
    if (refusal !== undefined) return refused(refusal);
    const isAwaited = isInForce(operation, changes, rows);
    this.#makeChangeBeforeWrite();
    const [lost] = changes.flatMap(({ row }) => changedOf(row, rows, this.#rows) ?? []);
    if (lost !== undefined) return refused(`another program changed ${lost} in the meantime`);
    if (changes.length > 0) this.#become(changes.reduce(changed, this.#rows));
    const isConfirmed = !isAwaited || this.#isConfirming;
    this.#unconfirmed = unconfirmedAfter(operation, isConfirmed, this.#unconfirmed);
    if (isConfirmed) return Promise.resolve({ done: true });
    return Promise.resolve({ done: false, error: `${FILE}: ovn-controller did not confirm the change` });
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'is not read any more';
    return Promise.resolve();
  }

  /** Inserts rows, or changes them, as any program can. */
  put(...rows: Rows): void {
    this.#become(rows.reduce((before, row) => changed(before, { verb: 'add', row }), this.#rows));
  }

  /** Sets a column of a row, as any program can. */
  setColumn({ uuid }: NorthboundRow, column: string, value: ColumnValue): void {
    const set = (row: NorthboundRow) => ({ ...row, columns: { ...row.columns, [column]: value } });
    this.#become(this.#rows.map((row) => (row.uuid === uuid ? set(row) : row)));
  }

  /** Deletes a row, as any program can. */
  delete(row: Pick<NorthboundRow, 'table' | 'name'>): void {
    this.#become(deleteRows(nodeWith(this.#rows), [row]).northbound);
  }

  /** Has another program change something after the next operation has read the rows, and before it writes them. */
  changeBeforeNextWrite(change: () => void): void {
    this.#changeBeforeWrite = change;
  }

  /** Whether what is in force is confirmed; otherwise such operations fail as after the time limit. */
  setConfirming(isConfirming: boolean): void {
    this.#isConfirming = isConfirming;
  }

  /** Makes reads and operations fail until `recover`. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#listener();
  }

  recover(): void {
    this.#failure = undefined;
    this.#listener();
  }

  #makeChangeBeforeWrite(): void {
    const change = this.#changeBeforeWrite;
    this.#changeBeforeWrite = undefined;
    change?.();
  }

  #become(rows: Rows): void {
    const networks = new Map(
      rows.flatMap(({ table, name, network }) => (table === 'Logical_Router_Port' ? [[name, network] as const] : [])),
    );
    this.#rows = rows.map((row) => this.#stored(row, networks));
    this.#listener();
  }

  /** A row with its number, and whose it is where that follows from another row. */
  #stored(row: NorthboundRow, networks: ReadonlyMap<string, string | undefined>): NorthboundRow {
    const { network: signed, uuid, ...others } = row;
    const network = row.table === 'Static_MAC_Binding' ? networks.get(portOf(row)) : signed;
    if (uuid !== undefined && network === signed) return row;
    return { ...others, uuid: uuid ?? this.#newNumber(), ...(network !== undefined && { network }) };
  }

  #newNumber(): string {
    const number = this.#nextNumber;
    this.#nextNumber += 1;
    return `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
  }
}

function nodeWith(northbound: Rows): NodeSnapshot {
  return completeNode({ nodeName: 'node', northbound });
}

function changed(rows: Rows, { verb, row }: RowChange): Rows {
  const node = nodeWith(rows);
  return (verb === 'remove' ? deleteRows(node, [row]) : putRows(node, [row])).northbound;
}

/** Which of a row and the one that refers to it is not as it was; absent where both are. */
function changedOf(row: NorthboundRow, before: Rows, now: Rows): string | undefined {
  const find = (rows: Rows, some: Pick<NorthboundRow, 'table' | 'name'>) =>
    rows.find((other) => rowKey(other) === rowKey(some));
  const { parents = [] } = row;
  const parent = parents.find((each) => find(before, each)?.uuid !== find(now, each)?.uuid);
  if (parent !== undefined) return rowKey(parent);
  return find(before, row) === find(now, row) ? undefined : rowKey(row);
}
