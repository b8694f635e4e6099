import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { meaningOf } from '../../domain/index.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import { BUCKETS } from './buckets.ts';
import { collectProcessMetrics } from './process-metrics.ts';
import { readableGauge } from './readable.ts';

/** Counts what the loop of a node has to say. */
export class NodeMetrics {
  readonly #registry = new Registry();
  readonly #planSeconds = new Histogram({
    name: 'ovn_uplinks_plan_seconds',
    help: 'Time that it takes to decide everything about the node and to compare it with what is there, in seconds.',
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #operations = new Counter({
    name: 'ovn_uplinks_operations_total',
    help: 'Attempts at operations on the node by their kind and result: done or refused; and besides, as failed, what holds a network back.',
    labelNames: ['kind', 'result'] as const,
    registers: [this.#registry],
  });
  readonly #drift = new Counter({
    name: 'ovn_uplinks_drift_repaired_total',
    help: 'Changes that somebody else made to what is ours and that were put right, by the kind of operation that did so.',
    labelNames: ['kind'] as const,
    registers: [this.#registry],
  });
  readonly #applied = new Histogram({
    name: 'ovn_uplinks_event_to_applied_seconds',
    help: 'Time from the first sign of a change to the moment at which everything that follows from it is done and looked at again, in seconds.',
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #networks = new Gauge({
    name: 'ovn_uplinks_networks',
    help: 'Networks that are active on the node by the reason that their state gives, Ready or what stands in their way; as it was last, while ovn_uplinks_readable is 0.',
    labelNames: ['reason'] as const,
    registers: [this.#registry],
  });
  readonly #readable = readableGauge(this.#registry);

  constructor() {
    collectProcessMetrics(this.#registry);
  }

  /** Everything in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  /** Counts a report. */
  count(report: NodeReport): void {
    switch (report.kind) {
      case 'unreadable':
        this.#readable.set(0);
        break;
      case 'thought':
        // A plan is made of all that there is to be read.
        this.#readable.set(1);
        this.#planSeconds.observe(report.milliseconds / 1000);
        break;
      case 'carried-out':
        this.#operations.inc({ kind: meaningOf(report.operation).name, result: 'done' });
        break;
      case 'refused':
        this.#operations.inc({ kind: meaningOf(report.operation).name, result: 'refused' });
        break;
      case 'failed':
        this.#operations.inc({ kind: meaningOf(report.operation).name, result: 'failed' });
        break;
      case 'drift-repaired':
        this.#drift.inc({ kind: meaningOf(report.operation).name });
        break;
      case 'settled':
        this.#networks.reset();
        for (const [reason, count] of report.networks) this.#networks.set({ reason }, count);
        if (report.milliseconds !== undefined) this.#applied.observe(report.milliseconds / 1000);
        break;
      default:
        break;
    }
  }
}
