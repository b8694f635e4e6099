import { BRIDGE_LIST, type CapturedFile, commandLine, NODE_FILES } from '../../../src/adapters/capture/layout.ts';
import { SETTINGS_OF_DEVICES, SETTINGS_OF_SOCKETS } from '../../../src/adapters/sysctl/snapshot-settings.ts';
import type { ProgramLimits, ProgramResult, Programs } from '../../../src/ports/programs.ts';
import type { Channel } from './channel.ts';
import { DatabaseDump } from './database-dump.ts';
import { type IpTable, IpTables, isIpTable } from './ip-tables.ts';
import type { MachinePrograms } from './machine-programs.ts';
import { batchRequests } from './batched-requests.ts';

const SETTINGS_FOLDER = '/proc/sys/';

/** Where the settings are that a capture keeps. */
const SETTINGS = [
  ...SETTINGS_OF_DEVICES.flatMap(({ family, settings }) =>
    settings.map((setting) => `${SETTINGS_FOLDER}net/ipv${family}/conf/*/${setting}`),
  ),
  ...SETTINGS_OF_SOCKETS.map((setting) => `${SETTINGS_FOLDER}net/ipv4/${setting}`),
];

/** A path as sysctl(8) prints it. */
function settingName(path: string): string {
  return path.slice(SETTINGS_FOLDER.length).replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

type SimulatedProgram = (limits: ProgramLimits) => Promise<ProgramResult>;

/** A table of ip(8) that is asked for. */
interface TableRequest {
  readonly name: IpTable;
  readonly limits: ProgramLimits;
}

/** Contents by path, a character for each byte. */
type Contents = Readonly<Record<string, string>>;

function printed(text: string): ProgramResult {
  return { outcome: 'finished', stdout: Buffer.from(text, 'latin1') };
}

/**
 * Gives a capture what the programs of a simulated node would print, with none of them started: each takes about 30 ms in User Mode Linux,
 * and those of Open vSwitch 70. A test holds that what is read of it is the same; only of bridges there are no files.
 */
export class SimulatedPrograms implements Programs {
  readonly #programs: MachinePrograms;
  readonly #channel: Channel;
  readonly #node: string;
  /** By command line; what is not here is run. */
  readonly #answers: ReadonlyMap<string, SimulatedProgram>;
  readonly #ipTables: IpTables;
  readonly #table = batchRequests((questions: readonly TableRequest[]) => this.#tables(questions));
  readonly #files = batchRequests((patterns: readonly string[]) => this.#contents(patterns));
  readonly #lasting = new Map<CapturedFile, ProgramResult>();

  constructor(programs: MachinePrograms, channel: Channel, node: string) {
    this.#programs = programs;
    this.#channel = channel;
    this.#node = node;
    this.#ipTables = new IpTables(channel, node);
    const dump = new DatabaseDump(channel, node);
    const answers = Object.entries<CapturedFile>(NODE_FILES).flatMap(
      ([name, captured]): [string, SimulatedProgram][] => {
        const line = commandLine(captured);
        const [path] = captured.arguments;
        if (isIpTable(name)) return [[line, (limits) => this.#table({ name, limits })]];
        if (captured.program === 'cat' && path !== undefined) return [[line, () => this.#copy(path)]];
        // Neither changes while a kernel runs: its name, and that it has no devlink.
        if (captured.program === 'uname' || captured.program === 'devlink')
          return [[line, (limits) => this.#once(captured, limits)]];
        return [];
      },
    );
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

  /** All tables at once; those of which ip has something to complain by one program each, so that each says what is wrong. */
  async #tables(questions: readonly TableRequest[]): Promise<readonly ProgramResult[]> {
    const tables = await this.#ipTables.read();
    return Promise.all(
      questions.map(({ name, limits }) => {
        const text = tables.get(name);
        return text === undefined ? this.#plain(NODE_FILES[name], limits) : Promise.resolve(printed(text));
      }),
    );
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
