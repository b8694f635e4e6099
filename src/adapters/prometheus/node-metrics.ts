import { Counter, Gauge, Histogram } from 'prom-client';
import { type Operation, semanticsOf } from '../../domain/index.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import { type ConnectionCounts, readConnectionCounts } from '../procfs/connection-counts.ts';
import { registerConnectionMetrics } from './connection-metrics.ts';
import { BUCKETS, LoopMetrics } from './loop-metrics.ts';
import { PodMetrics } from './pod-metrics.ts';
import { ServiceMetrics } from './service-metrics.ts';

/** Metrics of the node loop. */
export class NodeMetrics extends LoopMetrics {
  readonly #operations = new Counter({
    name: 'ovn_uplinks_operations_total',
    help: 'Attempts at operations on the node by kind and result: done, refused, or superseded where a refused one is no longer necessary; and failed, counted again for those that keep a network from being programmed.',
    labelNames: ['kind', 'result'] as const,
    registers: [this.registry],
  });
  readonly #drift = new Counter({
    name: 'ovn_uplinks_drift_repaired_total',
    help: 'Drift repaired, by kind of operation.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });
  readonly #applied = new Histogram({
    name: 'ovn_uplinks_event_to_applied_seconds',
    help: 'Time from the first event of a change until it is applied and verified, in seconds.',
    buckets: BUCKETS,
    registers: [this.registry],
  });
  readonly #networks = new Gauge({
    name: 'ovn_uplinks_networks',
    help: 'Networks that are active on the node, by reason: Ready, or why they are not; stale while ovn_uplinks_readable is 0.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });

  /** Those of attachments of pods. */
  readonly pods: PodMetrics;
  /** Those of Services of networks. */
  readonly services: ServiceMetrics;

  /** @param connections reads what connection tracking of the node has */
  constructor(connections: () => ConnectionCounts | undefined = readConnectionCounts) {
    super({
      name: 'ovn_uplinks_plan_seconds',
      help: 'Time to plan the node and to compare the plan with it, in seconds.',
    });
    registerConnectionMetrics(this.registry, connections);
    this.pods = new PodMetrics(this.registry);
    this.services = new ServiceMetrics(this.registry);
  }

  /** Counts a report. */
  count(report: NodeReport): void {
    if ('operation' in report) this.#countOperation(report);
    else if (report.kind === 'unreadable') this.countUnreadable();
    else if (report.kind === 'plan-duration') this.countPlan(report.milliseconds);
    else if (report.kind === 'settled') this.#countSettled(report);
  }

  #countOperation({ kind: event, operation }: Extract<NodeReport, { readonly operation: Operation }>): void {
    const { name: kind } = semanticsOf(operation);
    if (event === 'drift-repaired') this.#drift.inc({ kind });
    else if (event !== 'drift') this.#operations.inc({ kind, result: event === 'applied' ? 'done' : event });
  }

  #countSettled({ networks, milliseconds }: Extract<NodeReport, { kind: 'settled' }>): void {
    this.#networks.reset();
    for (const [reason, count] of networks) this.#networks.set({ reason }, count);
    if (milliseconds !== undefined) this.#applied.observe(milliseconds / 1000);
  }
}
