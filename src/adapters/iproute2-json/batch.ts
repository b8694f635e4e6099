/**
 * Runs many commands in one `ip -batch`, on its standard input, which takes a tenth of the time of one program per command.
 *
 * The difficulty is to match output to commands. With -json a `show` prints exactly one line, a change none, and a failure prints the number of the
 * input line on standard error. So every request ends with a command that always fails: its error marks the end of the output.
 */
import type { LongLivedPrograms, RunningProgram } from '../../ports/node/long-lived-programs.ts';
import { protocolNumber, scopeNumber } from './words.ts';

/**
 * Always fails, quickly, and changes nothing. A device with an impossible name would be slower: the kernel looks for a module
 * (net/core/dev_ioctl.c, dev_load).
 */
const LAST_COMMAND = 'nexthop get id 4294967295';

/** Words that need no quoting: a batch splits lines at blanks, and has quotes and comments (ip(8), -batch). */
const PLAIN_WORD = /^[\w.:/-]+$/;

/** Whether a batch accepts these words. */
export function isPlain(words: readonly string[]): boolean {
  return words.every((word) => PLAIN_WORD.test(word));
}

/** Keywords followed by a name or a number, with the conversion to a number. */
const NUMBERED: ReadonlyMap<string, (word: string) => string> = new Map([
  ['proto', protocolNumber],
  ['protocol', protocolNumber],
  ['scope', scopeNumber],
]);

/**
 * A command with protocols and scopes as numbers. ip caches the number of a name, and overwrites it with every number that it reads: after
 * `proto boot` and `proto 94` the next `proto boot` is 94 (iproute2, lib/rt_names.c, rtnl_rtprot_a2n), which would make the administrator's routes ours.
 */
function withNumbers(command: readonly string[]): readonly string[] {
  return command.map((word, index) => NUMBERED.get(command[index - 1] ?? '')?.(word) ?? word);
}

/** The result of a request. */
export type BatchResult =
  | {
      readonly answered: true;
      /** The output of each `show`, in order. */
      readonly lines: readonly string[];
      /** Whether the output is complete; always true for a request without a change. */
      readonly isComplete: boolean;
    }
  | {
      readonly answered: false;
      readonly error: string;
      /** Whether ip reported a failure; otherwise it exited and may have made the change. */
      readonly isRefused?: true;
      /** Whether the deadline passed; a retry is likely to take as long. */
      readonly isTimeout?: true;
    };

/** Commands of plain words. */
interface BatchRequest {
  /** `show` commands, which print a line each. */
  readonly tables: readonly (readonly string[])[];
  /** The change that follows them. */
  readonly change?: readonly string[];
}

function commandsOf({ tables, change }: BatchRequest): readonly (readonly string[])[] {
  return change === undefined ? tables : [...tables, change];
}

/** The error of ip for a word of a `neighbour` command that it is too old for (iproute2, lib/utils.c, duparg2). */
const UNKNOWN_WORD = /^Error: either "to" is duplicate, or "([a-z]+)" is a garbage\.$/;

/** The request in progress. */
class PendingRequest {
  readonly answer = Promise.withResolvers<BatchResult>();
  readonly #request: BatchRequest;
  readonly #lastLine: number;
  readonly #lines: string[] = [];
  readonly #messages: string[] = [];
  /** Line numbers of failed commands. */
  readonly #failed = new Set<number>();
  #isFinished = false;

  /** @param lastLine line number of the command that always fails */
  constructor(request: BatchRequest, lastLine: number) {
    this.#request = request;
    this.#lastLine = lastLine;
  }

  /** Whether more output may follow after the answer. */
  get linesMayFollow(): boolean {
    return this.#failed.size > 0 && this.#request.tables.length > 0;
  }

  onOutput(line: string): void {
    this.#lines.push(line);
    this.#finish();
  }

  onMessage(line: string): void {
    const [, failed] = /^Command failed -:(\d+)$/.exec(line) ?? [];
    if (failed === undefined) this.#addMessage(line);
    else if (Number(failed) < this.#lastLine) this.#failed.add(Number(failed));
    else {
      // Its own error message.
      this.#messages.pop();
      this.#isFinished = true;
    }
    this.#finish();
  }

  /** Fails with the error messages so far, or else with a reason. */
  fail(reason: string): void {
    this.answer.resolve({ answered: false, error: this.#reason(reason) });
  }

  /** Fails because the deadline has passed. */
  failAfterDeadline(reason: string): void {
    this.answer.resolve({ answered: false, error: this.#reason(reason), isTimeout: true });
  }

  #reason(reason: string): string {
    return this.#messages.join(' / ') || reason;
  }

  #addMessage(message: string): void {
    const [, word] = UNKNOWN_WORD.exec(message) ?? [];
    if (word !== undefined) this.#messages.push(`ip does not know the word "${word}": iproute2 6.1 or newer is needed`);
    else if (message.trim() !== '') this.#messages.push(message);
  }

  #finish(): void {
    if (!this.#isFinished) return;
    const { tables, change } = this.#request;
    const interruption = this.#messages.find((message) => message.startsWith('Dump was interrupted'));
    // An interrupted dump is not the reason of a failed command.
    const reasons = this.#messages.filter((message) => this.#failed.size === 0 || message !== interruption);
    const error = reasons.join(' / ') || 'ip printed no reason';
    const isChanged = change !== undefined && !this.#failed.has(this.#lastLine - 1);
    if (this.#failed.size > 0) {
      this.answer.resolve(
        isChanged ? { answered: true, lines: [], isComplete: false } : { answered: false, error, isRefused: true },
      );
    } else if (this.#lines.length >= tables.length) {
      // An interrupted dump may mix two states of the kernel.
      const isComplete = interruption === undefined;
      this.answer.resolve(
        isChanged || isComplete ? { answered: true, lines: this.#lines, isComplete } : { answered: false, error },
      );
    }
  }
}

/** An `ip -batch`, started on demand, and again after it has exited. Processes one request at a time, in order. */
export class IpBatch {
  readonly #programs: LongLivedPrograms;
  readonly #options: readonly string[];
  readonly #deadline: number;
  #hasDevices = true;
  #program: RunningProgram | undefined;
  #exchange: PendingRequest | undefined;
  #isClosed = false;
  /** Number of lines written to the program. */
  #lineCount = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param options of ip(8), such as `-6`, for all commands
   * @param deadline milliseconds after which a request fails and the program is killed
   */
  constructor(programs: LongLivedPrograms, options: readonly string[], deadline: number) {
    this.#programs = programs;
    this.#options = options;
    this.#deadline = deadline;
  }

  /** Runs `show` commands. Never rejects. */
  show(tables: readonly (readonly string[])[]): Promise<BatchResult> {
    return this.#enqueue({ tables });
  }

  /**
   * Runs a change. Never rejects.
   *
   * @param tables `show` commands that run right before. If one fails the change is still made, and the answer has no lines.
   */
  change(command: readonly string[], tables: readonly (readonly string[])[] = []): Promise<BatchResult> {
    if (!this.#hasDevices) void this.show([['link', 'show']]);
    // A `link` command drops its device from ip's cache, which uncovers an older, removed one of that name.
    this.#hasDevices = command[0] !== 'link';
    return this.#enqueue({ tables, change: withNumbers(command) });
  }

  /**
   * Lists the links before the next change, to refresh ip's cache of device names (iproute2, lib/ll_map.c).
   */
  forgetDevices(): void {
    this.#hasDevices = false;
  }

  /** Starts another program for the next request, with an empty cache. */
  restart(): void {
    this.#last = this.#last.then(() => {
      this.#end();
    });
  }

  /** Ends the program. The current request and all following ones fail. */
  close(): void {
    this.#isClosed = true;
    this.#program?.end();
  }

  #enqueue(request: BatchRequest): Promise<BatchResult> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer;
    return answer;
  }

  async #ask(request: BatchRequest): Promise<BatchResult> {
    if (this.#isClosed) return { answered: false, error: 'ip was closed' };
    const commands = commandsOf(request);
    const program = (this.#program ??= this.#start());
    this.#lineCount += commands.length + 1;
    const exchange = new PendingRequest(request, this.#lineCount);
    this.#exchange = exchange;
    const timer = setTimeout(() => {
      this.#drop(program);
      exchange.failAfterDeadline(`ip did not answer within ${this.#deadline / 1000} s and was killed`);
      program.end();
    }, this.#deadline);
    program.write(`${[...commands.map((words) => words.join(' ')), LAST_COMMAND].join('\n')}\n`);
    const answer = await exchange.answer.promise;
    clearTimeout(timer);
    this.#exchange = undefined;
    // A `show` that failed may still print a line: start another program.
    if (exchange.linesMayFollow) this.#end();
    return answer;
  }

  #end(): void {
    const program = this.#program;
    this.#program = undefined;
    program?.end();
  }

  #drop(program: RunningProgram): void {
    if (this.#program === program) this.#program = undefined;
  }

  #start(): RunningProgram {
    this.#lineCount = 0;
    const words = ['-json', '-details', '-N', ...this.#options, '-force', '-batch', '-'];
    // Ignore the output of a killed program.
    const forward = (listener: (exchange: PendingRequest) => void) => {
      if (this.#program === program && this.#exchange !== undefined) listener(this.#exchange);
    };
    const program: RunningProgram = this.#programs.start('ip', words, {
      onOutput: (line) => {
        forward((exchange) => {
          exchange.onOutput(line);
        });
      },
      onMessage: (line) => {
        forward((exchange) => {
          exchange.onMessage(line);
        });
      },
      onEnd: (reason) => {
        forward((exchange) => {
          exchange.fail(`ip ${reason}`);
        });
        this.#drop(program);
      },
    });
    return program;
  }
}
