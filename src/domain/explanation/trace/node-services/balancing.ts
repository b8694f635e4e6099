/** Which load balancer takes a packet, and where does it lead? */
import { type BalancerPlace, type LoadBalancer, placeText } from '../../../services/load-balancers.ts';
import type { NodeServices, ServiceHere } from './node-services.ts';

/** The part of a packet that load balancers match. */
export interface BalancedPacket {
  readonly protocol: string;
  readonly destination: string;
  /** Absent where its protocol has none. */
  readonly ports?: { readonly source: number; readonly destination: number };
}

/** A load balancer that takes a packet. */
export interface Balancing {
  readonly of: ServiceHere;
  readonly balancer: LoadBalancer;
  /** The address and port that the packet is for, as the load balancer has them. */
  readonly vip: string;
  /** Addresses with ports, in order; connections get any of them. */
  readonly endpoints: readonly string[];
}

/** The load balancer that takes a packet at a place of a network; undefined where none does. */
export function balancingFor(
  { all }: NodeServices,
  [networkName, place]: readonly [string, BalancerPlace],
  { protocol, destination, ports }: BalancedPacket,
): Balancing | undefined {
  if (ports === undefined) return undefined;
  const vip = placeText(destination, ports.destination);
  for (const of of all) {
    const balancer = of.balancers.find(
      (each) =>
        each.networkName === networkName && each.place === place && each.protocol === protocol && vip in each.vips,
    );
    if (balancer === undefined) continue;
    const text = balancer.vips[vip] ?? '';
    return { of, balancer, vip, endpoints: text === '' ? [] : text.split(',') };
  }
  return undefined;
}

/** A packet once a load balancer has sent it to an endpoint. */
export function balanced<Packet extends BalancedPacket>(packet: Packet, endpoint: string): Packet {
  const place = endpoint.lastIndexOf(':');
  const destination = endpoint.slice(0, place).replace(/^\[(.*)\]$/, '$1');
  const ports = { source: packet.ports?.source ?? 0, destination: Number(endpoint.slice(place + 1)) };
  return { ...packet, destination, ports };
}
