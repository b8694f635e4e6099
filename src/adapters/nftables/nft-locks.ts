import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostInterface } from '../../domain/pods/default-interfaces.ts';
import { utf8Length } from '../../domain/interface-name.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { InterfaceLocks, LockedInterface, ReadLocks } from '../../ports/interface-locks.ts';
import type { LongLivedPrograms } from '../../ports/long-lived-programs.ts';
import { describeFailure, type ProgramFailure, type Programs } from '../../ports/programs.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';
import { CLEAR_RULESET, LOCK_TABLE, lockRuleset, unlockRuleset } from './lock-ruleset.ts';
import { type HostDevices, readLocks } from './read-locks.ts';

/** Milliseconds after which nft is killed: it usually takes some ten, and waits for another program that changes rules. */
const DEADLINE = 10_000;

/**
 * Bytes of one argument: a ruleset is one, as nft opens its standard input again, which the kernel refuses for that of Node.js, a socket. The kernel takes
 * 128 KiB (execve(2), MAX_ARG_STRLEN).
 */
const MAX_RULESET = 120_000;

/** There is nothing to list without tables, which is no failure: nft list table would be one. */
const LIST = ['--json', 'list', 'ruleset', LOCK_TABLE.family];

/** Identifies lines about the table: other programs may change their own rules often. */
const OWN_LINE = ` ${LOCK_TABLE.family} ${LOCK_TABLE.table}`;

/** Begins a line of nft monitor, on its standard output, about events that it could not receive (nftables, src/mnl.c, mnl_nft_event_listener); it continues after lost ones. */
const FAILED_LINE = '# ERROR:';

/** Whether there is no nft, or the kernel has no nftables (errno(3), EPROTONOSUPPORT and EOPNOTSUPP): then there are no rules either. */
function hasNoTables(failure: ProgramFailure): boolean {
  return (
    failure.outcome === 'not-found' ||
    (failure.outcome === 'failed' && /(?:Protocol|Operation) not supported/.test(failure.stderr))
  );
}

/** The kernel’s network devices in a folder (sysfs-class-net). */
class DeviceFolder implements HostDevices {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async has({ name, index }: HostInterface): Promise<boolean> {
    return (await this.#indexOf(name)) === index;
  }

  async indexes(): Promise<ReadonlySet<number>> {
    const names = await readdir(this.#path).catch(() => []);
    const indexes = await Promise.all(names.map((name) => this.#indexOf(name)));
    return new Set(indexes.flatMap((index) => index ?? []));
  }

  /** Undefined if there is no such device. */
  async #indexOf(name: string): Promise<number | undefined> {
    const text = await readFile(join(this.#path, name, 'ifindex'), 'utf8').catch(() => '');
    return text === '' ? undefined : Number(text);
  }
}

/** The locks of this node, as rules of nftables, by nft(8). */
export class NftLocks implements InterfaceLocks {
  readonly #programs: Programs & LongLivedPrograms;
  readonly #devices: HostDevices;
  readonly #changes = new Changes();
  readonly #problemListeners = new Set<(problem: string) => void>();
  #monitor: MonitoringProgram | undefined;

  /** @param devices folder with the kernel’s network devices (sysfs-class-net) */
  constructor(programs: Programs & LongLivedPrograms, devices = '/sys/class/net') {
    this.#programs = programs;
    this.#devices = new DeviceFolder(devices);
  }

  async read(): Promise<Reading<ReadLocks>> {
    const result = await this.#programs.run('nft', LIST, { deadline: DEADLINE });
    const command = ['nft', ...LIST].join(' ');
    if (result.outcome === 'finished') {
      return readLocks(Buffer.from(result.stdout).toString(), command, this.#devices);
    }
    const message = `the program ${describeFailure(result)}`;
    return { read: false, problems: [{ origin: inFile(command), message }] };
  }

  async put(locks: readonly LockedInterface[]): Promise<ApplyResult> {
    return await this.#applyAll(locks, lockRuleset);
  }

  async remove(indexes: readonly number[]): Promise<ApplyResult> {
    return await this.#applyAll(indexes, unlockRuleset);
  }

  async clear(): Promise<ApplyResult> {
    return await this.#apply(CLEAR_RULESET, true);
  }

  onChange(listener: () => void, reportProblem: (problem: string) => void = () => undefined): () => void {
    this.#problemListeners.add(reportProblem);
    this.#monitor ??= new MonitoringProgram(this.#programs, ['nft', 'monitor'], {
      onLine: (line) => {
        if (line.includes(OWN_LINE)) this.#changes.notify();
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
