/**
 * Runs many commands in one `ip -batch`, on its standard input, which takes a tenth of the time of one program per command.
 *
 * The difficulty is to match output to commands. With -json a `show` prints exactly one line, a change none, and a failure prints the number of the
 * input line on standard error. So every request ends with a command that always fails: its error marks the end of the output.
 */
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { InteractiveProgram, type ProgramRequest } from '../execa/interactive-program.ts';
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
class PendingRequest implements ProgramRequest<BatchResult> {
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

  get text(): string {
    return `${[...commandsOf(this.#request).map((words) => words.join(' ')), LAST_COMMAND].join('\n')}\n`;
  }

  get isLast(): boolean {
    // A `show` that failed may still print a line.
    return this.#failed.size > 0 && this.#request.tables.length > 0;
  }

  onOutput(line: string): BatchResult | undefined {
    this.#lines.push(line);
    return this.#answer();
  }

  onMessage(line: string): BatchResult | undefined {
    const [, failed] = /^Command failed -:(\d+)$/.exec(line) ?? [];
    if (failed === undefined) this.#addMessage(line);
    else if (Number(failed) < this.#lastLine) this.#failed.add(Number(failed));
    else {
      // Its own error message.
      this.#messages.pop();
      this.#isFinished = true;
    }
    return this.#answer();
  }

  onEnd(reason: string): BatchResult {
    return { answered: false, error: this.#reason(`ip ${reason}`) };
  }

  onDeadline(deadline: number): BatchResult {
    const reason = `ip did not answer within ${deadline / 1000} s and was killed`;
    return { answered: false, error: this.#reason(reason), isTimeout: true };
  }

  /** Returns the error messages so far, or else a reason. */
  #reason(reason: string): string {
    return this.#messages.join(' / ') || reason;
  }

  #addMessage(message: string): void {
    const [, word] = UNKNOWN_WORD.exec(message) ?? [];
    if (word !== undefined) this.#messages.push(`ip does not know the word "${word}": iproute2 6.1 or newer is needed`);
    else if (message.trim() !== '') this.#messages.push(message);
  }

  #answer(): BatchResult | undefined {
    if (!this.#isFinished) return undefined;
    const { tables, change } = this.#request;
    const interruption = this.#messages.find((message) => message.startsWith('Dump was interrupted'));
    // An interrupted dump is not the reason of a failed command.
    const reasons = this.#messages.filter((message) => this.#failed.size === 0 || message !== interruption);
    const error = reasons.join(' / ') || 'ip printed no reason';
    const isChanged = change !== undefined && !this.#failed.has(this.#lastLine - 1);
    if (this.#failed.size > 0) {
      return isChanged ? { answered: true, lines: [], isComplete: false } : { answered: false, error, isRefused: true };
    }
    if (this.#lines.length < tables.length) return undefined;
    // An interrupted dump may mix two states of the kernel.
    const isComplete = interruption === undefined;
    return isChanged || isComplete ? { answered: true, lines: this.#lines, isComplete } : { answered: false, error };
  }
}

/** An `ip -batch`, started on demand, and again after it has exited. Processes one request at a time, in order. */
export class IpBatch {
  readonly #program: InteractiveProgram<BatchResult>;
  #hasDevices = true;
  /** Number of lines written to the program. */
  #lineCount = 0;

  /**
   * @param options of ip(8), such as `-6`, for all commands
   * @param deadline milliseconds after which a request fails and the program is killed
   */
  constructor(programs: LongLivedPrograms, options: readonly string[], deadline: number) {
    this.#program = new InteractiveProgram(
      programs,
      ['ip', '-json', '-details', '-N', ...options, '-force', '-batch', '-'],
      deadline,
    );
  }

  /** Runs `show` commands. Never rejects. */
  show(tables: readonly (readonly string[])[]): Promise<BatchResult> {
    return this.#ask({ tables });
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
    return this.#ask({ tables, change: withNumbers(command) });
  }

  /**
   * Lists the links before the next change, to refresh ip's cache of device names (iproute2, lib/ll_map.c).
   */
  forgetDevices(): void {
    this.#hasDevices = false;
  }

  /** Starts another program for the next request, with an empty cache. */
  restart(): void {
    this.#program.restart();
  }

  /** Ends the program. The current request and all following ones fail. */
  close(): void {
    this.#program.close();
  }

  async #ask(request: BatchRequest): Promise<BatchResult> {
    const answer = await this.#program.ask((isFirst) => {
      this.#lineCount = (isFirst ? 0 : this.#lineCount) + commandsOf(request).length + 1;
      return new PendingRequest(request, this.#lineCount);
    });
    return answer ?? { answered: false, error: 'ip was closed' };
  }
}
