import { OWN_ROUTE_PROTOCOL, OWN_RULE_PRIORITY, PACKET_MARK_BASE } from '../basics/conventions.ts';
import type { Rule } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/** The mark that OVN-Kubernetes sets on packets of the network. */
export function packetMark(networkId: number): number {
  return PACKET_MARK_BASE + networkId;
}

/** Packets with the network's mark use its table, from any interface. */
export function wantedRules({ families, networkId, vrf: { table } }: DataplaneInput): readonly Rule[] {
  return families.map((family) => ({
    family,
    priority: OWN_RULE_PRIORITY,
    table,
    protocol: OWN_ROUTE_PROTOCOL,
    mark: packetMark(networkId),
    others: {},
  }));
}
