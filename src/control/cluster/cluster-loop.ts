import { objectText } from '../../domain/objects/object-write.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';
import { timedWrite } from '../timed-write.ts';
import { Stepper } from '../stepper.ts';
import { wallClock } from '../time.ts';
import {
  type ClusterEffect,
  type ClusterEvent,
  type ClusterOptions,
  type ClusterState,
  clusterStep,
  initialClusterState,
} from './step.ts';
import type { Writes } from './writes.ts';

/** Number of objects that are written at once, each of another name. */
export const WRITES_AT_ONCE = 8;

/** Does some work for each item, for a few at a time, and begins in their order. */
async function severalAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: WRITES_AT_ONCE }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}

/** Writes the conditions of Uplinks and networks that follow from UplinkStates: runs the effects of `clusterStep`. */
export class ClusterLoop {
  readonly #store: ResourceStore;
  readonly #report: (report: ClusterReport) => void;
  readonly #stepper: Stepper<ClusterState, ClusterEvent, ClusterEffect>;

  /** @param report takes reports for logs and metrics; must not throw */
  constructor(store: ResourceStore, options: ClusterOptions, report: (report: ClusterReport) => void) {
    this.#store = store;
    this.#report = report;
    this.#stepper = new Stepper<ClusterState, ClusterEvent, ClusterEffect>(
      initialClusterState(options),
      clusterStep,
      (effect) => this.#run(effect),
      (milliseconds) => report({ kind: 'plan-duration', milliseconds }),
    );
  }

  /** Runs until it is stopped, or with `once` until everything is written; resolves to whether everything was written. */
  run(): Promise<boolean> {
    this.#store.onChange(() => {
      this.#stepper.dispatch({ kind: 'changed' });
    });
    this.#stepper.dispatch({ kind: 'changed' });
    return this.#stepper.finished;
  }

  /** Stops once everything planned is written. */
  stop(): void {
    this.#stepper.dispatch({ kind: 'stop' });
  }

  #run(effect: ClusterEffect): void {
    switch (effect.do) {
      case 'observe':
        void this.#store.read().then((reading) => {
          this.#stepper.dispatch({ kind: 'observed', reading });
        });
        break;
      case 'write': {
        const began = performance.now();
        void this.#write(effect.writes).then((refused) => {
          this.#stepper.dispatch({ kind: 'written', refused, random: Math.random(), began });
        });
        break;
      }
      case 'set-alarm':
        this.#stepper.setAlarm(effect.at);
        break;
      case 'report':
        this.#report(effect.report);
        break;
      case 'finish':
        this.#stepper.finish(effect.isDone);
        break;
    }
  }

  async #write({ provision, services, statuses, deletions }: Writes): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    const written = new Set<string>();
    const write = async (planned: PlannedWrite) => {
      const object = objectText(planned.write);
      const result = await this.#store.write(timedWrite(planned, wallClock()));
      if (result.done) written.add(object);
      else refused.set(object, result.error);
    };
    for (const each of provision) if (!each.needs.some((object) => refused.has(object))) await write(each);
    await severalAtOnce(services, write);
    await severalAtOnce(
      statuses.filter(({ awaited }) => !awaited.some((object) => written.has(object))),
      write,
    );
    await severalAtOnce(deletions, write);
    return refused;
  }
}
