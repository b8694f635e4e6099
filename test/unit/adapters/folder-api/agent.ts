import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FolderApi } from '../../../../src/adapters/folder-api/folder-api.ts';
import { type ClusterReading } from '../../../../src/ports/cluster/cluster-source.ts';
import { describeProblem, type Reading } from '../../../../src/ports/input-problem.ts';
import { eventually } from '../processes.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { uplink } from '../manifests/example-objects.ts';

/** Milliseconds for which an object has to be missing before it counts as deleted. */
export const GRACE_PERIOD = 300;

/** Reads a folder whenever it reports a change, as an agent does, and records the readings. */
export class Agent {
  readonly store: FolderApi;
  readonly readings: Reading<ClusterReading>[] = [];
  readonly folder: string;
  notifications = 0;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
    this.store = new FolderApi(folder, GRACE_PERIOD);
    this.store.onChange(() => {
      this.notifications += 1;
      this.reading = this.reading.then(() => this.read());
    });
  }

  async read(): Promise<Reading<ClusterReading>> {
    const reading = await this.store.read();
    this.readings.push(reading);
    return reading;
  }

  /** The last reading. */
  get value(): ClusterReading {
    const last = this.readings.at(-1);
    if (last?.read !== true) throw new Error(`not read: ${JSON.stringify(last)}`);
    return last.value;
  }

  /** The uplinks in the last reading, as `blue=br-blue`. */
  get uplinks(): readonly string[] {
    return this.value.snapshot.uplinks.map(interfaceOf).sort();
  }

  /** The uplinks in all readings, without repetitions; `none` for a failed one. */
  get history(): readonly string[] {
    const all = this.readings.map((reading) =>
      reading.read ? reading.value.snapshot.uplinks.map(interfaceOf).sort().join(' ') : 'none',
    );
    return all.filter((text, index) => text !== all[index - 1]);
  }

  get warnings(): readonly string[] {
    return this.value.warnings.map((warning) => this.short(describeProblem(warning)));
  }

  get problems(): readonly string[] {
    const last = this.readings.at(-1);
    return last?.read === false ? last.problems.map((problem) => this.short(describeProblem(problem))) : [];
  }

  /** Waits until a reading has these uplinks. */
  async sees(...uplinks: readonly string[]): Promise<void> {
    await this.until(
      `${this.folder} contains ${uplinks.join(' ')}`,
      () => this.uplinks.join(' ') === uplinks.join(' '),
    );
  }

  async until(what: string, condition: () => boolean): Promise<void> {
    try {
      await eventually(what, () => this.readings.at(-1)?.read === true && condition());
    } catch (error) {
      throw new Error(`${String(error)}; was ${this.history.join(' | ')}; ${JSON.stringify(this.readings.at(-1))}`);
    }
  }

  async untilUnreadable(): Promise<void> {
    await eventually('reading fails', () => this.readings.at(-1)?.read === false);
  }

  private short(text: string): string {
    return text.replaceAll(`${this.folder}/`, '').replaceAll(this.folder, 'DIR');
  }
}

function interfaceOf({ metadata, spec }: ClusterReading['snapshot']['uplinks'][number]): string {
  return `${metadata.name}=${spec.nodeConfigs[0]?.hostInterfaceName ?? ''}`;
}

/** The manifest of an uplink. */
export function manifest(name: string, hostInterfaceName = `br-${name}`): string {
  return `${JSON.stringify(uplink(name, { hostInterfaceName }))}\n`;
}

/** Several manifests as one text. */
export function manifests(...texts: readonly string[]): string {
  return texts.join('---\n');
}

/** Replaces a file by rename, as its writers must. */
export function save(file: string, content: string | Uint8Array): void {
  const temporary = join(dirname(file), '.new');
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** Creates folders with files, each with an agent that reads it, for the tests of the suite. */
export function agents(): (files: Readonly<Record<string, string>>) => Agent {
  const newFolder = temporaryFolders();
  const started: Agent[] = [];
  afterEach(async () => {
    for (const agent of started.splice(0)) await agent.store.close();
  });
  return (files) => {
    const folder = join(newFolder(), 'objects');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const agent = new Agent(folder);
    started.push(agent);
    return agent;
  };
}
