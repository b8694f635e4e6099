import { Gauge, Histogram, Registry } from 'prom-client';
import type { ClusterReport } from '../../ports/cluster-report.ts';
import { BUCKETS } from './buckets.ts';
import { collectProcessMetrics } from './process-metrics.ts';
import { readableGauge } from './readable.ts';

/** Metrics of the cluster loop. */
export class ClusterMetrics {
  readonly #registry = new Registry();
  readonly #planSeconds = new Histogram({
    name: 'ovn_uplinks_cluster_plan_seconds',
    help: 'Time to plan the cluster, in seconds.',
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #conditions = new Gauge({
    name: 'ovn_uplinks_cluster_conditions',
    help: 'Objects by kind and by the reason of the condition that this controller writes.',
    labelNames: ['kind', 'reason'] as const,
    registers: [this.#registry],
  });
  readonly #readable = readableGauge(this.#registry);

  constructor() {
    collectProcessMetrics(this.#registry);
  }

  /** The metrics in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  /** Counts a report. */
  count(report: ClusterReport): void {
    if (report.kind === 'plan-duration') this.#planSeconds.observe(report.milliseconds / 1000);
    if (report.kind === 'unreadable') this.#readable.set(0);
    if (report.kind !== 'settled') return;
    this.#readable.set(1);
    this.#conditions.reset();
    for (const [key, count] of report.conditions) {
      const [kind = '', reason = ''] = key.split(' ');
      this.#conditions.set({ kind, reason }, count);
    }
  }
}
