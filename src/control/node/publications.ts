import { timedCondition } from '../../domain/status/transition-times.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { wallClock } from '../time.ts';
import type { StateToWrite } from './effect.ts';

/** Publishes states, one publication after the other. */
export class Publications {
  readonly #store: ResourceStore;
  readonly #published: (refused: ReadonlyMap<string, string>) => void;
  #running: Promise<void> = Promise.resolve();
  /** What is published next; a plan that is made meanwhile replaces it. */
  #next: readonly StateToWrite[] | undefined;
  /** What the publication has written that ended last, until one begins that knows of it. */
  #written: readonly StateToWrite[] = [];
  #isRunning = false;
  #isUnwritten = false;

  /** @param published called after each publication, with the states that were not written and why, by name */
  constructor(store: ResourceStore, published: (refused: ReadonlyMap<string, string>) => void) {
    this.#store = store;
    this.#published = published;
  }

  /** Resolves once everything is published, to whether all states were written at last. */
  get ended(): Promise<boolean> {
    return this.#running.then(() => !this.#isUnwritten);
  }

  /**
   * Publishes states after the publication that is under way. If one waits already, it is left out: an API server that answers slowly gets as few writes
   * as one that is fast.
   */
  publish(states: readonly StateToWrite[]): void {
    const isWaiting = this.#isWaiting();
    this.#next = states;
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
    const states = (this.#next ?? []).filter((state) => !former.some((each) => isSame(each, state)));
    this.#next = undefined;
    const now = wallClock();
    const refused = new Map<string, string>();
    const written: StateToWrite[] = [];
    for (const each of states) {
      const { state, stored } = each;
      const conditions = state.status.conditions.map((condition) =>
        timedCondition(condition, stored?.status?.conditions ?? [], now),
      );
      const result = await this.#store.writeState({ ...state, status: { ...state.status, conditions } });
      if (result.done) written.push(each);
      else refused.set(state.metadata.name, result.error);
    }
    this.#written = written;
    this.#isUnwritten = refused.size > 0;
    this.#isRunning = this.#isWaiting();
    this.#published(refused);
  }
}

/** Whether it is the same state, planned from the same stored one. */
function isSame(one: StateToWrite, other: StateToWrite): boolean {
  return one.stored === other.stored && JSON.stringify(one.state) === JSON.stringify(other.state);
}
