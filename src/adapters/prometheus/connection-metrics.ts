import { Gauge, type Registry } from 'prom-client';
import type { ConnectionCounts } from '../procfs/connection-counts.ts';

/**
 * Registers metrics of connection tracking, which all pods of a node share: one may fill it. They are read when they are asked for, and absent where nothing is tracked.
 *
 * @param read synchronous: a client that has closed its side of the connection, as nc(1) does, gets what is there at once, and no answer later (Node.js, http)
 */
export function registerConnectionMetrics(registry: Registry, read: () => ConnectionCounts | undefined): void {
  registerGauge(
    registry,
    { name: 'ovn_uplinks_connections', help: 'Connections that the node tracks: of all networks, and of the host.' },
    () => read()?.entries,
  );
  registerGauge(
    registry,
    {
      name: 'ovn_uplinks_connections_limit',
      help: 'The most connections that the node may track; packets that would begin further ones are dropped.',
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
