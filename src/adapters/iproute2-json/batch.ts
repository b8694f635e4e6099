/**
 * A program of ip(8) that is told one command after the other on its standard input, instead of one program for each command: that takes a
 * tenth of the time.
 *
 * What makes it hard is to know when a command is done, and which words are its own. With -json a `show` prints exactly one line, a change
 * none, and a failure says on standard error in which line of the input it was. So every request ends with a command that always fails: once
 * that is told, everything before it is.
 */
import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';
import { protocolNumber, scopeNumber } from './words.ts';

/**
 * What always fails and changes nothing: the kernel gives numbers to next hop objects from 1 on. It is quick, as asking for a device of an
 * impossible name would not be, for which the kernel looks for a module (net/core/dev_ioctl.c, dev_load).
 */
const LAST_COMMAND = 'nexthop get id 4294967295';

/** Words that a batch reads as they are: it divides lines at blanks, and has quotes and comments (ip(8), -batch). */
const PLAIN_WORD = /^[\w.:/-]+$/;

/** Whether a batch can be told these words. */
export function isPlain(words: readonly string[]): boolean {
  return words.every((word) => PLAIN_WORD.test(word));
}

/** Words after which ip takes a name or a number, and how the name becomes one. */
const NUMBERED: ReadonlyMap<string, (word: string) => string> = new Map([
  ['proto', protocolNumber],
  ['protocol', protocolNumber],
  ['scope', scopeNumber],
]);

/**
 * A command whose protocols and scopes are numbers. Of a name ip keeps the number for the next time, and overwrites it with every number that it
 * reads: after `proto boot` and `proto 94` the next `proto boot` is 94 (iproute2, lib/rt_names.c, rtnl_rtprot_a2n). What was the administrator's
 * would come back as ours.
 */
function inNumbers(command: readonly string[]): readonly string[] {
  return command.map((word, index) => NUMBERED.get(command[index - 1] ?? '')?.(word) ?? word);
}

/** What came of a request. */
export type BatchResult =
  | {
      readonly answered: true;
      /** What each `show` printed, in order. */
      readonly lines: readonly string[];
      /** Whether that is all there was; never false where nothing but tables was asked for. */
      readonly isWhole: boolean;
    }
  | {
      readonly answered: false;
      readonly error: string;
      /** Whether ip has told that it failed; otherwise nobody knows what it has done before it ended. */
      readonly isRefused?: true;
      /** Whether it has taken all the time that there was: the next one is likely to as well. */
      readonly isLate?: true;
    };

/** What it is told: commands of plain words. */
interface Request {
  /** Those that print a line each. */
  readonly tables: readonly (readonly string[])[];
  /** What is done after that. */
  readonly change?: readonly string[];
}

function commandsOf({ tables, change }: Request): readonly (readonly string[])[] {
  return change === undefined ? tables : [...tables, change];
}

/** The request that is being answered. */
class Exchange {
  readonly answer = Promise.withResolvers<BatchResult>();
  readonly #request: Request;
  readonly #lastLine: number;
  readonly #lines: string[] = [];
  readonly #messages: string[] = [];
  /** Numbers of the lines of the commands that have failed. */
  readonly #failed = new Set<number>();
  #isTold = false;

  /** @param lastLine number of the line of the command that always fails */
  constructor(request: Request, lastLine: number) {
    this.#request = request;
    this.#lastLine = lastLine;
  }

  /** Whether more may be printed for it, though it is answered. */
  get linesMayFollow(): boolean {
    return this.#failed.size > 0 && this.#request.tables.length > 0;
  }

  onOutput(line: string): void {
    this.#lines.push(line);
    this.#finish();
  }

  onMessage(line: string): void {
    const [, failed] = /^Command failed -:(\d+)$/.exec(line) ?? [];
    if (failed === undefined) this.#said(line);
    else if (Number(failed) < this.#lastLine) this.#failed.add(Number(failed));
    else {
      // Its own message, that there is no such object.
      this.#messages.pop();
      this.#isTold = true;
    }
    this.#finish();
  }

  /** Fails: for what was said before, or else for a reason. */
  fail(reason: string): void {
    this.answer.resolve({ answered: false, error: this.#reason(reason) });
  }

  /** Fails as its time is over. */
  failLate(reason: string): void {
    this.answer.resolve({ answered: false, error: this.#reason(reason), isLate: true });
  }

  #reason(reason: string): string {
    return this.#messages.join(' / ') || reason;
  }

  #said(message: string): void {
    if (message.trim() !== '') this.#messages.push(message);
  }

  #finish(): void {
    if (!this.#isTold) return;
    const { tables, change } = this.#request;
    const interruption = this.#messages.find((message) => message.startsWith('Dump was interrupted'));
    // Of what was refused it is no reason that something else was interrupted.
    const reasons = this.#messages.filter((message) => this.#failed.size === 0 || message !== interruption);
    const error = reasons.join(' / ') || 'ip gives no reason';
    const isChanged = change !== undefined && !this.#failed.has(this.#lastLine - 1);
    if (this.#failed.size > 0) {
      this.answer.resolve(
        isChanged ? { answered: true, lines: [], isWhole: false } : { answered: false, error, isRefused: true },
      );
    } else if (this.#lines.length >= tables.length) {
      // It is told of and counts as done; what was printed may be of two states of the kernel.
      const isWhole = interruption === undefined;
      this.answer.resolve(
        isChanged || isWhole ? { answered: true, lines: this.#lines, isWhole } : { answered: false, error },
      );
    }
  }
}

/** One `ip -batch`, started when it is first needed and again when it has ended. One request at a time, in the order in which they come. */
export class IpBatch {
  readonly #programs: LongLivedPrograms;
  readonly #options: readonly string[];
  readonly #deadline: number;
  #knowsDevices = true;
  #program: RunningProgram | undefined;
  #exchange: Exchange | undefined;
  #isClosed = false;
  /** How many lines the program has been told. */
  #told = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param options of ip(8), such as `-6`, for all commands
   * @param deadline milliseconds after which a request is given up and the program ended
   */
  constructor(programs: LongLivedPrograms, options: readonly string[], deadline: number) {
    this.#programs = programs;
    this.#options = options;
    this.#deadline = deadline;
  }

  /** The tables that `show` commands print, one text each. Never rejects. */
  show(tables: readonly (readonly string[])[]): Promise<BatchResult> {
    return this.#inTurn({ tables });
  }

  /**
   * Has something changed by a command of plain words. Never rejects.
   *
   * @param tables `show` commands, which are applied right before. Where one fails the change is made, and the answer has no lines.
   */
  change(command: readonly string[], tables: readonly (readonly string[])[] = []): Promise<BatchResult> {
    if (!this.#knowsDevices) void this.show([['link', 'show']]);
    // A `link` command makes it forget the device that it was about, and an older one of that name comes to light, which is gone.
    this.#knowsDevices = command[0] !== 'link';
    return this.#inTurn({ tables, change: inNumbers(command) });
  }

  /**
   * Has the links listed before the next change. Until then the program takes a name for the device that bore it when it heard of it last
   * (iproute2, lib/ll_map.c).
   */
  devicesHaveChanged(): void {
    this.#knowsDevices = false;
  }

  /** Has another program asked from now on, which has heard of nothing yet. */
  startAnew(): void {
    this.#last = this.#last.then(() => {
      this.#end();
    });
  }

  /** Ends the program. What is under way fails, and so does whatever comes after. */
  close(): void {
    this.#isClosed = true;
    this.#program?.end();
  }

  #inTurn(request: Request): Promise<BatchResult> {
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer;
    return answer;
  }

  async #ask(request: Request): Promise<BatchResult> {
    if (this.#isClosed) return { answered: false, error: 'ip is not asked any more' };
    const commands = commandsOf(request);
    const program = (this.#program ??= this.#start());
    this.#told += commands.length + 1;
    const exchange = new Exchange(request, this.#told);
    this.#exchange = exchange;
    const timer = setTimeout(() => {
      this.#forget(program);
      exchange.failLate(`ip did not answer within ${this.#deadline / 1000} s and was ended`);
      program.end();
    }, this.#deadline);
    program.write(`${[...commands.map((words) => words.join(' ')), LAST_COMMAND].join('\n')}\n`);
    const answer = await exchange.answer.promise;
    clearTimeout(timer);
    this.#exchange = undefined;
    // How many lines come of a table that failed half-way is not known: with the next program counting begins anew.
    if (exchange.linesMayFollow) this.#end();
    return answer;
  }

  #end(): void {
    const program = this.#program;
    this.#program = undefined;
    program?.end();
  }

  #forget(program: RunningProgram): void {
    if (this.#program === program) this.#program = undefined;
  }

  #start(): RunningProgram {
    this.#told = 0;
    const words = ['-json', '-details', '-N', ...this.#options, '-force', '-batch', '-'];
    // What a program says that has been given up is not for the exchange with the next one.
    const heard = (listener: (exchange: Exchange) => void) => {
      if (this.#program === program && this.#exchange !== undefined) listener(this.#exchange);
    };
    const program: RunningProgram = this.#programs.start('ip', words, {
      onOutput: (line) => {
        heard((exchange) => {
          exchange.onOutput(line);
        });
      },
      onMessage: (line) => {
        heard((exchange) => {
          exchange.onMessage(line);
        });
      },
      onEnd: (reason) => {
        heard((exchange) => {
          exchange.fail(`ip ${reason}`);
        });
        this.#forget(program);
      },
    });
    return program;
  }
}
