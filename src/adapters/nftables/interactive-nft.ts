/**
 * Runs many commands in one `nft --json --interactive`, on its standard input, one a line: to start nft takes longer than most commands, and a line may be as
 * long as memory allows, which an argument may not.
 *
 * The difficulty is to match output to commands. A list prints exactly one line, a change none, and a failure prints on standard error. So every command is
 * followed by a line with a syntax error, which nft repeats there: it marks the end of the output.
 */
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { describeFailure } from '../../ports/node/programs.ts';
import { InteractiveProgram, type ProgramRequest } from '../execa/interactive-program.ts';

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

/** A command as nft gets it. */
interface SentCommand {
  readonly isList: boolean;
  readonly text: string;
  /** Line that ends its messages. */
  readonly mark: string;
  /** Whether another nft is started after it. */
  readonly isLast: boolean;
}

/** The command in progress. */
class PendingCommand implements ProgramRequest<NftResult> {
  readonly #sent: SentCommand;
  readonly #messages: string[] = [];
  #output = '';
  #isMarked = false;

  constructor(sent: SentCommand) {
    this.#sent = sent;
  }

  get text(): string {
    return this.#sent.text;
  }

  get isLast(): boolean {
    // A list that failed may still print a line.
    return this.#sent.isLast || (this.#sent.isList && this.#messages.length > 0);
  }

  onOutput(line: string): NftResult | undefined {
    if (line.startsWith(OUTPUT)) this.#output = line;
    return this.#result();
  }

  onMessage(line: string): NftResult | undefined {
    if (line === START) this.#messages.length = 0;
    else if (line === this.#sent.mark) {
      // The syntax error.
      this.#messages.pop();
      this.#isMarked = true;
    } else if (!WARNING.test(line) && !MARKED_PLACE.test(line)) this.#messages.push(line.trim());
    return this.#result();
  }

  onEnd(reason: string): NftResult {
    const printed = this.#messages.length === 0 ? '' : ` and printed: ${this.#messages.join(' / ')}`;
    return this.#failure(`${reason}${printed}`, reason.startsWith('exited'));
  }

  onDeadline(deadline: number): NftResult {
    return this.onEnd(describeFailure({ outcome: 'deadline-passed', deadline }));
  }

  #result(): NftResult | undefined {
    if (!this.#isMarked) return undefined;
    if (this.#messages.length > 0) return this.#failure(`printed: ${this.#messages.join(' / ')}`, true);
    return this.#sent.isList && this.#output === '' ? undefined : { done: true, output: this.#output };
  }

  #failure(reason: string, isRefused: boolean): NftResult {
    const hasNoTables = reason === NOT_FOUND || /(?:Protocol|Operation) not supported/.test(this.#messages.join(' '));
    return { done: false, reason, ...(isRefused && { isRefused }), ...(hasNoTables && { hasNoTables }) };
  }
}

/** An nft, started on demand, and again after it has ended. Processes one command at a time, in order. */
export class InteractiveNft {
  readonly #program: InteractiveProgram<NftResult>;
  readonly #maxHistory: number;
  /** Number of commands. */
  #count = 0;
  /** Bytes of the commands that the program has. */
  #history = 0;

  /**
   * @param deadline milliseconds after which a command fails and the program is killed
   * @param maxHistory bytes of commands after which another program is started
   */
  constructor(programs: LongLivedPrograms, deadline = DEADLINE, maxHistory = MAX_HISTORY) {
    this.#program = new InteractiveProgram(programs, ['nft', '--json', '--interactive'], deadline);
    this.#maxHistory = maxHistory;
  }

  /** Runs a command that lists, as JSON (libnftables-json(5)). Never rejects. */
  list(command: string): Promise<NftResult> {
    return this.#run(command, true);
  }

  /** Runs commands that change rules in one transaction, likewise. Never rejects. */
  change(commands: string): Promise<NftResult> {
    return this.#run(commands, false);
  }

  /** Ends the program. The current command and all following ones fail. */
  close(): void {
    this.#program.close();
  }

  async #run(command: string, isList: boolean): Promise<NftResult> {
    const result = await this.#program.ask((isFirst) => {
      this.#count += 1;
      const mark = `end-of-${this.#count}`;
      const text = `${isFirst ? `${START}\n` : ''}${lineOf(command)}\n${mark}\n`;
      // Of ASCII.
      this.#history = (isFirst ? 0 : this.#history) + text.length;
      return new PendingCommand({ isList, text, mark, isLast: this.#history > this.#maxHistory });
    });
    return result ?? { done: false, reason: 'was ended' };
  }
}
