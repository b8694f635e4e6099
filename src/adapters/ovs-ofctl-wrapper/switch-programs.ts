import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { describeFailure, type ProgramFailure, type ProgramResult, type Programs } from '../../ports/programs.ts';
import type { Selection } from './flow-selection.ts';
import type { TranslatedSource } from './translated-sources.ts';

/** The error of ovs-vswitchd for an unknown bridge. */
const NO_BRIDGE = 'no such bridge';

/** Its error for an entry that is missing or not static. */
const NO_ENTRY = 'could not find static mac entry';

/**
 * Milliseconds that a change of a bundle may take. After a restart of ovs-vswitchd, ovn-controller adds its flows at the same time: with 250 networks on a
 * busy machine, a bundle of 6,024 changes took 10 s.
 */
const DEADLINE_OF_CHANGE = 10;

/** Runs the programs of Open vSwitch. */
export class SwitchPrograms {
  readonly #programs: Programs;
  readonly #runDirectory: string;
  readonly #deadline: number;

  /**
   * @param runDirectory where ovs-vswitchd has its sockets; the programs look there too (ovs-appctl(8), OVS_RUNDIR)
   * @param deadline milliseconds after which a program is killed; one that changes flows has more, by their number
   */
  constructor(programs: Programs, runDirectory: string, deadline: number) {
    this.#programs = programs;
    this.#runDirectory = runDirectory;
    this.#deadline = deadline;
  }

  /** The OpenFlow socket of a bridge (ovs-ofctl(8)). */
  managementSocket(bridge: string): string {
    return join(this.#runDirectory, `${bridge}.mgmt`);
  }

  /** The flows of a bridge, or some of them, as ovs-ofctl(8) prints them. Never rejects. */
  async dumpFlows(bridge: string, selection?: Selection): Promise<Reading<string>> {
    const words = [this.#target(bridge), ...(selection === undefined ? [] : [selection])];
    const result = await this.#ofctl(['--no-names', '--no-stats', 'dump-flows', '--', ...words]);
    return printed(result, 'ovs-ofctl', `dump-flows ${bridge}`);
  }

  /** The same, with the number of packets that each has matched. Never rejects. */
  async dumpStatistics(bridge: string): Promise<Reading<string>> {
    return printed(
      await this.#ofctl(['--no-names', 'dump-flows', '--', this.#target(bridge)]),
      'ovs-ofctl',
      `dump-flows ${bridge}`,
    );
  }

  /** The ports of all bridges with their numbers in the datapath, as ovs-appctl(8) prints them. Never rejects. */
  async showDatapath(): Promise<Reading<string>> {
    return printed(await this.#control(['dpif/show']), 'ovs-appctl', 'dpif/show');
  }

  /**
   * What a bridge would do with a packet, as ovs-appctl(8) prints it. Never rejects.
   *
   * @param words with numbers of ports
   * @param states connection states that it has each time it comes back from connection tracking
   */
  async trace(bridge: string, words: string, states: readonly string[]): Promise<Reading<string>> {
    const next = states.flatMap((state) => ['--ct-next', state]);
    const result = await this.#control(['ofproto/trace', bridge, words, ...next]);
    return printed(result, 'ovs-appctl', `ofproto/trace ${bridge} ${words}`);
  }

  /**
   * Changes flows in one atomic bundle. Never rejects.
   *
   * @param lines each with its line break (ovs-ofctl(8), add-flows)
   */
  changeFlows(bridge: string, lines: readonly string[]): Promise<ProgramResult> {
    const words = ['--no-names', '--bundle', 'add-flows', '--', this.#target(bridge), '-'];
    return this.#ofctl(words, lines.join(''), this.#deadline + DEADLINE_OF_CHANGE * lines.length);
  }

  /** Deletes the connections whose source is translated to an address: later packets begin new ones. Never rejects. */
  async endConnections(bridge: string, { zone, address }: TranslatedSource): Promise<ApplyResult> {
    // Until then the datapath uses the former flows, and would create such connections again (ovs-vswitchd(8)).
    const settled = await this.#control(['revalidator/wait']);
    if (settled.outcome !== 'finished') return applied(settled);
    const field = address.includes(':') ? 'ct_ipv6_dst' : 'ct_nw_dst';
    // The first tuple is that before translation, the second one that of replies.
    const result = await this.#ofctl([
      'ct-flush',
      '--',
      this.#target(bridge),
      `zone=${zone}`,
      '',
      `${field}=${address}`,
    ]);
    return result.outcome === 'finished' ? { done: true } : { done: false, error: errorOf('ovs-ofctl', result) };
  }

  /** The MAC learning table of a bridge as ovs-appctl(8) prints it; empty if ovs-vswitchd does not have the bridge. Never rejects. */
  async showFdb(bridge: string): Promise<Reading<string>> {
    const result = await this.#control(['fdb/show', bridge]);
    if (result.outcome === 'failed' && result.stderr.startsWith(NO_BRIDGE)) return { read: true, value: '' };
    return printed(result, 'ovs-appctl', `fdb/show ${bridge}`);
  }

  /** Adds a static entry, in place of another one for the same VLAN and MAC address. Never rejects. */
  async addFdbEntry(bridge: string, port: string, vlan: number, macAddress: string): Promise<ApplyResult> {
    return applied(await this.#control(['fdb/add', bridge, port, String(vlan), macAddress]));
  }

  /** Deletes a static entry, if it exists. Never rejects. */
  async deleteFdbEntry(bridge: string, vlan: number, macAddress: string): Promise<ApplyResult> {
    const result = await this.#control(['fdb/del', bridge, String(vlan), macAddress]);
    return result.outcome === 'failed' && result.stderr.startsWith(NO_ENTRY) ? { done: true } : applied(result);
  }

  #ofctl(words: readonly string[], input?: string, deadline = this.#deadline): Promise<ProgramResult> {
    return this.#programs.run('ovs-ofctl', ['-O', 'OpenFlow14', ...words], { deadline }, input);
  }

  async #control(command: readonly string[]): Promise<ProgramResult> {
    const socket = await this.#controlSocket();
    const target = socket === undefined ? [] : [`--target=${socket}`];
    return this.#programs.run('ovs-appctl', [...target, ...command], { deadline: this.#deadline });
  }

  /**
   * The control socket of ovs-vswitchd (ovs-vswitchd(8), --unixctl). ovs-appctl finds it by itself only where it may write to the pid file, and where
   * ovs-vswitchd is in the same PID namespace: in a container neither is the case. Undefined if ovs-vswitchd does not run.
   */
  async #controlSocket(): Promise<string | undefined> {
    try {
      const pid = await readFile(join(this.#runDirectory, 'ovs-vswitchd.pid'), 'utf8');
      return join(this.#runDirectory, `ovs-vswitchd.${pid.trim()}.ctl`);
    } catch {
      // ovs-appctl reports what is missing.
      return undefined;
    }
  }

  /** By its socket, since ovs-ofctl misinterprets some names, such as `a@b`. */
  #target(bridge: string): string {
    return `unix:${this.managementSocket(bridge)}`;
  }
}

function printed(result: ProgramResult, program: string, what: string): Reading<string> {
  if (result.outcome === 'finished') return { read: true, value: new TextDecoder().decode(result.stdout) };
  return { read: false, problems: [{ origin: inFile(`${program} ${what}`), message: errorOf(program, result) }] };
}

function applied(result: ProgramResult): ApplyResult {
  if (result.outcome === 'finished') return { done: true };
  const isRefused = result.outcome === 'failed' && { isRefused: true as const };
  return { done: false, error: errorOf('ovs-appctl', result), ...isRefused };
}

/** A line of the log that the programs print beside their messages (ovs-ofctl(8), --verbose). */
const LOG_LINE = /^\d{4}-\d{2}-\d{2}T\S+\|/;

/** What ovs-appctl adds when ovs-vswitchd refuses. */
const REPEATED = /^ovs-appctl: \S+: server returned an error$/;

/** Why a program failed, in one line. */
export function errorOf(program: string, failure: ProgramFailure): string {
  if (failure.outcome !== 'failed') return `${program} ${describeFailure(failure)}`;
  const lines = failure.stderr.split('\n').map((line) => line.trim());
  const messages = lines.filter((line) => line !== '' && !REPEATED.test(line) && !LOG_LINE.test(line));
  return messages.length === 0 ? `${program} ${describeFailure(failure)}` : messages.join(' / ');
}
