import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Milliseconds between two samples of how late timers are. Each is a timer of its own: every 10 ms, as usual, is most of what an idle agent does. */
const LAG_SAMPLING = 60_000;

/** Has a registry tell of the process as well: memory, CPU time, open files, what Node.js does. */
export function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_SAMPLING });
}
