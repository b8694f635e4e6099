import { SERVICE_FLOW_COOKIE } from '../../basics/conventions.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import { uplinkOwner } from '../owner.ts';
import { flowsOf, type PipelineFlow } from './bridge-flows.ts';
import type { ExposedAddress, ExposedPort } from './bridge-input.ts';
import { exposedRows } from './exposed-rows.ts';
import type { Scopes } from './row.ts';

/** The addresses of ports, each once. */
function addressesOf(ports: readonly ExposedPort[]): readonly ExposedAddress[] {
  return [...new Map(ports.map((port) => [port.address, port])).values()];
}

/**
 * The flows by which ports of Services in a network are reached on its bridge; none for none. Those of the bridge, the network and an address are the same for all ports that have
 * them.
 */
export function exposedFlows(scope: Scopes['network'], ports: readonly ExposedPort[]): readonly PipelineFlow[] {
  if (ports.length === 0) return [];
  const { network } = scope.network;
  const [networks, owner] = [[network], uplinkOwner(network)];
  const { bridge } = scope;
  return [
    ...flowsOf(exposedRows.bridge, { bridge }, networks, { kind: 'bridge', name: bridge.bridge }),
    ...flowsOf(exposedRows.network, scope, networks, owner),
    ...addressesOf(ports).flatMap((address) => flowsOf(exposedRows.address, { ...scope, address }, networks, owner)),
    ...ports.flatMap((port) => flowsOf(exposedRows.port, { ...scope, port }, networks, owner)),
  ];
}

/** The flows as a bridge has them. */
export function flowsOnBridge(scope: Scopes['network'], ports: readonly ExposedPort[]): readonly BridgeFlow[] {
  const { bridge } = scope.bridge;
  return exposedFlows(scope, ports).map(({ table, priority, match, actions }) => ({
    bridge,
    cookie: SERVICE_FLOW_COOKIE,
    table,
    priority,
    match,
    actions,
  }));
}
