import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureNode } from '../../../src/adapters/capture/capture-node.ts';
import { CapturedNode } from '../../../src/adapters/capture/captured-node.ts';
import type { NodeSnapshot } from '../../../src/domain/snapshot/node-snapshot.ts';
import { describeProblem, type InputProblem } from '../../../src/ports/input-problem.ts';
import { describeFailure, type Programs } from '../../../src/ports/node/programs.ts';
import { type Channel, NODE_DEADLINE } from './channel.ts';
import { openAgents } from './open-agents.ts';
import { MachinePrograms } from './machine-programs.ts';
import { type ProgramOutcome, programFailure, programResult, textOf } from './program-outcome.ts';
import { SimulatedPrograms } from './simulated-programs.ts';

/** Milliseconds after which a program is ended by default. */
const DEADLINE = 90_000;

/** Where the capture of a snapshot is while it is read: in memory where there is such a folder, since each of its files is flushed to the disk. */
const SNAPSHOTS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A program that has exited. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a program besides its arguments. */
export interface RunOptions {
  /** The text that it reads on standard input: none by default. */
  readonly input?: string;
  /** Milliseconds after which it is ended with its process group. */
  readonly deadline?: number;
}

/** Name or path of a program, and its arguments. */
export type ArgumentVector = readonly string[];

/** How a program on a node ended. */
export type ProcessExit = { readonly exitCode: number } | { readonly signal: string };

/** A program on a node that goes on by itself. */
export class NodeProcess {
  readonly #channel: Channel;
  readonly #node: string;
  readonly #process: number;

  constructor(channel: Channel, node: string, process: number) {
    this.#channel = channel;
    this.#node = node;
    this.#process = process;
  }

  /** Sends it, and what it has started, a signal; one that has ended does not mind. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    await this.#channel.request({ do: 'signal', node: this.#node, process: this.#process, signal });
  }

  /** How it ended, once it has. */
  async exit(): Promise<ProcessExit> {
    return (await this.#channel.request({ do: 'exit', node: this.#node, process: this.#process })) as ProcessExit;
  }
}

/** A simulated node: network, mounts, processes and host name of its own, and an Open vSwitch in its usual place. */
export class LabNode {
  /** Its host name. */
  readonly name: string;
  readonly #channel: Channel;
  readonly #programs: MachinePrograms;
  readonly #swiftPrograms: SimulatedPrograms;

  constructor(name: string, channel: Channel) {
    this.name = name;
    this.#channel = channel;
    this.#programs = new MachinePrograms(channel, name);
    this.#swiftPrograms = new SimulatedPrograms(this.#programs, channel, name);
  }

  /** The programs of the node, for code of the project that runs programs. */
  get programs(): Programs {
    return this.#programs;
  }

  /** Runs programs one after the other; rejects at the first that does not exit with status 0. Gives what the last one printed. */
  async does(...vectors: readonly ArgumentVector[]): Promise<string> {
    const outcomes = await this.#run(vectors, true);
    let printed = '';
    outcomes.forEach((outcome, index) => {
      const result = programResult(outcome, DEADLINE);
      if (result.outcome !== 'finished') throw new Error(`${this.#command(vectors[index])} ${describeFailure(result)}`);
      printed = new TextDecoder().decode(result.stdout);
    });
    return printed;
  }

  /** Runs a program, whatever its exit status. Rejects where it has none: not installed, ended by a signal, beyond its deadline. */
  async run(vector: ArgumentVector, { input, deadline = DEADLINE }: RunOptions = {}): Promise<Run> {
    const [outcome] = await this.#programs.runAll([{ words: vector, input, deadline }], false);
    return this.#exited(vector, outcome, deadline);
  }

  /** As `run`, of programs one after the other: quicker than one call for each. */
  async runAll(vectors: readonly ArgumentVector[]): Promise<readonly Run[]> {
    const outcomes = await this.#run(vectors, false);
    return outcomes.map((outcome, index) => this.#exited(vectors[index], outcome, DEADLINE));
  }

  /** Captures the node, as `ovn-uplinks capture` does it, into a folder of the machine that the tests run on. */
  async capture(directory: string): Promise<void> {
    this.#refuse((await captureNode(directory, this.#programs)).problems);
  }

  /** Reads the node as it is now, by way of a capture without the files of bridges, which no snapshot is made of. */
  async snapshot(): Promise<NodeSnapshot> {
    const parent = await mkdtemp(join(SNAPSHOTS, 'ovn-uplinks-snapshot-'));
    try {
      const directory = join(parent, this.name);
      this.#refuse((await captureNode(directory, this.#swiftPrograms)).problems);
      const reading = await new CapturedNode(this.name, directory).read();
      if (reading.read) return reading.value;
      throw this.#problems(reading.problems);
    } finally {
      await rm(parent, { recursive: true });
    }
  }

  /** Starts a program that goes on by itself; what it says is kept in a file on the node. */
  async start(words: ArgumentVector, output: string): Promise<NodeProcess> {
    const process = await this.#channel.request({ do: 'start', node: this.name, words, output });
    return new NodeProcess(this.#channel, this.name, process as number);
  }

  /**
   * Runs programs one after the other, and waits until a file on the node is as it should be; its folder has to be there.
   *
   * @param path of the file
   * @param pattern of Python's re, in which a dot is any character
   * @returns milliseconds from the beginning of the last program to the last change of the file; less than 0 where it was like that before
   */
  async until(
    programs: readonly ArgumentVector[],
    path: string,
    pattern: string,
    deadline = DEADLINE,
  ): Promise<number> {
    const request = {
      do: 'until',
      node: this.name,
      programs: programs.map((words) => ({ words, deadline: DEADLINE })),
      path,
      pattern,
      deadline,
    };
    return ((await this.#channel.request(request)) as number) * 1000;
  }

  /** Writes a file of the node, as a person would who redirects into it. */
  async write(path: string, text: string): Promise<void> {
    await this.run(['/bin/busybox', 'dd', `of=${path}`, 'status=none'], { input: text });
  }

  /** The content of a file of the node. */
  async read(path: string): Promise<string> {
    return (await this.run(['/bin/busybox', 'cat', path])).stdout;
  }

  /** Ends the node with every process on it. */
  async end(): Promise<void> {
    openAgents.delete(this);
    await this.#channel.request({ do: 'end-node', node: this.name }, NODE_DEADLINE);
  }

  #run(vectors: readonly ArgumentVector[], stopAtFailure: boolean): Promise<readonly ProgramOutcome[]> {
    const programs = vectors.map((words) => ({ words, deadline: DEADLINE }));
    return this.#programs.runAll(programs, stopAtFailure);
  }

  #exited(vector: ArgumentVector | undefined, outcome: ProgramOutcome | undefined, deadline: number): Run {
    if (outcome === undefined) throw new Error(`${this.#command(vector)} was not run`);
    if ('failure' in outcome)
      throw new Error(`${this.#command(vector)} ${describeFailure(programFailure(outcome, deadline))}`);
    return { exitCode: outcome.exitCode, stdout: textOf(outcome.stdout), stderr: textOf(outcome.stderr) };
  }

  #command(vector: ArgumentVector = []): string {
    return `"${vector.join(' ')}" on ${this.name}`;
  }

  #refuse(problems: readonly InputProblem[]): void {
    if (problems.length > 0) throw this.#problems(problems);
  }

  #problems(problems: readonly InputProblem[]): Error {
    return new Error(`${this.name} cannot be captured:\n${problems.map(describeProblem).join('\n')}`);
  }
}
