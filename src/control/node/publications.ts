import { objectText } from '../../domain/objects/object-write.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { wallClock } from '../time.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';
import { timedWrite } from '../timed-write.ts';
import type { Publication } from './effect.ts';

/** The kind of the states that are published; the other objects are those of the registration of the node. */
const STATE = 'UplinkState/';

/** Whether an object that was not written, as `Kind/name`, is of the registration of the node. */
export function isOfRegistration(object: string): boolean {
  return !object.startsWith(STATE);
}

/** Publishes states and the registration of the node, one publication after the other. */
export class Publications {
  readonly #store: ResourceStore;
  readonly #published: (refused: ReadonlyMap<string, string>) => void;
  #running: Promise<void> = Promise.resolve();
  /** The publication that comes next; a plan that is made meanwhile replaces it. */
  #next: Publication | undefined;
  /** Writes of the last publication, until one begins that was made after it. */
  #written: readonly PlannedWrite[] = [];
  #isRunning = false;
  #isUnwritten = false;

  /** @param published called after each publication, with what was not written and why, by `Kind/name` */
  constructor(store: ResourceStore, published: (refused: ReadonlyMap<string, string>) => void) {
    this.#store = store;
    this.#published = published;
  }

  /** Resolves once everything is published, to whether all of it was written at last. */
  get ended(): Promise<boolean> {
    return this.#running.then(() => !this.#isUnwritten);
  }

  /**
   * Publishes after the publication that is under way. If one waits already, it is left out: an API server that answers slowly gets as few writes as one
   * that is fast.
   */
  publish(publication: Publication): void {
    const isWaiting = this.#isWaiting();
    this.#next = publication;
    if (isWaiting) return;
    // It was planned without the states that are being written.
    const isPlannedBefore = this.#isRunning;
    this.#isRunning = true;
    this.#running = this.#running.then(() => this.#begin(isPlannedBefore));
  }

  #isWaiting(): boolean {
    return this.#next !== undefined;
  }

  async #begin(isPlannedBefore: boolean): Promise<void> {
    const former = isPlannedBefore ? this.#written : [];
    const { registration, states } = this.#next ?? { registration: [], states: [] };
    this.#next = undefined;
    const refused = new Map<string, string>();
    const written: PlannedWrite[] = [];
    for (const each of [
      ...registration,
      ...states.filter((state) => !former.some((before) => isSame(before, state))),
    ]) {
      const result = await this.#store.write(timedWrite(each, wallClock()));
      if (result.done) written.push(each);
      else refused.set(objectText(each.write), result.error);
    }
    this.#written = written;
    this.#isUnwritten = refused.size > 0;
    this.#isRunning = this.#isWaiting();
    this.#published(refused);
  }
}

/** Whether it is the same write, planned from the same stored object. */
function isSame(one: PlannedWrite, other: PlannedWrite): boolean {
  return one.stored === other.stored && JSON.stringify(one.write) === JSON.stringify(other.write);
}
