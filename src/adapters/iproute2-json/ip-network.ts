import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import type { Command } from '../../domain/entities/command.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { HostNetwork, HostOperation, HostSnapshot } from '../../ports/host-network.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/long-lived-programs.ts';
import { describeFailure, type Programs } from '../../ports/programs.ts';
import { LastingDevlinkPorts } from '../devlink/lasting-ports.ts';
import { mapReading } from '../json/readings.ts';
import { IpBatch, isPlain } from './batch.ts';
import { change, changeAfterList } from './changes.ts';
import { type HostTables, readHostTables } from './host-tables.ts';
import { IpMonitor } from './monitor.ts';

/** Milliseconds after which ip is ended: the kernel answers in a few, a busy one in some hundred. */
const DEADLINE = 5000;

/** Devices that are gone and that the programs still remember, before others take their place: they forget nothing. */
const MOST_GONE = 10_000;

/** A neighbour as `ip monitor` names it. */
function neighbourKey(address: string, device: string): string {
  return `${address} ${device}`;
}

const passing = new Set(['reachable', 'stale', 'delay', 'probe', 'incomplete', 'failed']);

/** The network of the machine, by ip(8). */
export class IpNetwork implements HostNetwork {
  readonly #programs: Programs & LongLivedPrograms;
  readonly #deadline: number;
  /** For all that is of no family; it lists the links with every reading. */
  readonly #batch: IpBatch;
  readonly #familyBatches: Readonly<Record<'-4' | '-6', IpBatch>>;
  readonly #devlinkPorts: LastingDevlinkPorts;
  #monitor: IpMonitor | undefined;
  /** Number and name of each link, when they were read last. */
  #devices = '';
  /** The name of each number, as the programs have learned it: they never learn another one (iproute2, lib/ll_map.c, ll_entry_update). */
  readonly #learned = new Map<number, string>();
  #lasting: ReadonlySet<string> = new Set();

  /** @param deadline milliseconds after which a command is given up, and ip ended */
  constructor(programs: Programs & LongLivedPrograms, deadline = DEADLINE) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#devlinkPorts = new LastingDevlinkPorts(programs, deadline);
    this.#batch = new IpBatch(programs, [], deadline);
    this.#familyBatches = {
      '-4': new IpBatch(programs, ['-4'], deadline),
      '-6': new IpBatch(programs, ['-6'], deadline),
    };
  }

  async read(): Promise<Reading<HostSnapshot>> {
    const tables = await this.#readTables();
    if (!tables.read) return tables;
    const lasting = tables.value.neighbours.filter(({ states }) => !states.every((state) => passing.has(state)));
    this.#lasting = new Set(lasting.map(({ address, device }) => neighbourKey(address, device)));
    const devices = tables.value.links.map(({ index, name }) => `${index} ${name}`).join('\n');
    if (this.#devices !== devices) for (const batch of Object.values(this.#familyBatches)) batch.devicesHaveChanged();
    this.#devices = devices;
    const ports = await this.#devlinkPorts.read(tables.value.links);
    return mapReading(ports, (devlinkPorts) => ({ ...tables.value, devlinkPorts }));
  }

  async apply(operation: HostOperation): Promise<ApplyResult> {
    const meaning = meaningOf(operation);
    const { displaces } = meaning;
    // None of these commands depends on what is there besides.
    const { program, arguments: words }: Command = meaning.command(operation, {} as NodeSnapshot);
    if (program === 'ip' && isPlain(words)) return this.#change(words, displaces);
    // A batch cannot be told such a name, so the list is as old as it takes to start a program.
    const tables = displaces ? await this.#readTables() : undefined;
    const result = await this.#programs.run(program, words, { deadline: this.#deadline });
    if (result.outcome === 'failed') return { done: false, error: oneLine(result.stderr), isRefused: true };
    if (result.outcome !== 'finished') return { done: false, error: describeFailure(result) };
    return { done: true, ...(tables?.read === true && { before: { things: tables.value, isWhole: true } }) };
  }

  onChange(listener: () => void): void {
    this.#monitor = new IpMonitor(this.#programs, listener, (address, device) =>
      this.#lasting.has(neighbourKey(address, device)),
    );
  }

  close(): Promise<void> {
    this.#monitor?.close();
    for (const batch of this.#batches) batch.close();
    return Promise.resolve();
  }

  get #batches(): readonly IpBatch[] {
    return [this.#batch, ...Object.values(this.#familyBatches)];
  }

  async #readTables(): Promise<Reading<HostTables>> {
    const tables = await readHostTables(this.#batch, this.#familyBatches['-6']);
    if (!tables.read || this.#learns(tables.value.links)) return tables;
    // What stands in them may be of devices by names that they do not have any more.
    for (const batch of this.#batches) batch.startAnew();
    this.#learned.clear();
    const again = await readHostTables(this.#batch, this.#familyBatches['-6']);
    if (again.read) this.#learns(again.value.links);
    return again;
  }

  /** Takes note of what the programs have learned; gives whether all of that is so. */
  #learns(links: HostSnapshot['links']): boolean {
    const isSo = links.every(({ index, name }) => (this.#learned.get(index) ?? name) === name);
    for (const { index, name } of links) this.#learned.set(index, name);
    return isSo && this.#learned.size <= links.length + MOST_GONE;
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
