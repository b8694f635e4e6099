import { resolve } from 'node:path';
import { expect } from 'chai';
import type { ArgumentVector, LabNode, NodeProcess } from '../node.ts';
import { type Exchange, PORT } from './exchange.ts';
import { lossCounters } from './loss-counters.ts';

const PROGRAM = resolve(import.meta.dirname, '../inside/steady.py');

/** Milliseconds to wait. */
const DEADLINE = 90_000;

/** Requests at a steady rate by UDP, or by one connection of TCP, until stopped. */
export interface Stream extends Pick<Exchange, 'from' | 'device' | 'to' | 'sourcePort'> {
  readonly protocol?: 'tcp';
  readonly port?: number;
  /** Requests per second. */
  readonly rate: number;
}

/** The result of a stream. */
export interface StreamSummary {
  readonly sent: number;
  /** Requests sent per second. */
  readonly rate: number;
  readonly lost: number;
  /** Milliseconds of the longest time between two answers. */
  readonly silence: number;
}

/** Number of streams started in this process, each with a file of its own. */
let started = 0;

/** Traffic during changes. */
export class SteadyTraffic {
  readonly #node: LabNode;
  readonly #process: NodeProcess;
  readonly #output: string;
  readonly #rates: readonly number[];

  private constructor(node: LabNode, process: NodeProcess, output: string, streams: readonly Stream[]) {
    // By TCP requests wait for answers.
    this.#rates = streams.map(({ rate, protocol }) => (protocol === undefined ? rate : 0));
    this.#node = node;
    this.#process = process;
    this.#output = output;
  }

  /** Starts streams, and waits until each of them is answered. */
  static async start(node: LabNode, streams: readonly Stream[]): Promise<SteadyTraffic> {
    started += 1;
    const output = `/run/steady-${String(started)}.log`;
    const words = streams.map((stream) => JSON.stringify({ port: PORT, ...stream }));
    const traffic = new SteadyTraffic(node, await node.start([PROGRAM, ...words], output), output, streams);
    for (const number of streams.keys()) await traffic.until([], `${String(number)} answers`);
    return traffic;
  }

  /**
   * Runs commands, and waits until a line has been printed that matches a pattern.
   *
   * @returns milliseconds from the beginning of the last command until then
   */
  until(commands: readonly ArgumentVector[], pattern: string): Promise<number> {
    return this.#node.until(commands, this.#output, pattern, DEADLINE);
  }

  /** Ends it. */
  async stop(): Promise<readonly StreamSummary[]> {
    await this.#process.signal('SIGTERM');
    await this.#process.exit();
    const lines = (await this.#node.read(this.#output)).trimEnd().split('\n');
    return JSON.parse(lines.at(-1) ?? '') as readonly StreamSummary[];
  }

  /** Ends it at once, whatever is under way: the kernel ends its connections. */
  async kill(): Promise<void> {
    await this.#process.signal('SIGKILL');
    await this.#process.exit();
  }

  /**
   * Ends it: all requests were answered, and nearly as many were sent as asked for: a busy machine catches up.
   *
   * @param others nodes besides that of the clients whose counters tell where packets were lost
   */
  async expectNothingLost(others: readonly LabNode[] = []): Promise<void> {
    const summaries = await this.stop();
    const isCarried = summaries.every(({ lost, rate }, index) => lost === 0 && rate >= (this.#rates[index] ?? 0) * 0.8);
    if (isCarried) return;
    const counters = await Promise.all([...new Set([this.#node, ...others])].map(lossCounters));
    // The end of a long text is what a cut one shows.
    expect.fail([...counters, await this.printed(), JSON.stringify(summaries)].join('\n'));
  }

  /** The output so far. */
  printed(): Promise<string> {
    return this.#node.read(this.#output);
  }
}
