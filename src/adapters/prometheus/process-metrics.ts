import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Milliseconds between samples of the event loop lag. With the default of 10 ms, sampling takes most of an idle agent's CPU time. */
const LAG_SAMPLING = 60_000;

/** Adds metrics of the process to a registry: memory, CPU time, open files, Node.js. */
export function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_SAMPLING });
}
