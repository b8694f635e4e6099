import { Gauge, type Registry } from 'prom-client';

/** Whether everything can be read; 0 until the first successful read. While it is 0 the other metrics are stale. */
export function readableGauge(register: Registry): Gauge {
  return new Gauge({
    name: 'ovn_uplinks_readable',
    help: 'Whether everything that plans are made from can be read: 1, or 0 while something cannot and the other metrics are stale.',
    registers: [register],
  });
}
