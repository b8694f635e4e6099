import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Milliseconds between two samples of the event loop's lag. With the default of 10 ms, sampling is most of what an idle agent does. */
const LAG_SAMPLING = 60_000;

/** Adds metrics of the process to a registry: memory, CPU time, open files, Node.js. */
export function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_SAMPLING });
}
