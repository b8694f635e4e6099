import { utf8Length } from '../../domain/basics/names/interface-name.ts';
import type { FoundNftTable, NftChain, NftTable } from '../../domain/datapath/nftables/table.ts';
import { clearingRuleset, putRuleset, removalRuleset } from '../../domain/datapath/nftables/ruleset.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { describeFailure, type ProgramFailure, type Programs } from '../../ports/node/programs.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';
import { readTable } from './read-table.ts';

/** Milliseconds after which nft is killed: it usually takes some ten, and waits for another program that changes rules. */
const DEADLINE = 10_000;

/**
 * Bytes of one argument: a ruleset is one, as nft opens its standard input again, which the kernel refuses for that of Node.js, a socket. The kernel takes
 * 128 KiB (execve(2), MAX_ARG_STRLEN).
 */
const MAX_RULESET = 120_000;

/** Begins a line of nft monitor, on its standard output, about events that it could not receive (nftables, src/mnl.c, mnl_nft_event_listener); it continues after lost ones. */
const FAILED_LINE = '# ERROR:';

/** Whether there is no nft, or the kernel has no nftables (errno(3), EPROTONOSUPPORT and EOPNOTSUPP): then there are no rules either. */
function hasNoTables(failure: ProgramFailure): boolean {
  return (
    failure.outcome === 'not-found' ||
    (failure.outcome === 'failed' && /(?:Protocol|Operation) not supported/.test(failure.stderr))
  );
}

/** A table of nftables of this node, by nft(8). */
export class NftTableOnNode {
  readonly #programs: Programs & LongLivedPrograms;
  readonly #table: NftTable;
  readonly #changes = new Changes();
  readonly #problemListeners = new Set<(problem: string) => void>();
  #monitor: MonitoringProgram | undefined;

  constructor(programs: Programs & LongLivedPrograms, table: NftTable) {
    this.#programs = programs;
    this.#table = table;
  }

  /** Reads the table. Never rejects. */
  async read(): Promise<Reading<FoundNftTable>> {
    // There is nothing to list without tables, which is no failure: nft list table would be one.
    const list = ['--json', 'list', 'ruleset', this.#table.family];
    const result = await this.#programs.run('nft', list, { deadline: DEADLINE });
    const command = ['nft', ...list].join(' ');
    if (result.outcome === 'finished') return readTable(Buffer.from(result.stdout).toString(), command, this.#table);
    const message = `the program ${describeFailure(result)}`;
    return { read: false, problems: [{ origin: inFile(command), message }] };
  }

  /** Adds chains, or replaces their rules, in as many transactions as are needed for their length; the chains of one group in one. Never rejects. */
  async put(groups: readonly (readonly NftChain[])[]): Promise<ApplyResult> {
    return await this.#applyAll(groups, (some) => putRuleset(this.#table, some.flat()));
  }

  /** Removes chains by their names, those of one group in one transaction. Succeeds if there are none. Never rejects. */
  async remove(groups: readonly (readonly string[])[]): Promise<ApplyResult> {
    return await this.#applyAll(groups, (some) => removalRuleset(this.#table, some.flat()));
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

  /** Ends the monitor. */
  close(): void {
    this.#monitor?.close();
  }

  /** Applies rulesets of as many items as fit into an argument, until one fails. */
  async #applyAll<Item>(items: readonly Item[], rulesetOf: (items: readonly Item[]) => string): Promise<ApplyResult> {
    if (items.length === 0) return { done: true };
    const ruleset = rulesetOf(items);
    if (items.length === 1 || utf8Length(ruleset) <= MAX_RULESET) return await this.#apply(ruleset);
    const half = Math.ceil(items.length / 2);
    const first = await this.#applyAll(items.slice(0, half), rulesetOf);
    return first.done ? await this.#applyAll(items.slice(half), rulesetOf) : first;
  }

  /** @param isOptional whether nothing is to be done where there is no nftables */
  async #apply(ruleset: string, isOptional = false): Promise<ApplyResult> {
    const result = await this.#programs.run('nft', ['--json', ruleset], { deadline: DEADLINE });
    if (result.outcome === 'finished' || (isOptional && hasNoTables(result))) return { done: true };
    const error = `the program nft ${describeFailure(result)}`;
    return { done: false, error, ...(result.outcome === 'failed' && { isRefused: true as const }) };
  }
}
