/**
 * Keeps one program for many requests, as starting a program takes longer than most of them. What its output means is up to the request.
 *
 * The difficulty is that a program may end at any time, or never answer: output belongs to a request only if it comes from the current program.
 */
import type { LongLivedPrograms, RunningProgram } from '../../ports/node/long-lived-programs.ts';

/** A request to a program. The first answer counts. */
export interface ProgramRequest<Answer> {
  /** Lines for its standard input. */
  readonly text: string;
  /** Whether the program is ended after the answer, as more output may follow, or as it has run for long enough. */
  readonly isLast: boolean;
  /** Reads a line of standard output. Returns the answer once it is complete. */
  onOutput(line: string): Answer | undefined;
  /** Reads a line of standard error, likewise. */
  onMessage(line: string): Answer | undefined;
  /** Returns the answer if the program ends before; the reason completes "the program …". */
  onEnd(reason: string): Answer;
  /** Returns the answer if the program was killed after a deadline, in milliseconds. */
  onDeadline(deadline: number): Answer;
}

/** A program that is asked on its standard input. It is started on demand, and again after it has ended. Processes one request at a time, in order. */
export class InteractiveProgram<Answer> {
  readonly #programs: LongLivedPrograms;
  readonly #command: readonly [program: string, ...words: string[]];
  readonly #deadline: number;
  #program: RunningProgram | undefined;
  /** The request in progress. */
  #pending: { readonly request: ProgramRequest<Answer>; readonly resolve: (answer: Answer) => void } | undefined;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param deadline milliseconds after which a request fails and the program is killed */
  constructor(programs: LongLivedPrograms, command: readonly [program: string, ...words: string[]], deadline: number) {
    this.#programs = programs;
    this.#command = command;
    this.#deadline = deadline;
  }

  /**
   * Makes a request once all earlier ones are answered. Returns undefined if the program is closed by then. Never rejects.
   *
   * @param begin called right before; its parameter is whether this is the first request to a program
   */
  ask(begin: (isFirst: boolean) => ProgramRequest<Answer>): Promise<Answer | undefined> {
    const answer = this.#last.then(() => (this.#isClosed ? undefined : this.#answer(begin)));
    this.#last = answer;
    return answer;
  }

  /** Starts another program for the next request. */
  restart(): void {
    this.#last = this.#last.then(() => {
      this.#end();
    });
  }

  /** Ends the program. The current request fails, and no other one is made. */
  close(): void {
    this.#isClosed = true;
    this.#program?.end();
  }

  async #answer(begin: (isFirst: boolean) => ProgramRequest<Answer>): Promise<Answer> {
    const request = begin(this.#program === undefined);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#pending = { request, resolve };
    const program = (this.#program ??= this.#start());
    const timer = setTimeout(() => {
      this.#end();
      resolve(request.onDeadline(this.#deadline));
    }, this.#deadline);
    program.write(request.text);
    const answer = await promise;
    clearTimeout(timer);
    this.#pending = undefined;
    if (request.isLast) this.#end();
    return answer;
  }

  #end(): void {
    const program = this.#program;
    this.#program = undefined;
    program?.end();
  }

  #start(): RunningProgram {
    // Ignore the output of a killed program.
    const tell = (answerOf: (request: ProgramRequest<Answer>) => Answer | undefined) => {
      if (this.#program !== program || this.#pending === undefined) return;
      const answer = answerOf(this.#pending.request);
      if (answer !== undefined) this.#pending.resolve(answer);
    };
    const [name, ...words] = this.#command;
    const program: RunningProgram = this.#programs.start(name, words, {
      onOutput: (line) => tell((request) => request.onOutput(line)),
      onMessage: (line) => tell((request) => request.onMessage(line)),
      onEnd: (reason) => {
        tell((request) => request.onEnd(reason));
        if (this.#program === program) this.#program = undefined;
      },
    });
    return program;
  }
}
