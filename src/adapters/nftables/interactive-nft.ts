/**
 * Runs many commands in one `nft --json --interactive`, on its standard input, one a line: to start nft takes longer than most commands, and a line may be as
 * long as memory allows, which an argument may not.
 *
 * The difficulty is to match output to commands. A list prints exactly one line, a change none, and a failure prints on standard error. So every command is
 * followed by a line with a syntax error, which nft repeats there: it marks the end of the output.
 */
import type { LongLivedPrograms, RunningProgram } from '../../ports/node/long-lived-programs.ts';
import { describeFailure } from '../../ports/node/programs.ts';

/** Milliseconds after which nft is killed: it usually takes some ten, and waits for another program that changes rules. */
const DEADLINE = 10_000;

/** Bytes of commands after which another nft is started: it keeps all lines in its history (nftables, src/cli.c, add_history). */
const MAX_HISTORY = 8 * 1024 * 1024;

/**
 * The environment of nft: in a folder that cannot exist it finds no history of the administrator’s commands, and writes none when its input ends (nftables,
 * src/cli.c, init_histfile).
 */
export const NFT_ENVIRONMENT = { HOME: '/dev/null' } as const;

/** Why a program that is not there ends. */
const NOT_FOUND = describeFailure({ outcome: 'not-found' });

/** Begins a line of JSON output (libnftables-json(5)); others are a prompt, and commands that a terminal library repeats. */
const OUTPUT = '{"nftables":';

/** The first line for a program, a syntax error too: messages before it are those of its start, as about an unknown terminal (libedit, terminal_set). */
const START = 'start';

/** The line below a command with an error, which marks the place. */
const MARKED_PLACE = /^[\s^~]*$/;

/** A message that is no error, as about tables of iptables-nft. */
const WARNING = /^(?:# )?Warning:/;

/** The result of a command. */
export type NftResult =
  | {
      readonly done: true;
      /** The output of a list; empty for a change. */
      readonly output: string;
    }
  | {
      readonly done: false;
      /** Completes "the program nft …". */
      readonly reason: string;
      /** Whether nft reported a failure; otherwise it ended and may have made the change. */
      readonly isRefused?: true;
      /** Whether there is no nft, or the kernel has no nftables (errno(3), EPROTONOSUPPORT and EOPNOTSUPP): then there are no rules either. */
      readonly hasNoTables?: true;
    };

/** A command as one line. Escapes keep what a terminal library may treat as keys out of it (JSON.stringify escapes those below 32). */
function lineOf(ruleset: string): string {
  return ruleset.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The command in progress. */
class PendingCommand {
  readonly result = Promise.withResolvers<NftResult>();
  readonly #isList: boolean;
  readonly #mark: string;
  readonly #messages: string[] = [];
  #output = '';
  #isMarked = false;

  /** @param mark the line that ends its messages */
  constructor(isList: boolean, mark: string) {
    this.#isList = isList;
    this.#mark = mark;
  }

  onOutput(line: string): void {
    if (line.startsWith(OUTPUT)) this.#output = line;
    this.#finish();
  }

  onMessage(line: string): void {
    if (line === START) this.#messages.length = 0;
    else if (line === this.#mark) {
      // The syntax error.
      this.#messages.pop();
      this.#isMarked = true;
      this.#finish();
    } else if (!WARNING.test(line) && !MARKED_PLACE.test(line)) this.#messages.push(line.trim());
  }

  /** Fails, as the program ends. */
  fail(reason: string): void {
    const printed = this.#messages.length === 0 ? '' : ` and printed: ${this.#messages.join(' / ')}`;
    this.#refuse(`${reason}${printed}`, reason.startsWith('exited'));
  }

  #finish(): void {
    if (!this.#isMarked) return;
    if (this.#messages.length > 0) this.#refuse(`printed: ${this.#messages.join(' / ')}`, true);
    else if (!this.#isList || this.#output !== '') this.result.resolve({ done: true, output: this.#output });
  }

  #refuse(reason: string, isRefused: boolean): void {
    const hasNoTables = reason === NOT_FOUND || /(?:Protocol|Operation) not supported/.test(this.#messages.join(' '));
    this.result.resolve({
      done: false,
      reason,
      ...(isRefused && { isRefused }),
      ...(hasNoTables && { hasNoTables }),
    });
  }
}

/** An nft, started on demand, and again after it has ended. Processes one command at a time, in order. */
export class InteractiveNft {
  readonly #programs: LongLivedPrograms;
  readonly #deadline: number;
  readonly #maxHistory: number;
  #program: RunningProgram | undefined;
  #pending: PendingCommand | undefined;
  #isClosed = false;
  /** Number of commands. */
  #count = 0;
  /** Bytes of the commands that the program has. */
  #history = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param deadline milliseconds after which a command fails and the program is killed
   * @param maxHistory bytes of commands after which another program is started
   */
  constructor(programs: LongLivedPrograms, deadline = DEADLINE, maxHistory = MAX_HISTORY) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#maxHistory = maxHistory;
  }

  /** Runs a command that lists, as JSON (libnftables-json(5)). Never rejects. */
  list(command: string): Promise<NftResult> {
    return this.#enqueue(command, true);
  }

  /** Runs commands that change rules in one transaction, likewise. Never rejects. */
  change(commands: string): Promise<NftResult> {
    return this.#enqueue(commands, false);
  }

  /** Ends the program. The current command and all following ones fail. */
  close(): void {
    this.#isClosed = true;
    this.#program?.end();
  }

  #enqueue(command: string, isList: boolean): Promise<NftResult> {
    const result = this.#last.then(() => this.#ask(lineOf(command), isList));
    this.#last = result;
    return result;
  }

  async #ask(line: string, isList: boolean): Promise<NftResult> {
    if (this.#isClosed) return { done: false, reason: 'was ended' };
    this.#count += 1;
    const mark = `end-of-${this.#count}`;
    const pending = new PendingCommand(isList, mark);
    this.#pending = pending;
    const isFirst = this.#program === undefined;
    const program = (this.#program ??= this.#start());
    const timer = setTimeout(() => {
      this.#drop(program);
      pending.fail(describeFailure({ outcome: 'deadline-passed', deadline: this.#deadline }));
      program.end();
    }, this.#deadline);
    const text = `${isFirst ? `${START}\n` : ''}${line}\n${mark}\n`;
    // Of ASCII.
    this.#history += text.length;
    program.write(text);
    const result = await pending.result.promise;
    clearTimeout(timer);
    this.#pending = undefined;
    // A list that failed may still print a line.
    if ((isList && !result.done) || this.#history > this.#maxHistory) this.#end();
    return result;
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
    this.#history = 0;
    // Ignore the output of a killed program.
    const forward = (listener: (pending: PendingCommand) => void) => {
      if (this.#program === program && this.#pending !== undefined) listener(this.#pending);
    };
    const program: RunningProgram = this.#programs.start('nft', ['--json', '--interactive'], {
      onOutput: (line) => {
        forward((pending) => {
          pending.onOutput(line);
        });
      },
      onMessage: (line) => {
        forward((pending) => {
          pending.onMessage(line);
        });
      },
      onEnd: (reason) => {
        forward((pending) => {
          pending.fail(reason);
        });
        this.#drop(program);
      },
    });
    return program;
  }
}
