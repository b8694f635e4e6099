import {
  advertiseNeighbour,
  answerForNeighbour,
  askOnWire,
  learnNextHop,
  refreshNeighbour,
} from './neighbour-actions.ts';
import type { PipelineRow } from './row.ts';
import { registers } from './tables.ts';
import { ANY_VIRTUAL_MAC } from './virtual-mac.ts';
import { from, geneve, icmp, ofFamilies, output, packet, to } from './matches-and-actions.ts';

/**
 * Rows for the bridge as a whole. Those that drop ARP and neighbour solicitations for masquerade addresses match any port: OVN announces the address of a
 * gateway router as soon as its patch port exists, before any flow can match the number of that port.
 */
export const bridgeRows: readonly PipelineRow<'bridge'>[] = [
  {
    table: 'classify',
    priority: 120,
    when: 'the cluster has IPv6',
    why: 'masquerade addresses are not resolved on the wire',
    flows: ({ bridge }) => {
      const subnet = bridge.masqueradeSubnets[6];
      return subnet === undefined ? [] : [{ match: { ...icmp(6, 135), nd_target: subnet }, actions: [] }];
    },
  },
  {
    table: 'classify',
    priority: 14,
    when: 'the cluster has IPv4',
    why: 'masquerade addresses are not resolved on the wire',
    flows: ({ bridge }) => {
      const subnet = bridge.masqueradeSubnets[4];
      return subnet === undefined ? [] : [{ match: { protocol: 'arp', arp_tpa: subnet }, actions: [] }];
    },
  },
  {
    table: 'classify',
    priority: 118,
    why: 'advertisements of neighbours are given to the networks that have solicited them',
    flows: ({ bridge }) => [{ match: { ...icmp(6, 136), in_port: bridge.physicalPort }, actions: advertiseNeighbour }],
  },
  {
    table: 'classify',
    priority: 11,
    why: 'no network gets ARP from the wire; a known neighbour updates its MAC address',
    flows: ({ bridge }) => [{ match: { protocol: 'arp', in_port: bridge.physicalPort }, actions: refreshNeighbour }],
  },
  {
    table: 'classify',
    priority: 0,
    why: 'everything else is switched',
    flows: () => [{ match: {}, actions: [output('NORMAL')] }],
  },
  {
    table: 'connections',
    priority: 14,
    why: 'router advertisements belong to no connection',
    flows: () => [{ match: icmp(6, 134), actions: [output('NORMAL')] }],
  },
  {
    table: 'connections',
    priority: 0,
    why: 'everything else is switched',
    flows: () => [{ match: {}, actions: [output('NORMAL')] }],
  },
  {
    table: 'translated',
    priority: 200,
    why: 'packets of no connection cannot be translated, and must not leave',
    flows: () => [{ match: { ct_state: '+inv+trk' }, actions: [] }],
  },
  {
    table: 'translated',
    priority: 0,
    why: 'packets from another address, such as a former one of the uplink, must not leave',
    flows: () => [{ match: {}, actions: [] }],
  },
  {
    table: 'nextHop',
    priority: 160,
    when: 'tunnels of the node end at an address of the family',
    why: 'networks cannot forge packets of the tunnels between nodes',
    flows: ({ bridge }) =>
      ofFamilies(bridge.encapsulationAddresses, (addresses, family) =>
        addresses.map((address) => ({ match: { ...geneve(family), ...from(family, address) }, actions: [] })),
      ),
  },
  {
    table: 'nextHop',
    priority: 150,
    why: 'packets to masquerade addresses, which are inside the node, must not leave it',
    flows: ({ bridge }) =>
      ofFamilies(bridge.masqueradeSubnets, (subnet, family) => ({
        match: { ...packet(family), ...to(family, subnet) },
        actions: [],
      })),
  },
  {
    table: 'nextHop',
    priority: 10,
    why: 'packets to a virtual MAC address of no known neighbour must not leave',
    flows: () => [{ match: { dl_dst: ANY_VIRTUAL_MAC }, actions: [] }],
  },
  {
    table: 'nextHop',
    priority: 0,
    why: 'a neighbour is reached by its own MAC address',
    flows: ({ bridge }) => [{ match: {}, actions: [output(bridge.physicalPort)] }],
  },
  {
    table: 'answer',
    priority: 100,
    why: 'a request for a known neighbour is answered here',
    flows: () => [{ match: { protocol: 'arp', [registers.isKnown]: '0x1' }, actions: answerForNeighbour }],
  },
  {
    table: 'answer',
    priority: 0,
    why: 'a request for an unknown neighbour goes to the wire',
    flows: (scope) => [{ match: { protocol: 'arp' }, actions: askOnWire(scope) }],
  },
  {
    table: 'refresh',
    priority: 100,
    why: 'a known neighbour has a new MAC address',
    flows: () => [{ match: { protocol: 'arp', [registers.isKnown]: '0x1' }, actions: [learnNextHop] }],
  },
];
