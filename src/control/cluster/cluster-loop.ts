import { timedCondition } from '../../domain/status/transition-times.ts';
import type { ClusterReport } from '../../ports/cluster-report.ts';
import type { ProvisionStore } from '../../ports/provision-store.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { noProvision } from '../no-provision.ts';
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
import { objectOf } from './named-object.ts';
import { isBlocked, runWrite, writtenObject } from './provision-writes.ts';
import type { StatusToWrite, Writes } from './writes.ts';

/** Writes the conditions of Uplinks and networks that follow from UplinkStates: runs the effects of `clusterStep`. */
export class ClusterLoop {
  readonly #store: ResourceStore;
  readonly #provision: ProvisionStore;
  readonly #report: (report: ClusterReport) => void;
  readonly #stepper: Stepper<ClusterState, ClusterEvent, ClusterEffect>;

  /**
   * @param report takes reports for logs and metrics; must not throw
   * @param provision takes what is written for networks that ovn-uplinks provides
   */
  constructor(
    store: ResourceStore,
    options: ClusterOptions,
    report: (report: ClusterReport) => void,
    provision: ProvisionStore = noProvision,
  ) {
    this.#store = store;
    this.#provision = provision;
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

  async #write({ provision, statuses, deletions }: Writes): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    const written = new Set<string>();
    for (const write of provision) {
      if (isBlocked(write, refused)) continue;
      const result = await runWrite(write, this.#provision);
      if (result.done) written.add(writtenObject(write));
      else refused.set(writtenObject(write), result.error);
    }
    for (const status of statuses) {
      if (status.awaited.some((object) => written.has(object))) continue;
      const result = await this.#writeStatus(status);
      if (!result.done) refused.set(objectOf(status), result.error);
    }
    for (const name of deletions) {
      const result = await this.#store.deleteState(name);
      if (!result.done) refused.set(`UplinkState/${name}`, result.error);
    }
    return refused;
  }

  #writeStatus({
    kind,
    namespace,
    name,
    uid,
    finalizers,
    activeNamespaces,
    attachedPods,
    stored,
    ...status
  }: StatusToWrite) {
    const now = wallClock();
    const conditions = status.conditions.map((condition) => timedCondition(condition, stored, now));
    if (kind === 'Uplink' || (kind === 'ClusterUserDefinedNetwork' && activeNamespaces === undefined))
      return this.#store.writeStatus({ kind, name, conditions, ...(finalizers && { finalizers }) });
    const network = { kind, name, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) };
    return this.#provision.writeProvidedStatus({
      ...network,
      conditions,
      activeNamespaces: activeNamespaces ?? [],
      attachedPods: attachedPods ?? 0,
    });
  }
}
