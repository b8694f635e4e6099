import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundNftTable } from '../../domain/datapath/nftables/table.ts';
import type { HostInterface } from '../../domain/pods/default-interfaces.ts';
import {
  LOCK_TABLE,
  lockChainNames,
  lockChains,
  lockedIndexes,
  type LockedInterface,
  lockState,
} from '../../domain/pods/lock-chains.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { InterfaceLocks, LockDifferences, ReadLocks } from '../../ports/node/interface-locks.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { mapReading } from '../../ports/readings.ts';
import { NftTableOnNode } from './nft-table-on-node.ts';

/** The kernel’s network devices in a folder (sysfs-class-net). No method rejects. */
class DeviceFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether there is one of a name with an index. */
  async has({ name, index }: HostInterface): Promise<boolean> {
    return (await this.#indexOf(name)) === index;
  }

  /** The indexes of all. */
  async indexes(): Promise<ReadonlySet<number>> {
    const names = await readdir(this.#path).catch(() => []);
    const indexes = await Promise.all(names.map((name) => this.#indexOf(name)));
    return new Set(indexes.flatMap((index) => index ?? []));
  }

  /** Undefined if there is no such device. */
  async #indexOf(name: string): Promise<number | undefined> {
    const text = await readFile(join(this.#path, name, 'ifindex'), 'utf8').catch(() => '');
    return text === '' ? undefined : Number(text);
  }
}

/** The locks in a table. */
class FoundLocks implements ReadLocks {
  readonly #found: FoundNftTable;
  readonly #devices: DeviceFolder;

  constructor(found: FoundNftTable, devices: DeviceFolder) {
    this.#found = found;
    this.#devices = devices;
  }

  partsOf(index: number): readonly unknown[] {
    return lockChainNames(index).map((name) => this.#found.get(name));
  }

  async differences(wanted: readonly LockedInterface[], others: readonly number[] = []): Promise<LockDifferences> {
    const missing: LockedInterface[] = [];
    const different: LockedInterface[] = [];
    const absent: LockedInterface[] = [];
    for (const lock of wanted) {
      const state = lockState(lock, this.#found);
      if (state === 'as-desired') continue;
      const isThere = await this.#devices.has(lock.interface);
      (isThere ? (state === 'different' ? different : missing) : absent).push(lock);
    }
    const used = new Set([...wanted.map((lock) => lock.interface.index), ...others]);
    const unused = [...lockedIndexes(this.#found)].filter((index) => !used.has(index));
    const present = unused.length === 0 ? used : await this.#devices.indexes();
    return { missing, different, absent, gone: unused.filter((index) => !present.has(index)) };
  }
}

/** The locks of this node, as chains of a table of nftables. */
export class NftLocks implements InterfaceLocks {
  readonly #table: NftTableOnNode;
  readonly #devices: DeviceFolder;

  /** @param devices folder with the kernel’s network devices (sysfs-class-net) */
  constructor(programs: LongLivedPrograms, devices = '/sys/class/net') {
    this.#table = new NftTableOnNode(programs, LOCK_TABLE);
    this.#devices = new DeviceFolder(devices);
  }

  async read(): Promise<Reading<ReadLocks>> {
    return mapReading(await this.#table.read(), (found) => new FoundLocks(found, this.#devices));
  }

  async known(): Promise<Reading<ReadLocks>> {
    return mapReading(await this.#table.known(), (found) => new FoundLocks(found, this.#devices));
  }

  async put(locks: readonly LockedInterface[]): Promise<ApplyResult> {
    return await this.#table.put(locks.flatMap(lockChains));
  }

  async remove(indexes: readonly number[]): Promise<ApplyResult> {
    return await this.#table.remove(indexes.flatMap(lockChainNames));
  }

  async clear(): Promise<ApplyResult> {
    return await this.#table.clear();
  }

  onChange(listener: () => void, reportProblem?: (problem: string) => void): () => void {
    return this.#table.onChange(listener, reportProblem);
  }

  /** Ends the programs. */
  close(): void {
    this.#table.close();
  }
}
