import { HOST_CONNECTION_MARK } from '../../basics/conventions.ts';
import { addressFamilies, linkLocalAddressOf } from '../../basics/addresses/ip-address.ts';
import { learnNeighbour } from './neighbour-actions.ts';
import type { PipelineRow } from './row.ts';
import { tables } from './tables.ts';
import {
  commit,
  from,
  fromWire,
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
} from './matches-and-actions.ts';

/** ICMPv6 messages of a host's own discovery: multicast listeners (RFC 2710, RFC 3810), routers and neighbours (RFC 4861). */
const discoveryTypes = [130, 131, 132, 133, 134, 135, 136, 143] as const;

/** Rows for each uplink on the bridge. */
export const uplinkRows: readonly PipelineRow<'uplink'>[] = [
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
    priority: 450,
    when: 'the cluster has services of the family',
    why: 'services are not reached by an uplink',
    flows: ({ bridge, uplink }) =>
      ofFamilies(bridge.serviceSubnets, (subnets, family) =>
        subnets.map((subnet) => ({
          match: { ...packet(family), in_port: uplink.hostPort, ...to(family, subnet) },
          actions: [],
        })),
      ),
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
      addressFamilies.map((family) => ({
        match: { ...packet(family), ...fromWire(scope), dl_dst: scope.uplink.macAddress, nw_frag: 'yes' },
        actions: [{ kind: 'ct', table: tables.classify, zone: zoneOf(scope.uplink, 'reassembly') }],
      })),
  },
  {
    table: 'classify',
    priority: 100,
    why: "the host's own connections; translated, so that they never have the tuple of a pod's",
    flows: ({ bridge, uplink }) =>
      ofFamilies(uplink.addresses, (address, family) => ({
        match: { ...packet(family), in_port: uplink.hostPort, ...from(family, address) },
        actions: [commit(uplink, HOST_CONNECTION_MARK, address), ...toWire(bridge, uplink)],
      })),
  },
  {
    table: 'classify',
    priority: 50,
    why: 'its connection is looked up',
    flows: (scope) =>
      addressFamilies.map((family) => ({
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
    why: 'a neighbour that replies is learned, and the networks that asked for it get its reply',
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
    why: 'egress with the address of the uplink goes to its next hop',
    flows: ({ uplink }) =>
      ofFamilies(uplink.addresses, (address, family) => ({
        match: { ...packet(family), ...tagged(uplink), dl_src: uplink.macAddress, ...from(family, address) },
        actions: [goTo('nextHop')],
      })),
  },
  {
    table: 'translated',
    priority: 100,
    when: 'the uplink has an IPv6 address',
    why: 'gateway routers solicit neighbours from their link-local address',
    flows: ({ uplink }) => {
      const address = linkLocalAddressOf(uplink.macAddress);
      return uplink.addresses[6] === undefined || address === undefined
        ? []
        : [
            {
              match: { ...icmp(6, 135), ...tagged(uplink), dl_src: uplink.macAddress, ...from(6, address) },
              actions: [goTo('nextHop')],
            },
          ];
    },
  },
  {
    table: 'answer',
    priority: 200,
    when: 'the uplink has an IPv4 address',
    why: "only the host announces the uplink's address: a router could announce its former MAC address",
    flows: ({ uplink }) =>
      uplink.addresses[4] === undefined
        ? []
        : [{ match: { protocol: 'arp', ...tagged(uplink), arp_tpa: uplink.addresses[4] }, actions: [] }],
  },
  {
    table: 'connections',
    priority: 10,
    why: 'everything else to the host, including replies',
    flows: ({ uplink }) => [{ match: { ...tagged(uplink), dl_dst: uplink.macAddress }, actions: toHost(uplink) }],
  },
];
