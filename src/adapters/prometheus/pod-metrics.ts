import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PodReport } from '../../ports/pods/pod-report.ts';
import { BUCKETS } from './loop-metrics.ts';

/** Metrics of attachments of pods. */
export class PodMetrics {
  readonly #calls: Counter<'command' | 'code'>;
  readonly #seconds: Histogram<'command'>;
  readonly #steps: Histogram<'step'>;
  readonly #attached: Gauge;
  readonly #repaired: Counter<'what'>;
  readonly #repairedLocks: Counter<'what'>;
  readonly #failedRepairs: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Counter({
      name: 'ovn_uplinks_cni_calls_total',
      help: 'Calls of container runtimes by command, and by the code of their error: 0 for a success.',
      labelNames: ['command', 'code'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'ovn_uplinks_cni_call_seconds',
      help: 'Time to answer calls of container runtimes that succeeded, in seconds.',
      labelNames: ['command'],
      buckets: BUCKETS,
      registers,
    });
    this.#steps = new Histogram({
      name: 'ovn_uplinks_cni_step_seconds',
      help: 'Duration of the steps of attaching a pod, failed ones included, in seconds.',
      labelNames: ['step'],
      buckets: BUCKETS,
      registers,
    });
    this.#attached = new Gauge({
      name: 'ovn_uplinks_attached_pods',
      help: 'Pods that are attached to networks which ovn-uplinks provides.',
      registers,
    });
    this.#repaired = new Counter({
      name: 'ovn_uplinks_pod_ports_repaired_total',
      help: 'Ports of pods that were removed, as nothing used them any more, or restored.',
      labelNames: ['what'],
      registers,
    });
    this.#repairedLocks = new Counter({
      name: 'ovn_uplinks_pod_locks_repaired_total',
      help: 'Locks of interfaces in the default network that were restored, as they were missing, or replaced by others.',
      labelNames: ['what'],
      registers,
    });
    this.#failedRepairs = new Counter({
      name: 'ovn_uplinks_pod_repair_failures_total',
      help: 'Times that ports of pods, or locks of their interfaces in the default network, could not be repaired, for another reason than the time before.',
      registers,
    });
  }

  /** Counts a report. */
  count(report: PodReport): void {
    switch (report.kind) {
      case 'answered': {
        const { command, error, milliseconds } = report;
        this.#calls.inc({ command, code: String(error?.code ?? 0) });
        if (error === undefined) this.#seconds.observe({ command }, milliseconds / 1000);
        break;
      }
      case 'attach-step':
        this.#steps.observe({ step: report.step }, report.milliseconds / 1000);
        break;
      case 'leftover-removed':
        this.#repaired.inc({ what: 'removed' });
        break;
      case 'port-restored':
        this.#repaired.inc({ what: 'restored' });
        break;
      case 'lock-repaired':
        this.#repairedLocks.inc({ what: report.wasMissing ? 'restored' : 'replaced' });
        break;
      case 'attached':
        this.#attached.set(report.pods);
        break;
      case 'repair-failed':
        this.#failedRepairs.inc();
        break;
      case 'serving':
      case 'detached':
      case 'detach-failed':
      case 'warning':
        break;
    }
  }
}
