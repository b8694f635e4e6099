import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import { BUCKETS } from './loop-metrics.ts';

/** Metrics of Services of networks. */
export class ServiceMetrics {
  readonly #services: Gauge;
  readonly #loadBalancers: Gauge;
  readonly #seconds: Histogram;
  readonly #failed: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#services = new Gauge({
      name: 'ovn_uplinks_services',
      help: 'Services of networks that ovn-uplinks serves, of the whole cluster.',
      registers,
    });
    this.#loadBalancers = new Gauge({
      name: 'ovn_uplinks_load_balancers',
      help: 'Load balancers of Services on the node.',
      registers,
    });
    this.#seconds = new Histogram({
      name: 'ovn_uplinks_service_sync_seconds',
      help: 'Time from when a change of Services or endpoints is looked at until OVN has confirmed the load balancers, in seconds.',
      buckets: BUCKETS,
      registers,
    });
    this.#failed = new Counter({
      name: 'ovn_uplinks_service_failures_total',
      help: 'Times that Services could not be served, for another reason than the time before.',
      registers,
    });
  }

  /** Counts a report. */
  count(report: ServiceReport): void {
    switch (report.kind) {
      case 'services-programmed':
        this.#seconds.observe(report.milliseconds / 1000);
        break;
      case 'services-served':
        this.#services.set(report.services);
        this.#loadBalancers.set(report.loadBalancers);
        break;
      case 'services-failed':
        this.#failed.inc();
        break;
      case 'services-warning':
        break;
    }
  }
}
