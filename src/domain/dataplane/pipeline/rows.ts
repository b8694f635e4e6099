/**
 * The rows of the pipeline of an uplink bridge, for the bridge and for each uplink and neighbour on it; those for each network are in
 * network-rows.ts.
 *
 * What the host forwards for others is switched and not tracked: tracked, it could pass for the reply to a connection of a network.
 *
 * No two flows of one priority overlap: which of them decides would be open. The numbers of priorities leave places for services.
 */
import { HOST_CONNECTION_MARK } from '../../conventions.ts';
import type { Match } from '../../openflow/flow.ts';
import { matchText } from '../../openflow/flow-text.ts';
import { parseActions } from '../../openflow/parse-actions.ts';
import type { UplinkInput } from './bridge-input.ts';
import { familyOf } from '../../ip-address.ts';
import {
  advertiseNeighbour,
  answerForNeighbour,
  askOnWire,
  learnNeighbour,
  learnNextHop,
  refreshNeighbour,
} from './neighbour-actions.ts';
import { networkRows } from './network-rows.ts';
import type { Row, ScopeName, Scopes } from './row.ts';
import { registers, tables } from './tables.ts';
import { ANY_VIRTUAL_MAC, virtualMacOf } from './virtual-mac.ts';
import {
  commit,
  families,
  from,
  goTo,
  icmp,
  ofFamilies,
  output,
  packet,
  tagged,
  to,
  toHost,
  toWire,
  zoneOf,
} from './words.ts';

/** ICMPv6 messages of a host's own discovery: multicast listeners (RFC 2710, RFC 3810), routers and neighbours (RFC 4861). */
const discoveryTypes = [130, 131, 132, 133, 134, 135, 136, 143] as const;

/** Frames of the uplink's VLAN from the wire. */
function fromWire({ bridge, uplink }: Scopes['uplink']): Match {
  return { in_port: bridge.physicalPort, ...tagged(uplink) };
}

const isIpv4 = ({ neighbour }: Scopes['neighbour']) => familyOf(neighbour.address) === 4;

/** Uplinks of one VLAN may know a neighbour by different MAC addresses for a moment: each follows its own. */
function nextHopMatch(uplink: Pick<UplinkInput, 'macAddress' | 'vlan'>, address: string): Match {
  return { ...tagged(uplink), dl_src: uplink.macAddress, dl_dst: virtualMacOf(address) };
}

const GATEWAY_NEXT_HOP_PRIORITY = 100;

/** Priority of the flows that say where adopted neighbours are: above what is learned, and another one than that of gateways, which can be told by it. */
export const ADOPTED_NEXT_HOP_PRIORITY = 95;

/** Where the MAC address of a neighbour is in the flows of an uplink: in the actions of one flow, as this finds it. */
export function nextHopFlow(uplink: Pick<UplinkInput, 'macAddress' | 'vlan'>, address: string, isGateway: boolean) {
  return {
    flow: {
      table: tables.nextHop,
      priority: isGateway ? GATEWAY_NEXT_HOP_PRIORITY : ADOPTED_NEXT_HOP_PRIORITY,
      match: matchText(nextHopMatch(uplink, address)),
    },
    macAddressIn: (actions: string): string | undefined => {
      const [first] = parseActions(actions);
      return first?.kind === 'set' && first.field === 'dl_dst' ? first.value : undefined;
    },
  };
}

/** Sends to a neighbour by its own MAC address. */
function toNextHop({ bridge, uplink, neighbour }: Scopes['neighbour']) {
  return {
    match: nextHopMatch(uplink, neighbour.address),
    actions: [{ kind: 'set', field: 'dl_dst', value: neighbour.macAddress }, output(bridge.physicalPort)],
  } as const;
}

const neighbourRows: readonly Row<'neighbour'>[] = [
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
    why: 'gateways are not learned from the wire',
    flows: (scope) =>
      isIpv4(scope) && scope.neighbour.isGateway
        ? [
            {
              match: { protocol: 'arp', ...fromWire(scope), arp_spa: scope.neighbour.address },
              actions: [output('NORMAL')],
            },
          ]
        : [],
  },
  {
    table: 'nextHop',
    priority: GATEWAY_NEXT_HOP_PRIORITY,
    when: 'the neighbour is a default gateway',
    why: 'the MAC address behind the virtual one of a gateway',
    flows: (scope) => (scope.neighbour.isGateway ? [toNextHop(scope)] : []),
  },
  {
    table: 'nextHop',
    priority: ADOPTED_NEXT_HOP_PRIORITY,
    when: 'the neighbour is adopted',
    why: 'the MAC address behind the virtual one of a neighbour that has been learned',
    flows: (scope) => (scope.neighbour.isGateway ? [] : [toNextHop(scope)]),
  },
];

const uplinkRows: readonly Row<'uplink'>[] = [
  {
    table: 'classify',
    priority: 700,
    when: 'the cluster has a masquerade subnet of the family',
    why: 'masquerade addresses are reached on the node only',
    flows: (scope) =>
      ofFamilies(scope.bridge.masqueradeSubnets, (subnet, family) => ({
        match: { ...packet(family), ...fromWire(scope), dl_dst: scope.uplink.macAddress, ...to(family, subnet) },
        actions: [],
      })),
  },
  {
    table: 'classify',
    priority: 118,
    when: 'the uplink has an IPv6 address',
    why: "the host's own discovery is not tracked",
    flows: ({ uplink }) =>
      uplink.addresses[6] === undefined
        ? []
        : discoveryTypes.map((type) => ({
            match: { ...icmp(6, type), in_port: uplink.hostPort },
            actions: [output('NORMAL')],
          })),
  },
  {
    table: 'classify',
    priority: 111,
    why: 'fragments are reassembled before ports are matched',
    flows: (scope) =>
      families.map((family) => ({
        match: { ...packet(family), ...fromWire(scope), dl_dst: scope.uplink.macAddress, nw_frag: 'yes' },
        actions: [{ kind: 'ct', table: tables.classify, zone: zoneOf(scope.uplink, 'reassembly') }],
      })),
  },
  {
    table: 'classify',
    priority: 100,
    why: "the host's own connections; translated, so that they never share a tuple with a pod's",
    flows: ({ bridge, uplink }) =>
      ofFamilies(uplink.addresses, (address, family) => ({
        match: { ...packet(family), in_port: uplink.hostPort, ...from(family, address) },
        actions: [commit(uplink, HOST_CONNECTION_MARK, address), ...toWire(bridge, uplink)],
      })),
  },
  {
    table: 'classify',
    priority: 50,
    why: 'whose connection it belongs to is looked up',
    flows: (scope) =>
      families.map((family) => ({
        match: { ...packet(family), ...fromWire(scope), dl_dst: scope.uplink.macAddress },
        actions: [
          {
            kind: 'ct',
            table: tables.connections,
            zone: zoneOf(scope.uplink, 'connections'),
            nat: 'as-committed',
          },
        ],
      })),
  },
  {
    table: 'classify',
    priority: 12,
    when: 'the uplink has an IPv4 address',
    why: 'a neighbour that answers is learned, and the networks that asked get its answer',
    flows: (scope) =>
      scope.uplink.addresses[4] === undefined
        ? []
        : [
            {
              match: { protocol: 'arp', ...fromWire(scope), dl_dst: scope.uplink.macAddress, arp_op: '2' },
              actions: learnNeighbour,
            },
          ],
  },
  {
    table: 'translated',
    priority: 100,
    why: 'egress has the address of the uplink, and goes to its next hop',
    flows: ({ uplink }) =>
      ofFamilies(uplink.addresses, (address, family) => ({
        match: { ...packet(family), ...tagged(uplink), dl_src: uplink.macAddress, ...from(family, address) },
        actions: [goTo('nextHop')],
      })),
  },
  {
    table: 'answer',
    priority: 200,
    when: 'the uplink has an IPv4 address',
    why: "the uplink's address is announced by the host alone: a router does so with the MAC address that it had before",
    flows: ({ uplink }) =>
      uplink.addresses[4] === undefined
        ? []
        : [{ match: { protocol: 'arp', ...tagged(uplink), arp_tpa: uplink.addresses[4] }, actions: [] }],
  },
  {
    table: 'connections',
    priority: 10,
    why: 'everything else for the host, replies to it included',
    flows: ({ uplink }) => [{ match: { ...tagged(uplink), dl_dst: uplink.macAddress }, actions: toHost(uplink) }],
  },
];

/**
 * Masquerade addresses are not looked for on the wire. OVN announces a router's, as soon as there is its patch port: its flows have no number to match
 * then, so these match from any port.
 */
const bridgeRows: readonly Row<'bridge'>[] = [
  {
    table: 'classify',
    priority: 120,
    when: 'the cluster has IPv6',
    why: 'masquerade addresses are not looked for on the wire',
    flows: ({ bridge }) => {
      const subnet = bridge.masqueradeSubnets[6];
      return subnet === undefined ? [] : [{ match: { ...icmp(6, 135), nd_target: subnet }, actions: [] }];
    },
  },
  {
    table: 'classify',
    priority: 14,
    when: 'the cluster has IPv4',
    why: 'masquerade addresses are not looked for on the wire',
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
    why: 'the bridge stays a switch',
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
    why: 'the bridge stays a switch',
    flows: () => [{ match: {}, actions: [output('NORMAL')] }],
  },
  {
    table: 'translated',
    priority: 200,
    why: 'what belongs to no connection could not be translated, and never leaves',
    flows: () => [{ match: { ct_state: '+inv+trk' }, actions: [] }],
  },
  {
    table: 'translated',
    priority: 0,
    why: 'what belongs to a connection from a former address of the uplink never leaves',
    flows: () => [{ match: {}, actions: [] }],
  },
  {
    table: 'nextHop',
    priority: 150,
    why: 'nothing for a masquerade address, which is inside the node, leaves it',
    flows: ({ bridge }) =>
      ofFamilies(bridge.masqueradeSubnets, (subnet, family) => ({
        match: { ...packet(family), ...to(family, subnet) },
        actions: [],
      })),
  },
  {
    table: 'nextHop',
    priority: 10,
    why: 'a virtual MAC address that stands for no known neighbour is never sent',
    flows: () => [{ match: { dl_dst: ANY_VIRTUAL_MAC }, actions: [] }],
  },
  {
    table: 'nextHop',
    priority: 0,
    why: 'a neighbour by its own MAC address',
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

/** All rows, by what there are flows of them for. */
export const pipeline: { readonly [Scope in ScopeName]: readonly Row<Scope>[] } = {
  bridge: bridgeRows,
  uplink: uplinkRows,
  neighbour: neighbourRows,
  network: networkRows,
};
