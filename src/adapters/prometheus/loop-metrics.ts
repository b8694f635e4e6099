import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Histogram buckets, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Milliseconds between samples of the event loop lag. With the default of 10 ms, sampling takes most of an idle agent's CPU time. */
const LAG_SAMPLING = 60_000;

/** The metrics that both loops have, and those of the process: memory, CPU time, open files, Node.js. */
export abstract class LoopMetrics {
  protected readonly registry = new Registry();
  readonly #planSeconds: Histogram;
  readonly #readable = new Gauge({
    name: 'ovn_uplinks_readable',
    help: '1 if all input of plans can be read; 0 while it cannot, and the other metrics are stale.',
    registers: [this.registry],
  });

  /** @param planSeconds name and help of the histogram of planning times */
  protected constructor(planSeconds: { readonly name: string; readonly help: string }) {
    this.#planSeconds = new Histogram({ ...planSeconds, buckets: BUCKETS, registers: [this.registry] });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LAG_SAMPLING });
  }

  /** The metrics in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  protected countPlan(milliseconds: number): void {
    // A plan is made only if everything can be read.
    this.#readable.set(1);
    this.#planSeconds.observe(milliseconds / 1000);
  }

  protected countUnreadable(): void {
    this.#readable.set(0);
  }
}
