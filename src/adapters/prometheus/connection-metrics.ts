import { Gauge, type Registry } from 'prom-client';
import type { ConnectionCounts } from '../procfs/connection-counts.ts';

/**
 * Registers metrics of connection tracking, which all pods of a node share: one may fill it. They are read when they are asked for, and absent where nothing is tracked.
 *
 * @param read synchronous, as an answer that comes later is lost to clients that close their side after the request, as nc(1) does
 */
export function registerConnectionMetrics(registry: Registry, read: () => ConnectionCounts | undefined): void {
  registerGauge(
    registry,
    {
      name: 'ovn_uplinks_conntrack_entries',
      help: 'Entries of connection tracking in the kernel, of all networks and of the host; a connection may have several.',
    },
    () => read()?.entries,
  );
  registerGauge(
    registry,
    {
      name: 'ovn_uplinks_conntrack_entries_limit',
      help: 'The most entries that connection tracking may have, 0 for any number; packets that would need further ones are dropped.',
    },
    () => read()?.limit,
  );
}

function registerGauge(
  registry: Registry,
  text: { readonly name: string; readonly help: string },
  value: () => number | undefined,
): void {
  const gauge: Gauge = new Gauge({
    ...text,
    registers: [registry],
    collect: () => {
      const current = value();
      if (current === undefined) gauge.remove();
      else gauge.set(current);
    },
  });
}
