import { addressFamilies } from '../../domain/basics/addresses/ip-address.ts';
import { sameIfEqual } from '../../domain/basics/incremental/same-if-equal.ts';
import { filters, rulesetOf } from '../../domain/entities/kernel/filter-table.ts';
import type { FilterTable, ForwardDrop, PacketFilterSnapshot } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import type { FilterOperation, PacketFilters } from '../../ports/node/packet-filters.ts';
import { allFields, mapReading } from '../../ports/readings.ts';
import { LegacyTables } from '../procfs/legacy-tables.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';
import { InteractiveNft } from './interactive-nft.ts';
import type { LeavingConnections } from './leaving-connections.ts';
import { nftMonitorOutput } from './monitor-output.ts';
import { readFilters, readForwardDrops } from './read-filters.ts';

const LIST_TABLES = { command: 'nft --json list ruleset inet', list: { ruleset: { family: 'inet' } } };
const LIST_CHAINS = { command: 'nft --json list chains', list: { chains: null } };

/** Ends what nft monitor prints of a transaction. */
const GENERATION = '# new generation ';

const nothing: PacketFilterSnapshot = { filterTables: [], forwardDrops: [] };

/** Whether a transaction that nft monitor prints may change what is read, by one of its lines. */
function isConcerned(line: string, drops: readonly ForwardDrop[]): boolean {
  if (filters.some(({ table }) => line.includes(` ${table.family} ${table.name}`))) return true;
  if (!/^(?:add|delete) (?:chain|table) /.test(line)) return false;
  const isIn = ({ family, table, isLegacy }: ForwardDrop) => isLegacy !== true && line.includes(` ${family} ${table}`);
  return line.includes(' hook forward ') || drops.some(isIn);
}

/** The addresses of networks in a table that an operation takes out of it. */
function sourcesWithout({ verb, entity }: FilterOperation, found: FilterTable | undefined): readonly string[] {
  const sourcesIn = (table: FilterTable | undefined) =>
    addressFamilies.flatMap((family) => table?.sets[`sources${family}`] ?? []);
  const kept = new Set(verb === 'remove' ? [] : sourcesIn(entity.table));
  return sourcesIn(found).filter((source) => !kept.has(source));
}

/** The tables of nftables that filter packets, by nft(8), and of iptables-legacy what is known of them. */
export class NftFilters implements PacketFilters {
  readonly #programs: LongLivedPrograms;
  readonly #nft: InteractiveNft;
  readonly #connections: LeavingConnections;
  readonly #legacy: LegacyTables;
  #monitor: MonitoringProgram | undefined;
  #last = nothing;
  /** Whether the transaction that nft monitor prints is one that matters. */
  #isConcerned = false;

  constructor(programs: LongLivedPrograms, connections: LeavingConnections, legacy = new LegacyTables()) {
    this.#programs = programs;
    this.#connections = connections;
    this.#legacy = legacy;
    this.#nft = new InteractiveNft(programs);
  }

  async read(): Promise<Reading<PacketFilterSnapshot>> {
    const reading = allFields({
      filterTables: await this.#tables(),
      forwardDrops: await this.#list<readonly ForwardDrop[]>(LIST_CHAINS, [], (text, file) =>
        readForwardDrops(
          text,
          file,
          filters.map(({ table }) => table),
        ),
      ),
      legacyDrops: await this.#legacy.read(),
    });
    return mapReading(reading, ({ filterTables, forwardDrops, legacyDrops }) => {
      this.#last = sameIfEqual(this.#last, {
        filterTables: sameIfEqual(this.#last.filterTables, filterTables),
        forwardDrops: sameIfEqual(this.#last.forwardDrops, [...forwardDrops, ...legacyDrops]),
      });
      return this.#last;
    });
  }

  async apply(operation: FilterOperation): Promise<ApplyResult> {
    const tables = await this.#tables();
    if (!tables.read) return { done: false, error: tables.problems.map(({ message }) => message).join('; ') };
    const found = tables.value.find(({ name }) => name === operation.entity.table.name);
    const sources = sourcesWithout(operation, found);
    // Other programs may translate answers for as long as connection tracking knows the connections: until then the filter drops them.
    const ended = await this.#connections.end(sources);
    if (!ended.done) return ended;
    const result = await this.#nft.change(rulesetOf(operation, found));
    if (result.done) return { done: true };
    const { reason, isRefused } = result;
    return { done: false, error: `the program nft ${reason}`, ...(isRefused && { isRefused }) };
  }

  onChange(listener: () => void): void {
    this.#monitor ??= new MonitoringProgram(this.#programs, ['nft', 'monitor'], {
      onLine: (line) => {
        if (!line.startsWith(GENERATION)) {
          this.#isConcerned ||= isConcerned(line, this.#last.forwardDrops);
          return;
        }
        if (this.#isConcerned) listener();
        this.#isConcerned = false;
      },
      onMissed: listener,
      // The locks of pods report the same program (nft-table-on-node.ts).
      onProblem: () => undefined,
      ...nftMonitorOutput,
    });
  }

  close(): Promise<void> {
    this.#monitor?.close();
    this.#nft.close();
    return Promise.resolve();
  }

  async #tables(): Promise<Reading<readonly FilterTable[]>> {
    return await this.#list<readonly FilterTable[]>(LIST_TABLES, [], (text, file) => readFilters(filters, text, file));
  }

  /** @param none where the node has no nftables */
  async #list<Value>(
    { command, list }: { readonly command: string; readonly list: object },
    none: Value,
    parse: (text: string, file: string) => Reading<Value>,
  ): Promise<Reading<Value>> {
    const result = await this.#nft.list(JSON.stringify({ nftables: [{ list }] }));
    if (result.done) return parse(result.output, command);
    if (result.hasNoTables === true) return { read: true, value: none };
    return { read: false, problems: [{ origin: inFile(command), message: `the program nft ${result.reason}` }] };
  }
}
