/** Frames on the bridges of the captured node worker-a that docs/datapath.md shows. */
import { linkLocalAddressOf } from '../src/domain/basics/addresses/ip-address.ts';
import type { Match } from '../src/domain/datapath/openflow/flow.ts';

/** A frame on a bridge, in the fields of ovs-fields(7), with its title. */
export type Frame = readonly [title: string, words: (ports: Ports) => Match];

export interface Ports {
  readonly patch: string;
  readonly phys: string;
  /** The VLAN of the uplink; nothing where it has none. */
  readonly tag: Match;
  /** MAC address of the uplink. */
  readonly mac: string;
}

const BROADCAST = 'ff:ff:ff:ff:ff:ff';

/** A neighbour on the link of the uplink of red that is not a gateway. */
const neighbour = { address: '203.0.113.9', mac: '02:00:00:00:00:e9' };

export const arpRequest: Frame = [
  `the gateway router of red asks for ${neighbour.address}`,
  ({ patch, tag, mac }) => ({
    protocol: 'arp',
    ...tag,
    in_port: patch,
    dl_src: mac,
    dl_dst: BROADCAST,
    arp_op: '1',
    arp_spa: '203.0.113.6',
    arp_sha: mac,
    arp_tpa: neighbour.address,
  }),
];

export const arpReply: Frame = [
  `${neighbour.address} answers`,
  ({ phys, tag, mac }) => ({
    protocol: 'arp',
    ...tag,
    in_port: phys,
    dl_src: neighbour.mac,
    dl_dst: mac,
    arp_op: '2',
    arp_spa: neighbour.address,
    arp_sha: neighbour.mac,
    arp_tpa: '203.0.113.6',
    arp_tha: mac,
  }),
];

/** The gateway of red's uplink announces itself, as after a failover, with another MAC address. */
export const gatewayAnnouncement: Frame = [
  'the gateway 203.0.113.1 announces another MAC address',
  ({ phys, tag }) => ({
    protocol: 'arp',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:e2',
    dl_dst: BROADCAST,
    arp_op: '1',
    arp_spa: '203.0.113.1',
    arp_sha: '02:00:00:00:00:e2',
    arp_tpa: '203.0.113.1',
  }),
];

export const virtualFromWire: Frame = [
  'a frame from the wire is sent to the virtual MAC address of the gateway',
  ({ phys, tag }) => ({
    protocol: 'tcp',
    ...tag,
    in_port: phys,
    dl_src: neighbour.mac,
    dl_dst: '0a:5a:cb:00:71:01',
    nw_src: neighbour.address,
    nw_dst: '172.20.0.9',
  }),
];

export const solicitation: Frame = [
  'the gateway router of blue solicits 2001:db8:b::9',
  ({ patch, tag, mac }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: patch,
    dl_src: mac,
    dl_dst: '33:33:ff:00:00:09',
    ipv6_src: linkLocalAddressOf(mac) ?? '',
    ipv6_dst: 'ff02::1:ff00:9',
    icmp_type: '135',
    nd_target: '2001:db8:b::9',
    nd_sll: mac,
  }),
];

export const advertisement: Frame = [
  '2001:db8:b::9 answers',
  ({ phys, tag, mac }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:b9',
    dl_dst: mac,
    ipv6_src: '2001:db8:b::9',
    ipv6_dst: linkLocalAddressOf(mac) ?? '',
    icmp_type: '136',
    nd_target: '2001:db8:b::9',
    nd_tll: '02:00:00:00:00:b9',
  }),
];

export const forgedSolicitation: Frame = [
  'a neighbour solicitation of a pod, which its router passes on',
  ({ patch, tag, mac }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: patch,
    dl_src: mac,
    dl_dst: '0a:5a:00:00:00:09',
    ipv6_src: '2001:db8:b::1',
    ipv6_dst: '2001:db8:b::9',
    nw_ttl: '254',
    icmp_type: '135',
    nd_target: '2001:db8:b::9',
  }),
];

export const hostDiscovery: Frame = [
  "the host's own solicitation",
  ({ tag, mac }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: 'LOCAL',
    dl_src: mac,
    dl_dst: '33:33:ff:00:00:09',
    ipv6_src: '2001:db8:b::6',
    ipv6_dst: 'ff02::1:ff00:9',
    icmp_type: '135',
    nd_target: '2001:db8:b::9',
    nd_sll: mac,
  }),
];

export const hostToService: Frame = [
  'a packet of the host to a service',
  ({ tag, mac }) => ({
    protocol: 'tcp',
    ...tag,
    in_port: 'LOCAL',
    dl_src: mac,
    dl_dst: '0a:58:a9:fe:00:04',
    nw_src: '169.254.0.2',
    nw_dst: '10.96.0.1',
    tp_src: '40000',
    tp_dst: '443',
  }),
];

/** A packet of the gateway router of red to the default gateway. */
const fromRouter =
  (words: Match) =>
  ({ patch, tag, mac }: Ports): Match => ({
    ...tag,
    in_port: patch,
    dl_src: mac,
    dl_dst: '0a:5a:cb:00:71:01',
    nw_ttl: '64',
    nw_dst: '172.20.0.9',
    ...words,
  });

export const routerError: Frame = [
  'the gateway router of red reports to 172.20.0.9 that its packet was too big',
  fromRouter({ protocol: 'icmp', nw_src: '203.0.113.6', icmp_type: '3', icmp_code: '4' }),
];

export const unknownError: Frame = [
  'another ICMP error from the masquerade address, about no known connection',
  fromRouter({ protocol: 'icmp', nw_src: '169.254.0.13', icmp_type: '12', icmp_code: '0' }),
];

export const forgedSource: Frame = [
  'a packet from 203.0.113.99, which is not the address of the uplink',
  fromRouter({ protocol: 'tcp', nw_src: '203.0.113.99', tp_src: '40000', tp_dst: '443' }),
];

export const untranslated: Frame = [
  "a packet from a pod's address that was not translated",
  fromRouter({ protocol: 'tcp', nw_src: '10.30.1.5', tp_src: '40000', tp_dst: '443' }),
];

export const forgedMac: Frame = [
  'a packet with a MAC address other than that of the uplink',
  (ports) => ({ ...fromRouter({ protocol: 'tcp', nw_src: '169.254.0.13' })(ports), dl_src: neighbour.mac }),
];

export const toMasquerade: Frame = [
  "a packet to the host's masquerade address",
  fromRouter({ protocol: 'udp', nw_src: '169.254.0.13', nw_dst: '169.254.0.2', tp_src: '40000', tp_dst: '53' }),
];

export const otherVlan: Frame = [
  'an untagged packet of the network, whose uplink has VLAN 100',
  ({ patch, mac }) => ({
    protocol: 'tcp',
    in_port: patch,
    dl_src: mac,
    dl_dst: '0a:5a:cb:00:71:01',
    nw_src: '169.254.0.13',
    nw_dst: '172.20.0.9',
  }),
];

export const ownAddress: Frame = [
  'a packet to the address of the uplink itself',
  fromRouter({ protocol: 'tcp', nw_src: '169.254.0.13', nw_dst: '203.0.113.6', tp_src: '40000', tp_dst: '22' }),
];

export const otherVlanReply: Frame = [
  'an untagged frame from the wire to the MAC address of the uplink',
  ({ phys, mac }) => ({
    protocol: 'tcp',
    in_port: phys,
    dl_src: neighbour.mac,
    dl_dst: mac,
    nw_src: '172.20.0.9',
    nw_dst: '203.0.113.6',
  }),
];

export const refreshed: Frame = [
  `${neighbour.address} announces another MAC address`,
  ({ phys, tag }) => ({
    protocol: 'arp',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:ea',
    dl_dst: BROADCAST,
    arp_op: '1',
    arp_spa: neighbour.address,
    arp_sha: '02:00:00:00:00:ea',
    arp_tpa: neighbour.address,
  }),
];

export const gatewayReply: Frame = [
  'the gateway 203.0.113.1 replies to the host',
  ({ phys, tag, mac }) => ({
    protocol: 'arp',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:e1',
    dl_dst: mac,
    arp_op: '2',
    arp_spa: '203.0.113.1',
    arp_sha: '02:00:00:00:00:e1',
    arp_tpa: '203.0.113.6',
    arp_tha: mac,
  }),
];

/** OVN announces the addresses of a router port when the port is new, or moves to another chassis. */
const announced =
  (address: string) =>
  ({ patch, tag, mac }: Ports): Match => ({
    protocol: 'arp',
    ...tag,
    in_port: patch,
    dl_src: mac,
    dl_dst: BROADCAST,
    arp_op: '1',
    arp_spa: address,
    arp_sha: mac,
    arp_tpa: address,
  });

export const announcedUplink: Frame = [
  'the gateway router of red announces the address of the uplink',
  announced('203.0.113.6'),
];

export const announcedMasquerade: Frame = [
  'the gateway router of red announces its masquerade address',
  announced('169.254.0.13'),
];

export const solicitedMasquerade: Frame = [
  'a host on the wire solicits the masquerade address of blue',
  ({ phys, tag }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:b9',
    dl_dst: '33:33:ff:00:00:0b',
    ipv6_src: '2001:db8:b::9',
    ipv6_dst: 'ff02::1:ff00:b',
    icmp_type: '135',
    nd_target: 'fd69::b',
  }),
];

export const routerAdvertisement: Frame = [
  "a router advertisement to the host's MAC address",
  ({ phys, tag, mac }) => ({
    protocol: 'icmp6',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:b6',
    dl_dst: mac,
    ipv6_src: 'fe80::b6',
    ipv6_dst: linkLocalAddressOf(mac) ?? '',
    icmp_type: '134',
  }),
];

export const fragment: Frame = [
  'a datagram in fragments, from 172.20.0.9 to the host',
  ({ phys, tag, mac }) => ({
    protocol: 'udp',
    ...tag,
    in_port: phys,
    dl_src: '02:00:00:00:00:e1',
    dl_dst: mac,
    nw_src: '172.20.0.9',
    nw_dst: '203.0.113.6',
    tp_src: '53',
    tp_dst: '53',
    nw_frag: 'first',
  }),
];

export const masqueradeFromWire: Frame = [
  'a packet from the wire to the masquerade address of the network',
  ({ phys, tag, mac }) => ({
    protocol: 'tcp',
    ...tag,
    in_port: phys,
    dl_src: neighbour.mac,
    dl_dst: mac,
    nw_src: neighbour.address,
    nw_dst: '169.254.0.13',
  }),
];

/** A datagram of the network to a neighbour, by the MAC address that OVN has for it. */
const toNeighbour =
  (address: string, mac: string): Frame[1] =>
  (ports) => ({
    ...fromRouter({ protocol: 'udp', nw_src: '169.254.0.13', nw_dst: address, tp_src: '40000', tp_dst: '53' })(ports),
    dl_dst: mac,
  });

export const toAdopted: Frame = [
  'a packet to 203.0.113.10, which the agent has adopted',
  toNeighbour('203.0.113.10', '0a:5a:cb:00:71:0a'),
];

export const toUnknown: Frame = [
  'a packet to 203.0.113.11, which ovs-vswitchd has forgotten since OVN resolved it',
  toNeighbour('203.0.113.11', '0a:5a:cb:00:71:0b'),
];

export const forgedTunnel: Frame = [
  'a Geneve packet of a pod to another node, from an address where tunnels of this node end',
  fromRouter({ protocol: 'udp', nw_src: '169.254.0.13', nw_dst: '198.51.100.11', tp_src: '40000', tp_dst: '6081' }),
];
