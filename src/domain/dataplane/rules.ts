import { OWN_ROUTE_PROTOCOL, OWN_RULE_PRIORITY } from '../basics/conventions.ts';
import { packetMark } from '../network/names/numbers.ts';
import type { Rule } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';

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
