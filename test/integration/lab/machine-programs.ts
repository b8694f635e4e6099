import type { ProgramLimits, ProgramResult, Programs } from '../../../src/ports/node/programs.ts';
import type { Channel } from './channel.ts';
import { type ProgramOutcome, programResult } from './program-outcome.ts';
import { batchRequests } from './batched-requests.ts';

/** A program to run. */
export interface Program {
  readonly words: readonly string[];
  /** The text that it reads on standard input; none where absent. */
  readonly input?: string | undefined;
  /** Milliseconds after which it is ended, with its process group. */
  readonly deadline: number;
}

/**
 * The programs of a simulated node. Those that are started in the same turn of the event loop go in one request, and run one after the
 * other: a machine has one processor.
 *
 * Rejects, other than the port allows, where the machine is gone: then a test has nothing more to say.
 */
export class MachinePrograms implements Programs {
  readonly #channel: Channel;
  readonly #node: string;
  readonly #outcome = batchRequests((programs: readonly Program[]) => this.runAll(programs, false));

  constructor(channel: Channel, node: string) {
    this.#channel = channel;
    this.#node = node;
  }

  async run(program: string, programArguments: readonly string[], limits: ProgramLimits): Promise<ProgramResult> {
    return this.result({ words: [program, ...programArguments], deadline: limits.deadline });
  }

  /** As `run`, of a program that may read something. */
  async result(program: Program): Promise<ProgramResult> {
    return programResult(await this.#outcome(program), program.deadline);
  }

  /**
   * Runs programs one after the other in a request of their own.
   *
   * @param stopAtFailure whether the first that does not exit with status 0 is the last; then the outcomes are fewer than the programs
   */
  async runAll(programs: readonly Program[], stopAtFailure: boolean): Promise<readonly ProgramOutcome[]> {
    return (await this.#channel.request({ do: 'run', node: this.#node, programs, stopAtFailure })) as ProgramOutcome[];
  }
}
