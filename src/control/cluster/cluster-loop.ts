import { timedCondition } from '../../domain/status/transition-times.ts';
import type { ClusterReport } from '../../ports/cluster-report.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { Alarm, wallClock } from '../time.ts';
import {
  type ClusterEffect,
  type ClusterEvent,
  type ClusterOptions,
  type ClusterState,
  clusterStep,
  initialClusterState,
} from './step.ts';
import { objectOf, type StatusToWrite, type Writes } from './writes.ts';

/** Writes the conditions of Uplinks and networks that follow from UplinkStates: runs the effects of `clusterStep`. */
export class ClusterLoop {
  readonly #store: ResourceStore;
  readonly #report: (report: ClusterReport) => void;
  readonly #finished = Promise.withResolvers<boolean>();
  readonly #alarm = new Alarm(() => {
    this.#dispatch({ kind: 'alarm' });
  });
  #state: ClusterState;

  /** @param report takes reports for logs and metrics; must not throw */
  constructor(store: ResourceStore, options: ClusterOptions, report: (report: ClusterReport) => void) {
    this.#store = store;
    this.#report = report;
    this.#state = initialClusterState(options);
  }

  /** Runs until it is stopped, or with `once` until everything is written; resolves to whether everything was written. */
  run(): Promise<boolean> {
    this.#store.onChange(() => {
      this.#dispatch({ kind: 'changed' });
    });
    this.#dispatch({ kind: 'changed' });
    return this.#finished.promise;
  }

  /** Stops once everything planned is written. */
  stop(): void {
    this.#dispatch({ kind: 'stop' });
  }

  #dispatch(event: ClusterEvent): void {
    try {
      const at = performance.now();
      const [state, effects] = clusterStep(this.#state, { ...event, at });
      if (state.plans > this.#state.plans)
        this.#report({ kind: 'plan-duration', milliseconds: performance.now() - at });
      this.#state = state;
      for (const effect of effects) this.#run(effect);
    } catch (error) {
      this.#alarm.clear();
      this.#finished.reject(error);
    }
  }

  #run(effect: ClusterEffect): void {
    switch (effect.do) {
      case 'observe':
        void this.#store.read().then((reading) => {
          this.#dispatch({ kind: 'observed', reading });
        });
        break;
      case 'write':
        void this.#write(effect.writes).then((refused) => {
          this.#dispatch({ kind: 'written', refused });
        });
        break;
      case 'set-alarm':
        this.#alarm.set(effect.at);
        break;
      case 'report':
        this.#report(effect.report);
        break;
      case 'finish':
        this.#alarm.clear();
        this.#finished.resolve(effect.isDone);
        break;
    }
  }

  async #write({ statuses, deletions }: Writes): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    for (const status of statuses) {
      const result = await this.#writeStatus(status);
      if (!result.done) refused.set(objectOf(status), result.error);
    }
    for (const name of deletions) {
      const result = await this.#store.deleteState(name);
      if (!result.done) refused.set(`UplinkState/${name}`, result.error);
    }
    return refused;
  }

  #writeStatus({ kind, name, finalizers, condition, stored }: StatusToWrite) {
    const conditions = [timedCondition(condition, stored, wallClock())];
    return this.#store.writeStatus({ kind, name, conditions, ...(finalizers && { finalizers }) });
  }
}
