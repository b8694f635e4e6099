import { isDeepStrictEqual } from 'node:util';
import type { HostInterface } from '../../src/domain/pods/default-interfaces.ts';
import type { LockedInterface } from '../../src/domain/pods/lock-chains.ts';
import { Changes } from '../../src/ports/changes.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { InterfaceLocks, ReadLocks } from '../../src/ports/node/interface-locks.ts';

/** Locks in memory. */
export class FakeLocks implements InterfaceLocks {
  /** The host’s interfaces. */
  devices: readonly HostInterface[];
  readonly #locks = new Map<number, LockedInterface>();
  /** The locks as they were read last, with own changes since; undefined after changes of others. */
  #known: Map<number, LockedInterface> | undefined;
  readonly #changes = new Changes();
  /** Reports why changes may be noticed late. */
  reportProblem: (problem: string) => void = () => undefined;

  constructor(devices: readonly HostInterface[]) {
    this.devices = devices;
  }

  /** Those that there are, by index. */
  get all(): readonly LockedInterface[] {
    return [...this.#locks.values()];
  }

  read = () => Promise.resolve(this.readNow());

  known = () => Promise.resolve(this.knownNow());

  put = (locks: readonly LockedInterface[]) => {
    this.putNow(locks);
    return Promise.resolve({ done: true as const });
  };

  remove = (indexes: readonly number[]) => {
    this.removeNow(indexes);
    return Promise.resolve({ done: true as const });
  };

  clear = () => {
    this.clearNow();
    return Promise.resolve({ done: true as const });
  };

  onChange(listener: () => void, reportProblem: (problem: string) => void = () => undefined): () => void {
    this.reportProblem = reportProblem;
    return this.#changes.listen(listener);
  }

  readNow(): Reading<ReadLocks> {
    this.#known = new Map(this.#locks);
    return this.knownNow();
  }

  knownNow(): Reading<ReadLocks> {
    const found = new Map((this.#known ??= new Map(this.#locks)));
    const differences = (wanted: readonly LockedInterface[], others: readonly number[] = []) => {
      const indexes = [...wanted.map((lock) => lock.interface.index), ...others];
      const wrong = wanted.filter((lock) => !isDeepStrictEqual(found.get(lock.interface.index), lock));
      const there = wrong.filter((lock) => this.#isThere(lock));
      return Promise.resolve({
        missing: there.filter((lock) => !found.has(lock.interface.index)),
        different: there.filter((lock) => found.has(lock.interface.index)),
        absent: wrong.filter((lock) => !this.#isThere(lock)),
        gone: [...found.keys()].filter(
          (index) => !indexes.includes(index) && !this.devices.some((device) => device.index === index),
        ),
      });
    };
    return { read: true, value: { partsOf: (index) => [found.get(index)], differences } };
  }

  putNow(locks: readonly LockedInterface[]): void {
    for (const each of [this.#locks, this.#known]) {
      for (const lock of locks) each?.set(lock.interface.index, lock);
    }
  }

  removeNow(indexes: readonly number[]): void {
    for (const each of [this.#locks, this.#known]) {
      for (const index of indexes) each?.delete(index);
    }
  }

  clearNow(): void {
    this.#locks.clear();
    this.#known = undefined;
  }

  /** Another program removes locks. */
  lose(indexes: readonly number[] = [...this.#locks.keys()]): void {
    for (const index of indexes) this.#locks.delete(index);
    this.#known = undefined;
    this.#changes.notify();
  }

  /** The kernel is restarted. */
  restart(): void {
    this.clearNow();
    this.devices = [];
  }

  #isThere({ interface: { name, index } }: LockedInterface): boolean {
    return this.devices.some((device) => device.name === name && device.index === index);
  }
}
