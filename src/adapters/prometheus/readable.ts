import { Gauge, type Registry } from 'prom-client';

/** Whether everything can be read. It is 0 until everything was: what else is counted says nothing of now while it is. */
export function readableGauge(register: Registry): Gauge {
  return new Gauge({
    name: 'ovn_uplinks_readable',
    help: 'Whether everything that a decision is made from can be read: 1, or 0 while something cannot and all other figures are those from before.',
    registers: [register],
  });
}
