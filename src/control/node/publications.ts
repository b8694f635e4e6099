import type { NodeRegistration } from '../../domain/plan/registration/registration-to-store.ts';
import { timedCondition } from '../../domain/status/transition-times.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { RegistrationStore } from '../../ports/registration-store.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { wallClock } from '../time.ts';
import type { Publication, StateToWrite } from './effect.ts';

/** The kind of the states that are published; the other objects are those of the registration of the node. */
const STATE = 'UplinkState/';

/** Whether an object that was not written, as `Kind/name`, is of the registration of the node. */
export function isOfRegistration(object: string): boolean {
  return !object.startsWith(STATE);
}

/** Publishes states and the registration of the node, one publication after the other. */
export class Publications {
  readonly #store: ResourceStore;
  readonly #registration: RegistrationStore;
  readonly #published: (refused: ReadonlyMap<string, string>) => void;
  #running: Promise<void> = Promise.resolve();
  /** The publication that comes next; a plan that is made meanwhile replaces it. */
  #next: Publication | undefined;
  /** Writes of the last publication, until one begins that was made after it. */
  #written: readonly StateToWrite[] = [];
  #isRunning = false;
  #isUnwritten = false;

  /** @param published called after each publication, with what was not written and why, by `Kind/name` */
  constructor(
    store: ResourceStore,
    registration: RegistrationStore,
    published: (refused: ReadonlyMap<string, string>) => void,
  ) {
    this.#store = store;
    this.#registration = registration;
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
    const { states, registration } = this.#next ?? { states: [] };
    this.#next = undefined;
    const refused = new Map(await this.#register(registration));
    const now = wallClock();
    const written: StateToWrite[] = [];
    for (const each of states.filter((state) => !former.some((before) => isSame(before, state)))) {
      const { state, stored } = each;
      const conditions = state.status.conditions.map((condition) =>
        timedCondition(condition, stored?.status?.conditions ?? [], now),
      );
      const result = await this.#store.writeState({ ...state, status: { ...state.status, conditions } });
      if (result.done) written.push(each);
      else refused.set(`${STATE}${state.metadata.name}`, result.error);
    }
    this.#written = written;
    this.#isUnwritten = refused.size > 0;
    this.#isRunning = this.#isWaiting();
    this.#published(refused);
  }

  /** Writes the registration of the node; returns what was not written and why. */
  async #register({ report, annotations }: NodeRegistration = {}): Promise<ReadonlyMap<string, string>> {
    const results: readonly (readonly [string, ApplyResult])[] = [
      ...(report === undefined
        ? []
        : [[`ConfigMap/${report.namespace}/${report.name}`, await this.#registration.storeReport(report)] as const]),
      ...(annotations === undefined
        ? []
        : [[`Node/${annotations.node}`, await this.#registration.annotateNode(annotations)] as const]),
    ];
    return new Map(results.flatMap(([object, result]) => (result.done ? [] : [[object, result.error] as const])));
  }
}

/** Whether it is the same state, planned from the same stored one. */
function isSame(one: StateToWrite, other: StateToWrite): boolean {
  return one.stored === other.stored && JSON.stringify(one.state) === JSON.stringify(other.state);
}
