import type { FoundNftTable, NftChain, NftTable } from '../../domain/datapath/nftables/table.ts';
import { clearingRuleset, listCommand, putRuleset, removalRuleset } from '../../domain/datapath/nftables/ruleset.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';
import { InteractiveNft } from './interactive-nft.ts';
import { readTable } from './read-table.ts';

/** Begins a line of nft monitor, on its standard output, about events that it could not receive (nftables, src/mnl.c, mnl_nft_event_listener); it continues after lost ones. */
const FAILED_LINE = '# ERROR:';

/** A table of nftables of this node, by nft(8). */
export class NftTableOnNode {
  readonly #programs: LongLivedPrograms;
  readonly #nft: InteractiveNft;
  readonly #table: NftTable;
  readonly #changes = new Changes();
  readonly #problemListeners = new Set<(problem: string) => void>();
  #monitor: MonitoringProgram | undefined;

  constructor(programs: LongLivedPrograms, table: NftTable) {
    this.#programs = programs;
    this.#nft = new InteractiveNft(programs);
    this.#table = table;
  }

  /** Reads the table. Never rejects. */
  async read(): Promise<Reading<FoundNftTable>> {
    // There is nothing to list without tables, which is no failure: nft list table would be one.
    const result = await this.#nft.list(listCommand(this.#table));
    const command = `nft --json list ruleset ${this.#table.family}`;
    if (result.done) return readTable(result.output, command, this.#table);
    return { read: false, problems: [{ origin: inFile(command), message: `the program nft ${result.reason}` }] };
  }

  /** Adds chains, or replaces their rules, in one transaction. Never rejects. */
  async put(chains: readonly NftChain[]): Promise<ApplyResult> {
    return chains.length === 0 ? { done: true } : await this.#apply(putRuleset(this.#table, chains));
  }

  /** Removes chains by their names, in one transaction. Succeeds if there are none. Never rejects. */
  async remove(names: readonly string[]): Promise<ApplyResult> {
    return names.length === 0 ? { done: true } : await this.#apply(removalRuleset(this.#table, names));
  }

  /** Removes the table. Succeeds where this node cannot have any. Never rejects. */
  async clear(): Promise<ApplyResult> {
    return await this.#apply(clearingRuleset(this.#table), true);
  }

  /**
   * Calls a listener whenever the table may have changed, also by others, until the function that is returned is called; and another function, once for each
   * reason, with a text for the log, if changes may be noticed late.
   */
  onChange(listener: () => void, reportProblem: (problem: string) => void = () => undefined): () => void {
    this.#problemListeners.add(reportProblem);
    // Other programs may change their own rules often.
    const ownLine = ` ${this.#table.family} ${this.#table.name}`;
    this.#monitor ??= new MonitoringProgram(this.#programs, ['nft', 'monitor'], {
      onLine: (line) => {
        if (line.includes(ownLine)) this.#changes.notify();
      },
      saysMissed: (line) => line.startsWith(FAILED_LINE),
      onMissed: () => {
        this.#changes.notify();
      },
      onProblem: (problem) => {
        for (const report of this.#problemListeners) report(problem);
      },
    });
    const stop = this.#changes.listen(listener);
    return () => {
      stop();
      this.#problemListeners.delete(reportProblem);
    };
  }

  /** Ends the programs. */
  close(): void {
    this.#monitor?.close();
    this.#nft.close();
  }

  /** @param isOptional whether nothing is to be done where there is no nftables */
  async #apply(ruleset: string, isOptional = false): Promise<ApplyResult> {
    const result = await this.#nft.change(ruleset);
    if (result.done || (isOptional && result.hasNoTables === true)) return { done: true };
    const { reason, isRefused } = result;
    return { done: false, error: `the program nft ${reason}`, ...(isRefused && { isRefused }) };
  }
}
