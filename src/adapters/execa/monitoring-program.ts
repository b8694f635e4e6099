import { backoffDelay, RECONNECT_BACKOFF } from '../../ports/backoff.ts';
import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';

/** Milliseconds until a program certainly monitors; it does not report when. */
const STARTUP_TIME = 1000;

/** What is told of a monitor. */
export interface MonitorListener {
  /** A line that it has printed. */
  onLine(line: string): void;
  /** Changes may have been missed. */
  onMissed(): void;
}

/** A program that prints what changes, as `ip monitor` does. It is started again whenever it ends. */
export class MonitoringProgram {
  readonly #programs: LongLivedPrograms;
  readonly #command: readonly [program: string, ...words: string[]];
  readonly #listener: MonitorListener;
  #program: RunningProgram | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Consecutive exits before it monitored. */
  #failures = 0;
  #isClosed = false;

  constructor(
    programs: LongLivedPrograms,
    command: readonly [program: string, ...words: string[]],
    listener: MonitorListener,
  ) {
    this.#programs = programs;
    this.#command = command;
    this.#listener = listener;
    this.#start();
  }

  /** Stops it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#program?.end();
  }

  #start(): void {
    const [program, ...words] = this.#command;
    this.#program = this.#programs.start(program, words, {
      onOutput: (line) => {
        this.#listener.onLine(line);
      },
      // Such as ENOBUFS: it continues, but has missed changes.
      onMessage: () => {
        this.#listener.onMissed();
      },
      onEnd: () => {
        this.#restart();
      },
    });
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      // For changes before it monitored.
      this.#listener.onMissed();
    }, STARTUP_TIME);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#failures += 1;
    this.#timer = setTimeout(
      () => {
        this.#start();
      },
      backoffDelay(RECONNECT_BACKOFF, this.#failures),
    );
  }
}
