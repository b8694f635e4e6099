import { semanticsOf } from '../../domain/entities/operations/operation-semantics.ts';
import type { Command } from '../../domain/entities/command.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type {
  HostChange,
  HostNetwork,
  HostOperation,
  HostSnapshot,
  NeighbourSnapshot,
} from '../../ports/node/host-network.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { describeFailure, type Programs } from '../../ports/node/programs.ts';
import { CachedDevlinkPorts } from '../devlink/cached-ports.ts';
import { mapReading } from '../../ports/readings.ts';
import { IpBatch, isPlain } from './batch.ts';
import { change, changeAfterList } from './changes.ts';
import { type HostTables, readHostTables, readNeighbourTables } from './host-tables.ts';
import { IpMonitor } from './monitor.ts';
import { WatchedNeighbours } from './watched-neighbours.ts';

/** Milliseconds after which ip is killed: the kernel usually answers in a few, a busy one in some hundred. */
const DEADLINE = 5000;

/** Maximum number of removed devices in the caches of the programs before they are restarted. */
const MAX_STALE_DEVICES = 10_000;

/** The network of the machine, by ip(8). */
export class IpNetwork implements HostNetwork {
  readonly #programs: Programs & LongLivedPrograms;
  readonly #deadline: number;
  /** For commands without family; lists the links with every read. */
  readonly #batch: IpBatch;
  readonly #familyBatches: Readonly<Record<'-4' | '-6', IpBatch>>;
  readonly #devlinkPorts: CachedDevlinkPorts;
  #monitor: IpMonitor | undefined;
  #listener: (change: HostChange) => void = () => undefined;
  #reportProblem: (problem: string) => void = () => undefined;
  /** Index and name of each link at the last read. */
  #devices = '';
  /** Device names by index in the caches of the programs, which never update them (iproute2, lib/ll_map.c, ll_entry_update). */
  readonly #knownNames = new Map<number, string>();
  readonly #neighbours = new WatchedNeighbours();

  /** @param deadline milliseconds after which a command fails, and ip is killed */
  constructor(programs: Programs & LongLivedPrograms, deadline = DEADLINE) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#devlinkPorts = new CachedDevlinkPorts(programs, deadline, (problem) => this.#reportProblem(problem));
    this.#batch = new IpBatch(programs, [], deadline);
    this.#familyBatches = {
      '-4': new IpBatch(programs, ['-4'], deadline),
      '-6': new IpBatch(programs, ['-6'], deadline),
    };
  }

  async read(): Promise<Reading<HostSnapshot>> {
    const tables = await this.#watching(() => this.#readTables());
    if (!tables.read) return tables;
    const devices = tables.value.links.map(({ index, name }) => `${index} ${name}`).join('\n');
    if (this.#devices !== devices) for (const batch of Object.values(this.#familyBatches)) batch.forgetDevices();
    this.#devices = devices;
    const ports = await this.#devlinkPorts.read(tables.value.links);
    return mapReading(ports, (devlinkPorts) => ({ ...tables.value, devlinkPorts }));
  }

  readNeighbours(): Promise<Reading<NeighbourSnapshot>> {
    return this.#watching(() => readNeighbourTables(this.#batch));
  }

  async apply(operation: HostOperation): Promise<ApplyResult> {
    const semantics = semanticsOf(operation);
    // These commands do not depend on the snapshot.
    const { program, first, arguments: words }: Command = semantics.command(operation, {} as NodeSnapshot);
    if (first === undefined) return await this.#apply(program, words, semantics.displaces);
    const begun = await this.#apply(program, first, false);
    if (!begun.done) return begun;
    const result = await this.#apply(program, words, semantics.displaces);
    if (result.done) return result;
    // Where the second command is refused, the first one has changed something.
    const { isRefused: _, ...failure } = result;
    return failure;
  }

  async #apply(program: string, words: readonly string[], displaces: boolean): Promise<ApplyResult> {
    if (program === 'ip' && isPlain(words)) return this.#change(words, displaces);
    // A batch cannot quote such a name: another program makes the change, so more time passes after the list.
    const tables = displaces ? await this.#readTables() : undefined;
    const result = await this.#programs.run(program, words, { deadline: this.#deadline });
    if (result.outcome === 'failed') return { done: false, error: oneLine(result.stderr), isRefused: true };
    if (result.outcome !== 'finished') return { done: false, error: describeFailure(result) };
    return { done: true, ...(tables?.read === true && { before: { entities: tables.value, isComplete: true } }) };
  }

  onChange(listener: (change: HostChange) => void, reportProblem: (problem: string) => void = () => undefined): void {
    this.#reportProblem = reportProblem;
    this.#listener = listener;
    this.#monitor = new IpMonitor(this.#programs, listener, reportProblem, (neighbour) =>
      this.#neighbours.matters(neighbour),
    );
  }

  close(): Promise<void> {
    this.#monitor?.close();
    for (const batch of this.#batches) batch.close();
    return Promise.resolve();
  }

  /** Reads tables, and reports a change of neighbours that they may not have yet. */
  async #watching<Tables extends NeighbourSnapshot>(read: () => Promise<Reading<Tables>>): Promise<Reading<Tables>> {
    this.#neighbours.beginRead();
    const tables = await read();
    if (tables.read && this.#neighbours.endRead(tables.value.neighbours)) this.#listener('neighbours');
    return tables;
  }

  get #batches(): readonly IpBatch[] {
    return [this.#batch, ...Object.values(this.#familyBatches)];
  }

  async #readTables(): Promise<Reading<HostTables>> {
    const tables = await readHostTables(this.#batch, this.#familyBatches['-6']);
    if (!tables.read || this.#remember(tables.value.links)) return tables;
    // The tables may contain former names of devices.
    for (const batch of this.#batches) batch.restart();
    this.#knownNames.clear();
    const again = await readHostTables(this.#batch, this.#familyBatches['-6']);
    if (again.read) this.#remember(again.value.links);
    return again;
  }

  /** Records the names in the programs' caches; returns whether they are up to date. */
  #remember(links: HostSnapshot['links']): boolean {
    const isConsistent = links.every(({ index, name }) => (this.#knownNames.get(index) ?? name) === name);
    for (const { index, name } of links) this.#knownNames.set(index, name);
    return isConsistent && this.#knownNames.size <= links.length + MAX_STALE_DEVICES;
  }

  #change(words: readonly string[], displaces: boolean): Promise<ApplyResult> {
    if (displaces) return changeAfterList(this.#batch, words);
    const [option = '', ...rest] = words;
    if (option === '-4' || option === '-6') return change(this.#familyBatches[option], rest);
    return change(this.#batch, words);
  }
}

function oneLine(text: string): string {
  return text.trim().replaceAll('\n', ' / ');
}
