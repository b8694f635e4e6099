import { Gauge } from 'prom-client';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import { LoopMetrics } from './loop-metrics.ts';

/** Metrics of the cluster loop. */
export class ClusterMetrics extends LoopMetrics {
  readonly #conditions = new Gauge({
    name: 'ovn_uplinks_cluster_conditions',
    help: 'Objects by kind and by the reason of the condition that this controller writes.',
    labelNames: ['kind', 'reason'] as const,
    registers: [this.registry],
  });

  readonly #leading = new Gauge({
    name: 'ovn_uplinks_cluster_leading',
    help: '1 if this cluster manager is the leader, otherwise 0.',
    registers: [this.registry],
  });

  constructor() {
    super({ name: 'ovn_uplinks_cluster_plan_seconds', help: 'Time to plan the cluster, in seconds.' });
    // With a folder there is no leader election.
    this.#leading.set(1);
  }

  /** Counts a report. */
  count(report: ClusterReport): void {
    switch (report.kind) {
      case 'unreadable':
        this.countUnreadable();
        break;
      case 'plan-duration':
        this.countPlan(report.milliseconds);
        break;
      case 'standing-by':
      case 'leadership-lost':
        this.#leading.set(0);
        break;
      case 'leading':
        this.#leading.set(1);
        break;
      case 'settled':
        this.#countConditions(report.conditions);
        break;
      case 'warning':
      case 'object-warning':
      case 'condition':
      case 'provision':
      case 'deleted':
        break;
    }
  }

  #countConditions(conditions: ReadonlyMap<string, number>): void {
    this.#conditions.reset();
    for (const [key, count] of conditions) {
      const [kind = '', reason = ''] = key.split(' ');
      this.#conditions.set({ kind, reason }, count);
    }
  }
}
