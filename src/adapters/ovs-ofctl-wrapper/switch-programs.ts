import { join } from 'node:path';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { describeFailure, type ProgramFailure, type ProgramResult, type Programs } from '../../ports/node/programs.ts';
import type { Selection } from './flow-selection.ts';
import { type TrackedConnections, wordsOf } from '../vswitchd-control/tracked-connections.ts';

/**
 * Milliseconds that a change of a bundle may take. After a restart of ovs-vswitchd, ovn-controller adds its flows at the same time: with 250 networks on a
 * busy machine, a bundle of 6,024 changes took 10 s.
 */
const DEADLINE_OF_CHANGE = 10;

/** The versions of OpenFlow with cookies that can be matched: switch and program agree on one (ovs-ofctl(8), --protocols). */
const ANY_VERSION = 'OpenFlow13,OpenFlow14,OpenFlow15';

/** Runs ovs-ofctl(8). */
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
  async dumpFlows(bridge: string, selections: readonly Selection[] = []): Promise<Reading<string>> {
    const words = [this.#target(bridge), ...(selections.length === 0 ? [] : [selections.join()])];
    const result = await this.#ofctl(['--no-names', '--no-stats', 'dump-flows', '--', ...words]);
    return printed(result, 'ovs-ofctl', `dump-flows ${bridge}`);
  }

  /** Reads flows with the number of packets that each has matched. Never rejects. */
  async dumpStatistics(bridge: string): Promise<Reading<string>> {
    return printed(
      await this.#ofctl(['--no-names', 'dump-flows', '--', this.#target(bridge)]),
      'ovs-ofctl',
      `dump-flows ${bridge}`,
    );
  }

  /** The number of flows of a bridge with a cookie, as ovs-ofctl(8) prints it. The bridge may be another program's, with other protocols. Never rejects. */
  async countFlows(bridge: string, cookie: string): Promise<Reading<string>> {
    const words = ['-O', ANY_VERSION, 'dump-aggregate', '--', this.#target(bridge), `cookie=${cookie}/-1`];
    const result = await this.#programs.run('ovs-ofctl', words, { deadline: this.#deadline });
    return printed(result, 'ovs-ofctl', `dump-aggregate ${bridge}`);
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

  /** Deletes connections of the datapath of a bridge. Where Open vSwitch stops at one that it cannot delete, it reports no error, and those after it stay. Never rejects. */
  async endConnections(bridge: string, connections: TrackedConnections): Promise<ApplyResult> {
    const result = await this.#ofctl(['ct-flush', '--', this.#target(bridge), ...wordsOf(connections)]);
    if (result.outcome === 'finished') return { done: true };
    const hasAnswered = result.outcome === 'failed';
    return { done: false, error: errorOf('ovs-ofctl', result), ...(!hasAnswered && { isUnavailable: true as const }) };
  }

  #ofctl(words: readonly string[], input?: string, deadline = this.#deadline): Promise<ProgramResult> {
    return this.#programs.run('ovs-ofctl', ['-O', 'OpenFlow14', ...words], { deadline }, input);
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

/** A line of the log that the programs print beside their messages (ovs-ofctl(8), --verbose). */
const LOG_LINE = /^\d{4}-\d{2}-\d{2}T\S+\|/;

/** Why a program failed, in one line. */
export function errorOf(program: string, failure: ProgramFailure): string {
  if (failure.outcome !== 'failed') return `${program} ${describeFailure(failure)}`;
  const lines = failure.stderr.split('\n').map((line) => line.trim());
  const messages = lines.filter((line) => line !== '' && !LOG_LINE.test(line));
  return messages.length === 0 ? `${program} ${describeFailure(failure)}` : messages.join(' / ');
}
