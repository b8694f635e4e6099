/** Prints docs/datapath.md: traces of packets of each kind on the captured node worker-a. */
import { writeFileSync } from 'node:fs';
import { CapturedNode } from '../src/adapters/capture/captured-node.ts';
import { ManifestFiles } from '../src/adapters/manifests/manifest-files.ts';
import { paletteOf } from '../src/cmd/terminal.ts';
import { hopLines, traceLines } from '../src/cmd/trace-text.ts';
import { type ClusterSnapshot, defaultSettings, type NodeSnapshot } from '../src/domain/index.ts';
import { linkLocalAddressOf } from '../src/domain/ip-address.ts';
import type { Match } from '../src/domain/openflow/flow.ts';
import type { SwitchState } from '../src/domain/switch-model/evaluate.ts';
import { packetOf } from '../src/domain/switch-model/packet.ts';
import { passBridge, passHops, portName, switchState } from '../src/domain/trace/bridge-pass.ts';
import { parsePacket } from '../src/domain/trace/parse-packet.ts';
import { trace, type TraceQuestion } from '../src/domain/trace/trace.ts';
import { tracedNode } from '../src/domain/trace/traced-node.ts';

const root = `${import.meta.dirname}/..`;
const palette = paletteOf({ out: () => undefined, err: () => undefined, colours: false, progress: false });

const [objects, capture] = await Promise.all([
  new ManifestFiles([`${root}/fixtures/cluster.yaml`]).read(),
  new CapturedNode('worker-a', `${root}/fixtures/captures/worker-a`).read(),
]);
if (!objects.read || !capture.read) throw new Error('the fixtures cannot be read');

/** MAC addresses of gateways, which the captured node had not resolved. */
const gateways = [
  ['br-blue', '192.0.2.1', '02:00:00:00:00:b1'],
  ['br-blue', '2001:db8:b::1', '02:00:00:00:00:b6'],
  ['red0', '203.0.113.1', '02:00:00:00:00:e1'],
] as const;

const node: NodeSnapshot = {
  ...capture.value,
  neighbours: [
    ...capture.value.neighbours,
    ...gateways.map(([device, address, macAddress]) => ({ device, address, macAddress, states: ['reachable'] })),
  ],
};
const cluster: ClusterSnapshot = objects.value.snapshot;
const notAdvertised: ClusterSnapshot = { ...cluster, routeAdvertisements: [] };

type Options = Partial<Omit<TraceQuestion, 'network' | 'packet'>> & { readonly of?: ClusterSnapshot };

/** What `ovn-uplinks trace` prints of a packet. */
function traced(network: string, text: string, { of = cluster, ...options }: Options = {}): readonly string[] {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const outcome = trace(of, node, defaultSettings, { network, packet: reading.packet, ...options });
  if (!outcome.traced) throw new Error(outcome.problem);
  return ['```', ...traceLines(outcome.trace, palette), '```', ''];
}

/** A frame on a bridge, in the fields of ovs-fields(7), with its title. */
type Frame = readonly [title: string, words: (ports: Ports) => Match];

interface Ports {
  readonly patch: string;
  readonly phys: string;
  /** The VLAN of the uplink; nothing where it has none. */
  readonly tag: Match;
  /** MAC address of the uplink. */
  readonly mac: string;
}

/** What a bridge does with frames, one after another. */
function frames(network: string, of: ClusterSnapshot, ...list: readonly Frame[]): readonly string[] {
  const reading = tracedNode(of, node, defaultSettings, network);
  if ('problem' in reading) throw new Error(reading.problem);
  const { datapath, after } = reading.node;
  const { bridge } = datapath.router;
  const { vlan, macAddress: mac } = datapath.uplink;
  const ports: Ports = {
    patch: datapath.network.patchPort,
    phys: datapath.physicalPort,
    tag: vlan === undefined ? {} : { dl_vlan: String(vlan) },
    mac,
  };
  let state: SwitchState = switchState(after, bridge);
  const lines = list.flatMap(([title, words]) => {
    const packet = packetOf(words(ports));
    if (packet === undefined) throw new Error(`no packet: ${title}`);
    const pass = passBridge(bridge, state, packet);
    state = pass.verdict.after;
    const left = [...new Set(pass.verdict.outputs.map(({ port }) => portName(bridge, port)))];
    return [
      title,
      ...hopLines(
        passHops(pass, (on, flow) => reading.node.why(on, flow)),
        palette,
      ),
      left.length === 0 ? 'dropped' : `leaves by ${left.join(', ')}`,
    ];
  });
  return ['```', ...lines, '```', ''];
}

const BROADCAST = 'ff:ff:ff:ff:ff:ff';

/** A neighbour on the link of red's uplink that is not a gateway. */
const neighbour = { address: '203.0.113.9', mac: '02:00:00:00:00:e9' };

const arpRequest: Frame = [
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

const arpReply: Frame = [
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
const gatewayAnnouncement: Frame = [
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

const virtualFromWire: Frame = [
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

const solicitation: Frame = [
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

const advertisement: Frame = [
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

const forgedSolicitation: Frame = [
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

const hostDiscovery: Frame = [
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

const routerError: Frame = [
  'the gateway router of red reports to 172.20.0.9 that its packet was too big',
  fromRouter({ protocol: 'icmp', nw_src: '203.0.113.6', icmp_type: '3', icmp_code: '4' }),
];

const unknownError: Frame = [
  'another ICMP error from the masquerade address, about no known connection',
  fromRouter({ protocol: 'icmp', nw_src: '169.254.0.13', icmp_type: '12', icmp_code: '0' }),
];

const forgedSource: Frame = [
  'a packet from 203.0.113.99, which is not the address of the uplink',
  fromRouter({ protocol: 'tcp', nw_src: '203.0.113.99', tp_src: '40000', tp_dst: '443' }),
];

const untranslated: Frame = [
  "a packet from a pod's address that was not translated",
  fromRouter({ protocol: 'tcp', nw_src: '10.30.1.5', tp_src: '40000', tp_dst: '443' }),
];

const forgedMac: Frame = [
  'a packet with a MAC address other than that of the uplink',
  (ports) => ({ ...fromRouter({ protocol: 'tcp', nw_src: '169.254.0.13' })(ports), dl_src: neighbour.mac }),
];

const toMasquerade: Frame = [
  "a packet to the host's masquerade address",
  fromRouter({ protocol: 'udp', nw_src: '169.254.0.13', nw_dst: '169.254.0.2', tp_src: '40000', tp_dst: '53' }),
];

const otherVlan: Frame = [
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

const ownAddress: Frame = [
  'a packet to the address of the uplink itself',
  fromRouter({ protocol: 'tcp', nw_src: '169.254.0.13', nw_dst: '203.0.113.6', tp_src: '40000', tp_dst: '22' }),
];

const otherVlanReply: Frame = [
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

const drawing = String.raw`
+------------------ OVN -------------------+   +------------------ host ------------------+
| pods                                     |   | sockets                                  |
|   |                                      |   |   |                                      |
| node switch ----- management port -------|---|-- rules: VRF 1000, mark 1999, main 32766 |
|   |                                      |   |   |                                      |
| cluster router                           |   | table of the VRF, or main                |
|   |                                      |   |   |                                      |
| gateway router                           |   | interface of the uplink                  |
|   |  MAC and addresses of the uplink,    |   |   |  MAC and addresses of the uplink;    |
|   |  masquerade address of the network   |   |   |  in the VRF of the network, or none  |
| external switch                          |   |   |                                      |
|   |  localnet port, VLAN of the uplink   |   |   |  access port, VLAN of the uplink     |
+---|--------------------------------------+   +---|--------------------------------------+
    |                                              |
  PATCH, one for each network                     HOST
+---|------------------------------------- bridge -|--------------------------------------+
|   |                                              |                                      |
|   +--> classify --> nextHop --------+     +--- classify                                 |
|        track,       MAC address     |     |    track, translate                         |
|        translate    of the next hop v     v                                             |
|                                      PHYS                                               |
|                                     |     |                                             |
|        connections <-- classify ----+     +--> classify --> connections                 |
|   +--- reply of a network                      all else for      ---+                   |
|   |    (advertised pods: by classify)          the uplink's MAC     |                   |
|   v                                                                 v                   |
| PATCH                                                             HOST                  |
+--------------------------------------|--------------------------------------------------+
                                       |  VLAN of the uplink
                                      wire: default gateways, neighbours
`;

const page = [
  '# Datapath',
  '',
  'One packet of each kind, with the rules, routes, routers and rows that it passes. This page is printed by `npm run goldens` from the plan of the',
  'captured node `fixtures/captures/worker-a` and the model of the switch. [pipeline.md](pipeline.md) lists the rows by table and priority,',
  '[design/flows.md](design/flows.md) explains them. `ovn-uplinks trace` prints the same for any packet and node.',
  '',
  '```' + drawing + '```',
  '',
  'worker-a has two networks. **red** is in the default routing domain: its uplink is `red0`, an access port of VLAN 100 on bridge `br-red`, with',
  '203.0.113.6; its pods are in 10.30.1.0/24. **blue** is in VRF `blue`, and advertised: its uplink is the LOCAL port of `br-blue`, with 192.0.2.6 and',
  '2001:db8:b::6; its pods are in 10.20.1.0/24 and fd20:0:0:1::/64. "OVN" stands for the part of OVN that OVN-Kubernetes provides.',
  '',
  '## A pod, in the default routing domain',
  '',
  'The gateway router translates the source to the masquerade address of the network, which is unique on the node; the bridge translates that to the address',
  'of the uplink, which all networks of the uplink share. The mark of each connection in conntrack says which network it belongs to.',
  '',
  ...traced('red', 'tcp 10.30.1.5:40000 > 172.20.0.9:443'),
  '## The reply',
  '',
  'Its connection leads it back to the pod. A packet that belongs to no connection goes to the host.',
  '',
  ...traced('red', 'tcp 172.20.0.9:443 > 10.30.1.5:40000', { isReply: true }),
  '## A pod of an advertised network, in a VRF',
  '',
  'Pods keep their addresses and are reached by them. The bridge does not track these packets.',
  '',
  ...traced('blue', 'tcp 10.20.1.5:40000 > 172.20.0.9:443'),
  ...traced('blue', 'tcp 172.20.0.9:50000 > 10.20.1.5:8080'),
  "Nodes of the cluster need no routes to the pods: packets to their InternalIPs have the uplink's address.",
  '',
  ...traced('blue', 'tcp 10.20.1.5:40000 > 198.51.100.11:443'),
  ...traced('blue', 'tcp 198.51.100.11:443 > 10.20.1.5:40000', { isReply: true }),
  "Egress IP traffic has the packet mark 0x3f0, and leaves with the uplink's address nevertheless:",
  '',
  ...traced('blue', 'tcp 10.20.1.5:40000 > 172.20.0.9:443', { mark: 0x3f0 }),
  '## The host',
  '',
  "What the host sends from the uplink's address is tracked too, and translated to the same address: conntrack changes a source port that a connection of a",
  'pod already uses. A socket that is bound to the VRF, or to an address in it, uses the table of the VRF.',
  '',
  ...traced('blue', 'tcp 192.0.2.6:40000 > 172.20.0.9:443'),
  ...traced('blue', 'tcp 172.20.0.9:443 > 192.0.2.6:40000', { isReply: true }),
  'A connection from outside to the host, and its reply:',
  '',
  ...traced('blue', 'tcp 172.20.0.9:50000 > 192.0.2.6:22'),
  ...traced('blue', 'tcp 192.0.2.6:22 > 172.20.0.9:50000', { isReply: true }),
  'In the default routing domain the main table decides; only packets with the packet mark of the network use its table:',
  '',
  ...traced('red', 'tcp 203.0.113.6:40000 > 172.20.0.9:443'),
  ...traced('red', 'tcp 203.0.113.6:40000 > 172.20.0.9:443', { mark: 0x1002 }),
  '## The node itself',
  '',
  "Pods reach the node's own addresses by the management port of their network, never over the wire; the bridge drops a packet that comes there",
  'nevertheless.',
  '',
  ...traced('red', 'tcp 10.30.1.5:40000 > 203.0.113.6:22'),
  ...frames('red', cluster, ownAddress),
  '## IPv6',
  '',
  'As with IPv4. Here blue is not advertised.',
  '',
  ...traced('blue', 'tcp [fd20:0:0:1::5]:40000 > [2001:db8:ff::9]:443', { of: notAdvertised }),
  ...traced('blue', 'tcp [2001:db8:ff::9]:443 > [fd20:0:0:1::5]:40000', { of: notAdvertised, isReply: true }),
  '## The default gateway as a neighbour',
  '',
  'OVN never asks for a default gateway: it has a static binding to a virtual MAC address, which a row of table nextHop replaces by the one that the kernel',
  'knows. When the MAC address of the gateway changes, the kernel learns it from the wire and the agent changes the row. Networks do not notice, and cannot',
  'be misled.',
  '',
  ...frames('red', cluster, gatewayAnnouncement, virtualFromWire),
  '## Other neighbours',
  '',
  'The first request goes to the wire. The reply is learned, and passed to the network that asked, with the virtual MAC address of the neighbour. The bridge',
  'answers the second request itself.',
  '',
  ...frames('red', cluster, arpRequest, arpReply, arpRequest),
  ...traced('red', 'udp 10.30.1.5:40000 > 203.0.113.9:53'),
  "IPv6 solicitations go to the wire each time, and the advertisement is passed to the networks that asked within the last three seconds. The host's own",
  'discovery is switched.',
  '',
  ...frames('blue', cluster, solicitation, advertisement, hostDiscovery),
  '## ICMP errors',
  '',
  "Errors that a gateway router sends leave with the uplink's address: path MTU discovery of their receivers needs them. The packet inside is translated",
  'with its connection. Any other packet of no known connection cannot be translated, and is dropped.',
  '',
  ...frames('red', cluster, routerError, unknownError),
  '## What does not leave',
  '',
  'The lowest row of each network drops all that no other row lets out. Masquerade addresses are inside the node, so packets to them do not leave either.',
  '',
  ...frames('red', cluster, forgedSource, untranslated, forgedMac, otherVlan, toMasquerade),
  ...frames('blue', cluster, forgedSolicitation),
  '## Another VLAN',
  '',
  'A frame of a VLAN other than that of the uplink is switched as if there were no networks: it reaches neither a network nor the host interface.',
  '',
  ...frames('red', cluster, otherVlanReply),
  '## Length',
  '',
  'A pod cannot send a packet that is longer than its MTU. The gateway router drops one that comes for a pod, and sends an ICMP error to its sender.',
  '',
  ...traced('red', 'udp 10.30.1.5:40000 > 172.20.0.9:53', { length: 9000 }),
  ...traced('red', 'udp 172.20.0.9:53 > 10.30.1.5:40000', { length: 9000, isReply: true }),
]
  .join('\n')
  .trimEnd();

writeFileSync(new URL('../docs/datapath.md', import.meta.url), `${page}\n`);
