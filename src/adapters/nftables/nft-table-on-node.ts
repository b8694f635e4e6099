import type { FoundNftChain, FoundNftTable, NftChain, NftTable } from '../../domain/datapath/nftables/table.ts';
import { clearingRuleset, listCommand, putRuleset, removalRuleset } from '../../domain/datapath/nftables/ruleset.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';
import { InteractiveNft } from './interactive-nft.ts';
import { nftMonitorOutput } from './monitor-output.ts';
import { OwnChanges } from './own-changes.ts';
import { readTable } from './read-table.ts';

/** A table of nftables of this node, by nft(8). */
export class NftTableOnNode {
  readonly #programs: LongLivedPrograms;
  readonly #nft: InteractiveNft;
  readonly #table: NftTable;
  readonly #own: OwnChanges;
  readonly #changes = new Changes();
  readonly #problemListeners = new Set<(problem: string) => void>();
  #monitor: MonitoringProgram | undefined;
  /** The table as it was read last, with own changes since; undefined once another program may have changed it. */
  #known: Map<string, FoundNftChain> | undefined;
  /** Counts what makes a table that is being read unknown. */
  #version = 0;

  constructor(programs: LongLivedPrograms, table: NftTable) {
    this.#programs = programs;
    this.#nft = new InteractiveNft(programs);
    this.#table = table;
    this.#own = new OwnChanges(table, () => this.#changedByOthers());
  }

  /** Reads the table. Never rejects. */
  async read(): Promise<Reading<FoundNftTable>> {
    const version = this.#version;
    // There is nothing to list without tables, which is no failure: nft list table would be one.
    const result = await this.#nft.list(listCommand(this.#table));
    const command = `nft --json list ruleset ${this.#table.family}`;
    if (result.done) {
      const reading = readTable(result.output, command, this.#table);
      // What other programs change is not noticed without the monitor.
      const isKnown = reading.read && this.#monitor !== undefined && version === this.#version;
      this.#known = isKnown ? new Map(reading.value) : undefined;
      return reading;
    }
    return { read: false, problems: [{ origin: inFile(command), message: `the program nft ${result.reason}` }] };
  }

  /** The table as it was read last, with own changes since; reads it again once another program may have changed it. Never rejects. */
  async known(): Promise<Reading<FoundNftTable>> {
    return this.#known === undefined ? await this.read() : { read: true, value: new Map(this.#known) };
  }

  /** Adds chains, or replaces their rules, in one transaction. Never rejects. */
  async put(chains: readonly NftChain[]): Promise<ApplyResult> {
    if (chains.length === 0) return { done: true };
    const names = chains.map(({ name }) => name);
    return await this.#change(putRuleset(this.#table, chains), names, (known) => {
      for (const { name, base, rules } of chains) {
        known.set(name, { base, comments: rules.map(({ comment }) => comment) });
      }
    });
  }

  /** Removes chains by their names, in one transaction. Succeeds if there are none. Never rejects. */
  async remove(names: readonly string[]): Promise<ApplyResult> {
    if (names.length === 0) return { done: true };
    return await this.#change(removalRuleset(this.#table, names), names, (known) => {
      for (const name of names) known.delete(name);
    });
  }

  /** Removes the table. Succeeds where this node cannot have any. Never rejects. */
  async clear(): Promise<ApplyResult> {
    this.#known = undefined;
    this.#version += 1;
    return await this.#apply(clearingRuleset(this.#table), true);
  }

  /**
   * Calls a listener whenever another program may have changed the table, until the function that is returned is called; and another function, once for each
   * reason, with a text for the log, if changes may be noticed late.
   */
  onChange(listener: () => void, reportProblem: (problem: string) => void = () => undefined): () => void {
    this.#problemListeners.add(reportProblem);
    this.#monitor ??= new MonitoringProgram(this.#programs, ['nft', 'monitor'], {
      onLine: (line) => {
        this.#own.onLine(line);
      },
      onMissed: () => {
        this.#own.forget();
        this.#changedByOthers();
      },
      onProblem: (problem) => {
        for (const report of this.#problemListeners) report(problem);
      },
      ...nftMonitorOutput,
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

  #changedByOthers(): void {
    this.#known = undefined;
    this.#version += 1;
    this.#changes.notify();
  }

  /** @param apply does to the known table what the ruleset does to that of the kernel */
  async #change(
    ruleset: string,
    names: readonly string[],
    apply: (known: Map<string, FoundNftChain>) => void,
  ): Promise<ApplyResult> {
    const unexpect = this.#monitor === undefined ? undefined : this.#own.expect(names);
    const result = await this.#apply(ruleset);
    if (result.done) {
      if (this.#known !== undefined) apply(this.#known);
    } else {
      // It may have been made.
      unexpect?.();
      this.#known = undefined;
      this.#version += 1;
    }
    return result;
  }

  /** @param isOptional whether nothing is to be done where there is no nftables */
  async #apply(ruleset: string, isOptional = false): Promise<ApplyResult> {
    const result = await this.#nft.change(ruleset);
    if (result.done || (isOptional && result.hasNoTables === true)) return { done: true };
    const { reason, isRefused } = result;
    return { done: false, error: `the program nft ${reason}`, ...(isRefused && { isRefused }) };
  }
}
