/** Prints docs/datapath.md: traces of packets of each kind on the captured node worker-a. */
import { writeFileSync } from 'node:fs';
import { CapturedNode } from '../src/adapters/capture/captured-node.ts';
import { ManifestFiles } from '../src/adapters/manifests/manifest-files.ts';
import { paletteOf } from '../src/cmd/output/terminal.ts';
import { hopLines, traceLines } from '../src/cmd/commands/trace-text.ts';
import { ADOPTED_NEIGHBOUR_PROTOCOL, ENCAPSULATION_ADDRESSES_KEY } from '../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, type NodeSnapshot } from '../src/domain/index.ts';
import type { SwitchState } from '../src/domain/datapath/switch-model/evaluate.ts';
import { packetOf } from '../src/domain/datapath/switch-model/packet.ts';
import { passBridge, passHops, portName, switchState } from '../src/domain/explanation/trace/bridge-pass.ts';
import { parsePacket } from '../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { trace, type TraceQuestion } from '../src/domain/explanation/trace/trace.ts';
import { tracedNode } from '../src/domain/explanation/trace/traced-node.ts';
import {
  advertisement,
  announcedMasquerade,
  announcedUplink,
  arpReply,
  arpRequest,
  forgedMac,
  forgedSolicitation,
  forgedSource,
  forgedTunnel,
  fragment,
  gatewayAnnouncement,
  gatewayReply,
  hostDiscovery,
  hostToService,
  masqueradeFromWire,
  otherVlan,
  otherVlanReply,
  ownAddress,
  refreshed,
  routerAdvertisement,
  routerError,
  solicitation,
  solicitedMasquerade,
  toAdopted,
  toMasquerade,
  toUnknown,
  unknownError,
  untranslated,
  virtualFromWire,
  type Frame,
  type Ports,
} from './datapath-frames.ts';

const root = `${import.meta.dirname}/..`;
const palette = paletteOf({ out: () => undefined, err: () => undefined, colours: false, progress: false });

const [objects, capture] = await Promise.all([
  new ManifestFiles([`${root}/fixtures/cluster.yaml`]).read(),
  new CapturedNode('worker-a', `${root}/fixtures/captures/worker-a`).read(),
]);
if (!objects.read || !capture.read) throw new Error('the fixtures cannot be read');

/** MAC addresses of gateways, which the captured node had not resolved. It has adopted a neighbour too, 203.0.113.10. */
const gateways = [
  ['br-blue', '192.0.2.1', '02:00:00:00:00:b1'],
  ['br-blue', '2001:db8:b::1', '02:00:00:00:00:b6'],
  ['red0', '203.0.113.1', '02:00:00:00:00:e1'],
] as const;

const node: NodeSnapshot = {
  ...capture.value,
  // Tunnels of the node end at the address of an uplink too.
  switchExternalIds: {
    ...capture.value.switchExternalIds,
    [ENCAPSULATION_ADDRESSES_KEY]: `${capture.value.switchExternalIds[ENCAPSULATION_ADDRESSES_KEY] ?? ''},203.0.113.6`,
  },
  neighbours: [
    ...capture.value.neighbours,
    ...gateways.map(([device, address, macAddress]) => ({ device, address, macAddress, states: ['reachable'] })),
    {
      device: 'red0',
      address: '203.0.113.10',
      macAddress: '02:00:00:00:00:ed',
      states: ['reachable'],
      protocol: ADOPTED_NEIGHBOUR_PROTOCOL,
    },
  ],
};
const cluster: ClusterSnapshot = objects.value.snapshot;
const notAdvertised: ClusterSnapshot = { ...cluster, routeAdvertisements: [] };

type Options = Partial<Omit<TraceQuestion, 'network' | 'packet'>> & { readonly of?: ClusterSnapshot };

/** The output of `ovn-uplinks trace` for a packet. */
function traced(network: string, text: string, { of = cluster, ...options }: Options = {}): readonly string[] {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const outcome = trace(of, { from: node, others: [] }, defaultSettings, {
    network,
    packet: reading.packet,
    ...options,
  });
  if (!outcome.traced) throw new Error(outcome.problem);
  return ['```', ...traceLines(outcome.trace, palette), '```', ''];
}

/** Describes how a bridge handles frames, one after another. */
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
  '2001:db8:b::6; its pods are in 10.20.1.0/24 and fd20:0:0:1::/64. "OVN" stands for the part of OVN that another implementation provides.',
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
  'Fragments are reassembled before their ports are compared, in a conntrack zone of their own. A packet to a masquerade address, which only the node knows,',
  'is dropped.',
  '',
  ...frames('red', cluster, fragment, masqueradeFromWire),
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
  'Services are not reached from the VRF of a network: what the host sends to one by the uplink is dropped, whatever its source.',
  '',
  ...frames('blue', cluster, hostToService),
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
  ...frames('red', cluster, gatewayAnnouncement, gatewayReply, virtualFromWire),
  '## Other neighbours',
  '',
  'The first request goes to the wire. The reply is learned, and passed to the network that asked, with the virtual MAC address of the neighbour. The bridge',
  'answers the second request itself. Any other ARP packet of a known neighbour updates its MAC address.',
  '',
  ...frames('red', cluster, arpRequest, arpReply, arpRequest, refreshed),
  ...traced('red', 'udp 10.30.1.5:40000 > 203.0.113.9:53'),
  'The agent adopts a neighbour that was learned: the kernel keeps it resolved, and a managed flow has its MAC address. A packet to a virtual MAC address',
  'that no flow replaces, as after a restart of ovs-vswitchd, is dropped.',
  '',
  ...frames('red', cluster, toAdopted, toUnknown),
  "IPv6 solicitations go to the wire each time, and the advertisement is passed to the networks that asked within the last three seconds. The host's own",
  'discovery is switched, and so are router advertisements to it.',
  '',
  ...frames('blue', cluster, solicitation, advertisement, hostDiscovery, routerAdvertisement),
  'Masquerade addresses are not resolved on the wire, and only the host announces the address of the uplink. OVN announces both when a router port is new.',
  '',
  ...frames('red', cluster, announcedMasquerade, announcedUplink),
  ...frames('blue', cluster, solicitedMasquerade),
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
  ...frames('red', cluster, forgedSource, untranslated, forgedMac, otherVlan, toMasquerade, forgedTunnel),
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
