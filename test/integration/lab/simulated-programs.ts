import { BRIDGE_LIST, type CapturedFile, commandLine, NODE_FILES } from '../../../src/adapters/capture/layout.ts';
import { SETTINGS_OF_DEVICES, SETTINGS_OF_SOCKETS } from '../../../src/adapters/sysctl/snapshot-settings.ts';
import type { ProgramLimits, ProgramResult, Programs } from '../../../src/ports/node/programs.ts';
import type { Channel } from './channel.ts';
import { DatabaseDump } from './database-dump.ts';
import { type IpTable, IpTables, isIpTable } from './ip-tables.ts';
import type { MachinePrograms } from './machine-programs.ts';
import { batchRequests } from './batched-requests.ts';

const SETTINGS_FOLDER = '/proc/sys/';

/** The files of the settings in captures. */
const SETTINGS = [
  ...SETTINGS_OF_DEVICES.flatMap(({ family, settings }) =>
    settings.map((setting) => `${SETTINGS_FOLDER}net/ipv${family}/conf/*/${setting}`),
  ),
  ...SETTINGS_OF_SOCKETS.map((setting) => `${SETTINGS_FOLDER}net/ipv4/${setting}`),
];

/** The name of a setting as printed by sysctl(8). */
function settingName(path: string): string {
  return path.slice(SETTINGS_FOLDER.length).replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

type SimulatedProgram = (limits: ProgramLimits) => Promise<ProgramResult>;

/** A request for a table of ip(8). */
interface TableRequest {
  readonly name: IpTable;
  readonly limits: ProgramLimits;
}

/** File contents by path, with a character for each byte. */
type Contents = Readonly<Record<string, string>>;

function printed(text: string): ProgramResult {
  return { outcome: 'finished', stdout: Buffer.from(text, 'latin1') };
}

/**
 * Returns the output of the programs of a simulated node to a capture without starting them: each takes about 30 ms in User Mode Linux, and
 * those of Open vSwitch 70. A test checks that the snapshot is the same. There are no files of bridges.
 */
export class SimulatedPrograms implements Programs {
  readonly #programs: MachinePrograms;
  readonly #channel: Channel;
  readonly #node: string;
  /** By command line; other programs are run. */
  readonly #replies: ReadonlyMap<string, SimulatedProgram>;
  readonly #ipTables: IpTables;
  readonly #table = batchRequests((questions: readonly TableRequest[]) => this.#tables(questions));
  readonly #files = batchRequests((patterns: readonly string[]) => this.#contents(patterns));
  readonly #cached = new Map<CapturedFile, ProgramResult>();

  constructor(programs: MachinePrograms, channel: Channel, node: string) {
    this.#programs = programs;
    this.#channel = channel;
    this.#node = node;
    this.#ipTables = new IpTables(channel, node);
    const dump = new DatabaseDump(channel, node);
    const replies = Object.entries<CapturedFile>(NODE_FILES).flatMap(
      ([name, captured]): [string, SimulatedProgram][] => {
        const line = commandLine(captured);
        const [path] = captured.arguments;
        if (isIpTable(name)) return [[line, (limits) => this.#table({ name, limits })]];
        if (captured.program === 'cat' && path !== undefined) return [[line, () => this.#copy(path)]];
        // The name of the kernel, and that it has no devlink, do not change while it runs.
        if (captured.program === 'uname' || captured.program === 'devlink')
          return [[line, (limits) => this.#once(captured, limits)]];
        return [];
      },
    );
    this.#replies = new Map([
      ...replies,
      [commandLine(NODE_FILES.sysctls), () => this.#settings()],
      [commandLine(NODE_FILES.switchDatabase), (limits) => this.#database(dump, limits)],
      [commandLine(BRIDGE_LIST), () => Promise.resolve(printed(''))],
    ]);
  }

  run(program: string, programArguments: readonly string[], limits: ProgramLimits): Promise<ProgramResult> {
    const answer = this.#replies.get(commandLine({ program, arguments: programArguments }));
    return answer === undefined ? this.#programs.run(program, programArguments, limits) : answer(limits);
  }

  /** Reads all tables at once. If that fails, reads each with its own program, for its error message. */
  async #tables(questions: readonly TableRequest[]): Promise<readonly ProgramResult[]> {
    const tables = await this.#ipTables.read();
    return Promise.all(
      questions.map(({ name, limits }) => {
        const text = tables.get(name);
        return text === undefined ? this.#run(NODE_FILES[name], limits) : Promise.resolve(printed(text));
      }),
    );
  }

  async #database(dump: DatabaseDump, limits: ProgramLimits): Promise<ProgramResult> {
    try {
      return printed(Buffer.from(await dump.text()).toString('latin1'));
    } catch {
      // For the error message of the program.
      return this.#run(NODE_FILES.switchDatabase, limits);
    }
  }

  async #contents(patterns: readonly string[]): Promise<readonly Contents[]> {
    return (await this.#channel.request({ do: 'read-files', node: this.#node, patterns })) as readonly Contents[];
  }

  async #settings(): Promise<ProgramResult> {
    const contents = await Promise.all(SETTINGS.map((pattern) => this.#files(pattern)));
    const settings = contents.flatMap((files) => Object.entries(files));
    const text = settings.map(([path, value]) => `${settingName(path)} = ${value}`).join('');
    // The contents are ASCII. Paths, which may contain any characters, are text already.
    return { outcome: 'finished', stdout: Buffer.from(text) };
  }

  async #copy(path: string): Promise<ProgramResult> {
    const content = (await this.#files(path))[path];
    if (content !== undefined) return printed(content);
    return { outcome: 'failed', exitCode: 1, stdout: new Uint8Array(), stderr: `cat: ${path}: cannot be read\n` };
  }

  async #once(captured: CapturedFile, limits: ProgramLimits): Promise<ProgramResult> {
    const before = this.#cached.get(captured);
    if (before !== undefined) return before;
    const result = await this.#run(captured, limits);
    if (captured.program === 'uname' || result.outcome === 'failed') this.#cached.set(captured, result);
    return result;
  }

  #run(captured: CapturedFile, limits: ProgramLimits): Promise<ProgramResult> {
    return this.#programs.run(captured.program, captured.arguments, limits);
  }
}
