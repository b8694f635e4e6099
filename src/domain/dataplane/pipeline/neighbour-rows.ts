import { familyOf } from '../../basics/addresses/ip-address.ts';
import { ADOPTED_NEXT_HOP_PRIORITY, GATEWAY_NEXT_HOP_PRIORITY, nextHopMatch } from './next-hop.ts';
import type { PipelineRow, Scopes } from './row.ts';
import { virtualMacOf } from './virtual-mac.ts';
import { fromWire, output } from './matches-and-actions.ts';

const isIpv4 = ({ neighbour }: Scopes['neighbour']) => familyOf(neighbour.address) === 4;

/** Replaces the virtual MAC address of a neighbour by its own. */
function toNextHop({ bridge, uplink, neighbour }: Scopes['neighbour']) {
  return {
    match: nextHopMatch(uplink, neighbour.address),
    actions: [{ kind: 'set', field: 'dl_dst', value: neighbour.macAddress }, output(bridge.physicalPort)],
  } as const;
}

/** Rows for each neighbour whose MAC address is known. */
export const neighbourRows: readonly PipelineRow<'neighbour'>[] = [
  {
    table: 'classify',
    priority: 710,
    why: 'a virtual MAC address never comes from the wire',
    flows: (scope) => [{ match: { ...fromWire(scope), dl_dst: virtualMacOf(scope.neighbour.address) }, actions: [] }],
  },
  {
    table: 'classify',
    priority: 13,
    when: 'the neighbour is a default gateway and has an IPv4 address',
    why: 'gateways are not learned from their replies, except by the networks of other uplinks',
    flows: (scope) =>
      isIpv4(scope) && scope.neighbour.isGateway
        ? [
            {
              match: {
                protocol: 'arp',
                ...fromWire(scope),
                dl_dst: scope.uplink.macAddress,
                arp_spa: scope.neighbour.address,
              },
              actions: [output('NORMAL')],
            },
          ]
        : [],
  },
  {
    table: 'nextHop',
    priority: GATEWAY_NEXT_HOP_PRIORITY,
    when: 'the neighbour is a default gateway',
    why: 'the MAC address of a gateway replaces its virtual one',
    flows: (scope) => (scope.neighbour.isGateway ? [toNextHop(scope)] : []),
  },
  {
    table: 'nextHop',
    priority: ADOPTED_NEXT_HOP_PRIORITY,
    when: 'the neighbour is adopted',
    why: 'the MAC address of an adopted neighbour replaces its virtual one',
    flows: (scope) => (scope.neighbour.isGateway ? [] : [toNextHop(scope)]),
  },
];
