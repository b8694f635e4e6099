import { backoffDelay, RECONNECT_BACKOFF } from '../../ports/backoff.ts';
import type { LongLivedPrograms, RunningProgram } from '../../ports/node/long-lived-programs.ts';

/** Milliseconds until a program certainly monitors; it does not report when. */
const STARTUP_TIME = 1000;

/** Maximum number of problems that are reported: messages may contain figures that change. */
const MAX_PROBLEMS = 20;

/** The user of a monitor. */
export interface MonitorListener {
  /** A line that it has printed. */
  onLine(line: string): void;
  /** Whether such a line says that changes were missed; never without this. One of standard error may, unless `saysNothing`. */
  saysMissed?(line: string): boolean;
  /** Whether a line of standard error says nothing about changes that were missed. */
  saysNothing?(message: string): boolean;
  /** Changes may have been missed. Called after each failed start, too: then it is the only sign of changes. */
  onMissed(): void;
  /** Changes may be noticed late, for a reason that was not reported before. A text for the log. */
  onProblem(problem: string): void;
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
  /** Those that were reported. */
  readonly #problems = new Set<string>();
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
        if (this.#listener.saysMissed?.(line) === true) this.#missed(line);
        else this.#listener.onLine(line);
      },
      // Such as ENOBUFS: it continues, but has missed changes.
      onMessage: (message) => {
        if (this.#listener.saysNothing?.(message) !== true) this.#missed(message);
      },
      onEnd: (reason) => {
        if (this.#isClosed) return;
        this.#report(
          reason,
          `are noticed up to ${String(RECONNECT_BACKOFF.longest / 1000)} s late until it runs again`,
        );
        this.#listener.onMissed();
        this.#restart();
      },
    });
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      // For changes before it monitored.
      this.#listener.onMissed();
    }, STARTUP_TIME);
  }

  #missed(message: string): void {
    this.#report(`printed: ${message}`, 'may have been missed, and everything is read again');
    this.#listener.onMissed();
  }

  #report(reason: string, consequence: string): void {
    const problem = `the program ${this.#command.join(' ')} ${reason}: changes by other programs ${consequence}`;
    if (this.#isClosed || this.#problems.has(problem) || this.#problems.size === MAX_PROBLEMS) return;
    this.#problems.add(problem);
    this.#listener.onProblem(problem);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    this.#failures += 1;
    this.#timer = setTimeout(
      () => {
        this.#start();
      },
      backoffDelay(RECONNECT_BACKOFF, this.#failures),
    );
  }
}
