import { BRIDGE_LIST, type CapturedFile, commandLine, NODE_FILES } from '../../../src/adapters/capture/layout.ts';
import type { ProgramLimits, ProgramResult, Programs } from '../../../src/ports/programs.ts';
import type { Channel } from './channel.ts';
import { DatabaseDump } from './database-dump.ts';
import type { MachinePrograms } from './machine-programs.ts';
import { together } from './together.ts';

/** What a batch of ip(8) is told, where options cannot be given, in place of a command of the capture. */
const BATCH_LINES = {
  links: 'link show',
  addresses: 'address show',
  routes4: 'route show table all root 0.0.0.0/0',
  routes6: 'route show table all root ::/0',
  rules4: 'rule show',
  neighbours: 'neighbour show nud all',
  neighbourProxies: 'neighbour show proxy',
  nextHopObjects: 'nexthop show',
} as const;

const SETTINGS_FOLDER = '/proc/sys/';

/** Where the settings are that a capture keeps. */
const SETTINGS = [
  ...['rp_filter', 'forwarding', 'keep_addr_on_down', 'disable_ipv6'].map(
    (setting) => `${SETTINGS_FOLDER}net/ipv[46]/conf/*/${setting}`,
  ),
  `${SETTINGS_FOLDER}net/ipv4/*_l3mdev_accept`,
];

/** A path as sysctl(8) prints it. */
function settingName(path: string): string {
  return path.slice(SETTINGS_FOLDER.length).replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

type BatchFile = keyof typeof BATCH_LINES;
type Answer = (limits: ProgramLimits) => Promise<ProgramResult>;

/** A table of ip(8) that is asked for. */
interface Question {
  readonly name: BatchFile;
  readonly limits: ProgramLimits;
}

/** Contents by path, a character for each byte. */
type Contents = Readonly<Record<string, string>>;

function printed(text: string): ProgramResult {
  return { outcome: 'finished', stdout: Buffer.from(text, 'latin1') };
}

/**
 * Gives a capture what the programs of a simulated node would print, with as few of them started as can be: each takes about 30 ms in
 * User Mode Linux, and those of Open vSwitch 70. A test holds that what is read of it is the same; only of bridges there are no files.
 */
export class SwiftPrograms implements Programs {
  readonly #programs: MachinePrograms;
  readonly #channel: Channel;
  readonly #node: string;
  /** By command line; what is not here is run. */
  readonly #answers: ReadonlyMap<string, Answer>;
  readonly #table = together((questions: readonly Question[]) => this.#tables(questions));
  readonly #files = together((patterns: readonly string[]) => this.#contents(patterns));
  readonly #lasting = new Map<CapturedFile, ProgramResult>();

  constructor(programs: MachinePrograms, channel: Channel, node: string) {
    this.#programs = programs;
    this.#channel = channel;
    this.#node = node;
    const dump = new DatabaseDump(channel, node);
    const answers = Object.entries<CapturedFile>(NODE_FILES).flatMap(([name, captured]): [string, Answer][] => {
      const line = commandLine(captured);
      const [path] = captured.arguments;
      if (name in BATCH_LINES) return [[line, (limits) => this.#table({ name: name as BatchFile, limits })]];
      if (captured.program === 'cat' && path !== undefined) return [[line, () => this.#copy(path)]];
      // Neither changes while a kernel runs: its name, and that it has no devlink.
      if (captured.program === 'uname' || captured.program === 'devlink')
        return [[line, (limits) => this.#once(captured, limits)]];
      return [];
    });
    this.#answers = new Map([
      ...answers,
      [commandLine(NODE_FILES.sysctls), () => this.#settings()],
      [commandLine(NODE_FILES.switchDatabase), (limits) => this.#database(dump, limits)],
      [commandLine(BRIDGE_LIST), () => Promise.resolve(printed(''))],
    ]);
  }

  run(program: string, programArguments: readonly string[], limits: ProgramLimits): Promise<ProgramResult> {
    const answer = this.#answers.get(commandLine({ program, arguments: programArguments }));
    return answer === undefined ? this.#programs.run(program, programArguments, limits) : answer(limits);
  }

  /** All tables by one program; where it has something to complain of, by one each, so that each says what is wrong. */
  async #tables(questions: readonly Question[]): Promise<readonly ProgramResult[]> {
    const input = questions.map(({ name }) => `${BATCH_LINES[name]}\n`).join('');
    const words = ['ip', '-json', '-details', '-batch', '-'];
    const deadline = Math.max(...questions.map(({ limits }) => limits.deadline));
    const result = await this.#programs.result({ words, input, deadline });
    const lines =
      result.outcome === 'finished'
        ? Buffer.from(result.stdout)
            .toString('latin1')
            .split(/(?<=\n)/)
        : [];
    if (lines.length === questions.length) return lines.map(printed);
    return Promise.all(questions.map(({ name, limits }) => this.#plain(NODE_FILES[name], limits)));
  }

  async #database(dump: DatabaseDump, limits: ProgramLimits): Promise<ProgramResult> {
    try {
      return printed(Buffer.from(await dump.text()).toString('latin1'));
    } catch {
      // Why it does not answer shall be said as it is on a node.
      return this.#plain(NODE_FILES.switchDatabase, limits);
    }
  }

  async #contents(patterns: readonly string[]): Promise<readonly Contents[]> {
    return (await this.#channel.request({ do: 'read-files', node: this.#node, patterns })) as readonly Contents[];
  }

  async #settings(): Promise<ProgramResult> {
    const contents = await Promise.all(SETTINGS.map((pattern) => this.#files(pattern)));
    const settings = contents.flatMap((files) => Object.entries(files));
    const text = settings.map(([path, value]) => `${settingName(path)} = ${value}`).join('');
    // Contents come as a character for each byte, which makes no difference to these; paths, which may be of any characters, come as text.
    return { outcome: 'finished', stdout: Buffer.from(text) };
  }

  async #copy(path: string): Promise<ProgramResult> {
    const content = (await this.#files(path))[path];
    if (content !== undefined) return printed(content);
    return { outcome: 'failed', exitCode: 1, stdout: new Uint8Array(), stderr: `cat: ${path}: cannot be read\n` };
  }

  async #once(captured: CapturedFile, limits: ProgramLimits): Promise<ProgramResult> {
    const before = this.#lasting.get(captured);
    if (before !== undefined) return before;
    const result = await this.#plain(captured, limits);
    if (captured.program === 'uname' || result.outcome === 'failed') this.#lasting.set(captured, result);
    return result;
  }

  #plain(captured: CapturedFile, limits: ProgramLimits): Promise<ProgramResult> {
    return this.#programs.run(captured.program, captured.arguments, limits);
  }
}
