/**
 * At which addresses is a Service reached? At its own ones, and, where packets are redirected before they leave a pod, as eBPF programs do with its
 * connections, at those behind it.
 */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import type { Service } from '../api/service.ts';
import { familyOf } from '../basics/addresses/ip-address.ts';
import type { ReachableService } from './interface-lock.ts';

/** A Service with what is behind it. */
export interface ServiceWithEndpoints {
  readonly service: Omit<Service, 'apiVersion' | 'kind'>;
  /** Its EndpointSlices. */
  readonly slices: readonly Omit<EndpointSlice, 'apiVersion' | 'kind'>[];
}

const protocols: Readonly<Record<string, ReachableService['protocol']>> = { TCP: 'tcp', UDP: 'udp' };

/** Where a port is reached at some addresses; TCP where an object names no protocol. */
function reachableAt(addresses: readonly string[], port: number | undefined, protocolName = 'TCP') {
  const protocol = protocols[protocolName];
  if (protocol === undefined || port === undefined) return [];
  return addresses
    .filter((address) => familyOf(address) !== undefined)
    .map((address): ReachableService => ({ protocol, address, port }));
}

/**
 * The addresses and ports of a Service.
 *
 * @param only one port of the Service; all if it is absent
 */
export function reachableServices(
  { service: { spec }, slices }: ServiceWithEndpoints,
  only?: number,
): readonly ReachableService[] {
  const ports = (spec.ports ?? []).filter(({ port }) => only === undefined || port === only);
  const names = new Set(ports.map(({ name = '' }) => name));
  const behind = slices.flatMap((slice) => {
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
    return (slice.ports ?? [])
      .filter(({ name = '' }) => names.has(name))
      .flatMap(({ port, protocol }) => reachableAt(addresses, port, protocol));
  });
  return [...ports.flatMap(({ port, protocol }) => reachableAt(spec.clusterIPs ?? [], port, protocol)), ...behind];
}
