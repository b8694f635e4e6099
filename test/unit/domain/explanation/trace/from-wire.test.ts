import { expect } from 'chai';
import { traceVerdictText } from '../../../../../src/cmd/commands/trace-text.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../../src/domain/index.ts';
import type { Hop, Trace } from '../../../../../src/domain/explanation/trace/hop.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { expectedOf } from '../../../../../src/domain/explanation/trace/switch-trace.ts';
import { trace, type TraceQuestion } from '../../../../../src/domain/explanation/trace/trace.ts';
import { onWire, wireSettings } from './wire-situation.ts';

const [nodeA, nodeB] = onWire.nodes as [NodeSnapshot, NodeSnapshot];

type Asked = Partial<Omit<TraceQuestion, 'packet'>> & {
  readonly cluster?: ClusterSnapshot;
  readonly others?: readonly NodeSnapshot[];
};

function outcomeOf(text: string, { cluster = onWire.cluster, others = [nodeB], ...question }: Asked = {}) {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const asked = { network: 'blue', packet: reading.packet, ...question };
  return trace(cluster, { from: nodeA, others }, wireSettings, asked);
}

function traced(text: string, asked?: Asked): Trace {
  const outcome = outcomeOf(text, asked);
  if (!outcome.traced) throw new Error(outcome.problem);
  return outcome.trace;
}

const hopTexts = (hops: readonly Hop[] = []) =>
  hops.map(({ node, where, change }) => `${node === undefined ? '' : `${node}, `}${where}: ${change}`);

const replyText = ({ reply }: Trace) => (reply === undefined ? 'no reply' : traceVerdictText(reply.verdict));

const client = '198.51.100.10:40000';
const router = 'GR_cluster_udn_blue_a';
const patch = (network: string) => `patch-br-blue_cluster_udn_${network}_a-to-br-int`;

/** A packet to a Service: its way, that of the answer, and where both end. */
interface Reached {
  readonly title: string;
  readonly packet: string;
  readonly way: readonly string[];
  readonly end: string;
  readonly back: readonly string[];
}

const reached: readonly Reached[] = [
  {
    title: 'a node port with policy Cluster leads to an endpoint of this node, which sees the gateway router',
    packet: `tcp ${client} > 192.0.2.6:30080`,
    way: [
      `eth1: arrives with VLAN 100 as tcp ${client} > 192.0.2.6:30080 by 192.0.2.1`,
      'br-blue, classify 50: connection is new',
      `br-blue, connections 60: connection marked 4, to ${patch('blue')}`,
      `${router}: destination 192.0.2.6:30080 → 10.20.0.7:8080; source 198.51.100.10 → 100.65.0.2`,
      `${router}: 10.20.0.0/16 via 100.65.0.1`,
      'cluster_udn_blue_ovn_cluster_router: to cluster_udn_blue_a',
      'cluster_udn_blue_a: to port demo.blue_demo_near',
      'br-int: to ovu-near',
    ],
    end: 'arrives at the pod with 10.20.0.7 on a',
    back: [
      'br-int: from ovu-near to port demo.blue_demo_near of cluster_udn_blue_a',
      'cluster_udn_blue_a: to cluster_udn_blue_ovn_cluster_router',
      'cluster_udn_blue_ovn_cluster_router: 100.65.0.2 via 100.65.0.2',
      `${router}: source 10.20.0.7:8080 → 192.0.2.6:30080; destination 100.65.0.2 → 198.51.100.10; default via 192.0.2.1`,
      'br-blue, classify 90: connection marked 4 is established, reply direction',
      'br-blue, serviceReplies 100: continues',
      'br-blue, nextHop 100: to MAC address 02:00:00:00:00:b1, to eth1',
      `eth1: leaves with VLAN 100 as tcp 192.0.2.6:30080 > ${client} to 192.0.2.1`,
    ],
  },
  {
    title:
      'it leads to an endpoint of another node by the tunnel, and the answer comes back by the same gateway router',
    packet: `tcp ${client} > 192.0.2.6:30081`,
    way: [
      `${router}: destination 192.0.2.6:30081 → 10.20.1.6:8080; source 198.51.100.10 → 100.65.0.2`,
      'cluster_udn_blue_ovn_cluster_router: 10.20.1.0/24 via 100.88.0.3',
      'Geneve tunnel: to chassis chassis-b at 172.30.0.3, with tunnel key 16711684 and port key 3',
      'b, cluster_udn_blue_b: to port demo.blue_demo_api',
    ],
    end: 'arrives at the pod with 10.20.1.6 on b',
    back: [
      'b, cluster_udn_blue_ovn_cluster_router: 100.65.0.2 via 100.88.0.2',
      'b, Geneve tunnel: to chassis chassis-a at 172.30.0.2, with tunnel key 16711684 and port key 2',
      'cluster_udn_blue_transit_switch: to port cluster_udn_blue_tstor-a',
      'cluster_udn_blue_ovn_cluster_router: 100.65.0.2 via 100.65.0.2',
      `${router}: source 10.20.1.6:8080 → 192.0.2.6:30081; destination 100.65.0.2 → 198.51.100.10; default via 192.0.2.1`,
      `eth1: leaves with VLAN 100 as tcp 192.0.2.6:30081 > ${client} to 192.0.2.1`,
    ],
  },
  {
    title: 'with policy Local the endpoint sees the client',
    packet: `tcp ${client} > 192.0.2.6:30082`,
    way: [`${router}: destination 192.0.2.6:30082 → 10.20.0.7:8080; keeps its source`],
    end: 'arrives at the pod with 10.20.0.7 on a',
    back: [
      'cluster_udn_blue_ovn_cluster_router: from 10.20.0.0/24 via 100.65.0.2',
      `${router}: source 10.20.0.7:8080 → 192.0.2.6:30082; default via 192.0.2.1`,
      `eth1: leaves with VLAN 100 as tcp 192.0.2.6:30082 > ${client} to 192.0.2.1`,
    ],
  },
  {
    title: 'the address of a load balancer is the source of the answer, by the same uplink',
    packet: `tcp ${client} > 203.0.113.5:80`,
    way: [`${router}: destination 203.0.113.5:80 → 10.20.0.7:8080; source 198.51.100.10 → 100.65.0.2`],
    end: 'arrives at the pod with 10.20.0.7 on a',
    back: [`eth1: leaves with VLAN 100 as tcp 203.0.113.5:80 > ${client} to 192.0.2.1`],
  },
  {
    title: 'an external address that is allowed is too',
    packet: `tcp ${client} > 198.51.100.200:80`,
    way: [`${router}: destination 198.51.100.200:80 → 10.20.1.6:8080; source 198.51.100.10 → 100.65.0.2`],
    end: 'arrives at the pod with 10.20.1.6 on b',
    back: [`eth1: leaves with VLAN 100 as tcp 198.51.100.200:80 > ${client} to 192.0.2.1`],
  },
  {
    title: 'IPv6 goes the same way',
    packet: 'tcp [2001:db8:ff::9]:40000 > [2001:db8:5::5]:80',
    way: [`${router}: destination [2001:db8:5::5]:80 → [fd20::7]:8080; source 2001:db8:ff::9 → fd99::2`],
    end: 'arrives at the pod with fd20::7 on a',
    back: ['eth1: leaves with VLAN 100 as tcp [2001:db8:5::5]:80 > [2001:db8:ff::9]:40000 to 2001:db8:b::1'],
  },
  {
    title: "a neighbour on the uplink's link is answered without the gateway",
    packet: 'tcp 192.0.2.9:40000 > 192.0.2.6:30080',
    way: [`${router}: destination 192.0.2.6:30080 → 10.20.0.7:8080; source 192.0.2.9 → 100.65.0.2`],
    end: 'arrives at the pod with 10.20.0.7 on a',
    back: [
      'br-blue, classify 12: 192.0.2.9 is asked for on eth1',
      'eth1: leaves with VLAN 100 as tcp 192.0.2.6:30080 > 192.0.2.9:40000 to 192.0.2.9',
    ],
  },
];

/** A packet from the wire that comes to no endpoint: where it ends, and what is remarked. */
const unreached: readonly (readonly [title: string, packet: string, end: string, remarks: readonly string[]])[] = [
  [
    'a Service without endpoints',
    `tcp ${client} > 192.0.2.6:30084`,
    `dropped at ${router}: Service/demo/empty has no endpoint for this node: it is refused, or with OVN 23.03 not answered`,
    [],
  ],
  [
    'policy Local without an endpoint on the node',
    `tcp ${client} > 192.0.2.6:30083`,
    `dropped at ${router}: Service/demo/elsewhere has no endpoint on a, and externalTrafficPolicy is Local: it is refused, or with OVN 23.03 not answered`,
    [],
  ],
  [
    'a source in none of the ranges',
    'tcp 198.18.0.9:40000 > 203.0.113.5:80',
    'dropped at br-blue, connections 55: Service/demo/shop: nothing else is reached at an address of a Service, neither the host nor what is behind it',
    [
      'Service/demo/shop is reached there from 198.51.100.0/24 alone (loadBalancerSourceRanges)',
      'Service/demo/younger asks for this port, but Service/demo/shop is older and has it',
    ],
  ],
  [
    'another port of the address of a Service',
    `tcp ${client} > 203.0.113.5:81`,
    'dropped at br-blue, connections 55: Service/demo/shop: nothing else is reached at an address of a Service, neither the host nor what is behind it',
    ['Service/demo/shop has 203.0.113.5 by 80/TCP alone'],
  ],
  [
    'an echo to the address of a Service',
    'icmp 198.51.100.10 > 203.0.113.5',
    'dropped at br-blue, connections 55: Service/demo/shop: nothing else is reached at an address of a Service, neither the host nor what is behind it',
    ['Service/demo/shop has 203.0.113.5 by 80/TCP alone'],
  ],
  [
    'an address that is not allowed',
    `tcp ${client} > 203.0.113.77:80`,
    'dropped at host: 203.0.113.77 is not an address of the host, which does not forward packets from blue0',
    ['Service/demo/second is not reached at 203.0.113.77: an administrator has not allowed it (--external-ips)'],
  ],
  [
    'an address of the uplink that a Service asks for',
    `tcp ${client} > 192.0.2.6:8443`,
    'arrives at the host',
    ['Service/demo/greedy is not reached at 192.0.2.6: an uplink has it'],
  ],
  [
    'an address of a node that a Service asks for',
    `tcp ${client} > 172.30.0.3:8443`,
    'dropped at host: 172.30.0.3 is not an address of the host, which does not forward packets from blue0',
    ['Service/demo/greedy is not reached at 172.30.0.3: a node has it'],
  ],
  [
    'the node port of another network on the uplink',
    `tcp ${client} > 192.0.2.6:30099`,
    `arrives at port ${patch('red')} of ClusterUserDefinedNetwork/red`,
    ['Service/red/web has this port, in ClusterUserDefinedNetwork/red on uplink shared (br-blue, VLAN 100)'],
  ],
  [
    'the node port of a Service of the default network',
    `tcp ${client} > 192.0.2.6:30098`,
    'arrives at the host',
    [
      'it is the node port of Service/plain/web: no primary network selects the namespace: the Service is one of the default network',
    ],
  ],
  [
    "a node port in a family that the Service's network does not have there",
    'tcp [2001:db8:ff::9]:40000 > [2001:db8:b::6]:30099',
    'arrives at the host',
    ['it is the node port of Service/red/web, which is reached at 192.0.2.6'],
  ],
  [
    'a port of no Service',
    `tcp ${client} > 192.0.2.6:30097`,
    'arrives at the host',
    ['no Service has node port 30097/TCP'],
  ],
  [
    'a node port by another protocol',
    `udp ${client} > 192.0.2.6:30080`,
    'arrives at the host',
    ['no Service has node port 30080/UDP'],
  ],
  ['a port of the host', `tcp ${client} > 192.0.2.6:22`, 'arrives at the host', []],
  ['an echo to the address of the uplink', 'icmp 198.51.100.10 > 192.0.2.6', 'arrives at the host', []],
];

describe('a packet from the wire to a Service', () => {
  for (const { title, packet, way, end, back } of reached)
    it(`${title}: ${packet}`, () => {
      const found = traced(packet);
      const { hops, verdict, reply, from, remarks } = found;
      expect({ from, remarks }).to.deep.equal({ from: 'wire', remarks: undefined });
      const [there, again] = [hopTexts(hops), hopTexts(reply?.hops)];
      expect(there.filter((hop) => way.includes(hop))).to.deep.equal(way, there.join('\n'));
      expect(again.filter((hop) => back.includes(hop))).to.deep.equal(back, again.join('\n'));
      expect(traceVerdictText(verdict)).to.equal(end);
      expect(replyText(found)).to.equal('leaves by eth1');
    });

  it('is named at the flow and the load balancer that decide', () => {
    const { hops, reply } = traced(`tcp ${client} > 192.0.2.6:30080`);
    const whyAt = (place: string, all: readonly Hop[] = []) => all.find(({ where }) => where === place);
    expect(whyAt('br-blue, connections 60', hops)?.why).to.equal(
      'Service/demo/both: a new connection to a Service goes to its network, which gets all further packets of it',
    );
    expect(whyAt(router, hops)).to.include({
      why: 'Service/demo/both, externalTrafficPolicy Cluster: one of 2 endpoints, of which connections get any',
      decidedBy: 'load balancer cluster_udn_blue_Service_demo/both_TCP_router',
    });
    expect(whyAt('br-blue, classify 90', reply?.hops)?.why).to.equal(
      'what is neither egress nor an error is the reply of a Service, or nothing',
    );
    expect(whyAt('br-blue, serviceReplies 100', reply?.hops)?.why).to.match(/^Service\/demo\/both, .*, …: replies/);
  });

  it('is answered by routes whose reasons are said', () => {
    const { hops, reply } = traced(`tcp ${client} > 192.0.2.6:30081`);
    const whyOf = (all: readonly Hop[] = []) =>
      all.flatMap(({ where, why }) => (where === 'cluster_udn_blue_ovn_cluster_router' ? [why] : []));
    expect(whyOf(hops)).to.deep.equal(['the subnet of another node', 'the subnet of this node']);
    expect(whyOf(reply?.hops)).to.deep.equal([
      'the gateway router of another node',
      'the gateway router that the connection came by',
    ]);
  });

  for (const [title, packet, end, remarks] of unreached)
    it(`goes to no endpoint, ${title}: ${packet}`, () => {
      const found = traced(packet);
      expect(traceVerdictText(found.verdict)).to.equal(end, hopTexts(found.hops).join('\n'));
      expect(found.remarks ?? []).to.deep.equal(remarks);
      expect(found.reply).to.equal(undefined);
    });

  it('ends at the tunnel without a capture of the other node', () => {
    const { verdict, reply } = traced(`tcp ${client} > 192.0.2.6:30081`, { others: [] });
    expect(traceVerdictText(verdict)).to.equal('leaves by the tunnel to b, of which there is no capture');
    expect(reply).to.equal(undefined);
  });

  it('that is longer than the MTU of pods ends at the gateway router', () => {
    const { verdict } = traced(`udp ${client} > 192.0.2.6:30086`, { length: 1401 });
    expect(traceVerdictText(verdict)).to.equal(
      `dropped at ${router}: 1401 bytes exceed the MTU of pods, 1400 bytes; the sender gets an ICMP error`,
    );
  });

  it('is told that the network of the Service has no uplink on the node', () => {
    const cluster = { ...onWire.cluster, uplinks: onWire.cluster.uplinks.map((each) => ({ ...each })) };
    const networks = cluster.clusterUserDefinedNetworks.map((each) =>
      each.metadata.name === 'red' ? { ...each, spec: { ...each.spec, uplinks: ['absent'] } } : each,
    );
    const { remarks } = traced(`tcp ${client} > 192.0.2.6:30099`, {
      cluster: { ...cluster, clusterUserDefinedNetworks: networks },
    });
    expect(remarks).to.deep.equal([
      'it is the node port of Service/red/web, whose network ClusterUserDefinedNetwork/red has no uplink with such an address on a',
    ]);
  });

  it('has bridges trace both ways', () => {
    const outcome = outcomeOf(`tcp ${client} > 192.0.2.6:30080`);
    if (!outcome.traced) throw new Error(outcome.problem);
    expect(
      outcome.passes.map((pass) => expectedOf(pass).expected.decisions.map((each) => Object.values(each).join(' '))),
    ).to.deep.equal([
      ['0 50', '1 60'],
      ['0 90', '26 100', '21 100'],
    ]);
    expect(expectedOf(outcome.passes[1]!).frame).to.deep.include({ bridge: 'br-blue', states: ['est,rpl,trk'] });
  });
});

describe('the answer of a Service', () => {
  it('is that of an endpoint, in the connection that the client has begun', () => {
    const { packet, from, replyTo, hops, verdict } = traced(`tcp 203.0.113.5:80 > ${client}`, { isReply: true });
    expect({ packet, from, replyTo }).to.deep.equal({
      packet: 'tcp 10.20.0.7:8080 > 100.65.0.2:40000',
      from: 'pod',
      replyTo: `tcp ${client} > 203.0.113.5:80`,
    });
    expect(hopTexts(hops).at(-1)).to.equal(`eth1: leaves with VLAN 100 as tcp 203.0.113.5:80 > ${client} to 192.0.2.1`);
    expect(traceVerdictText(verdict)).to.equal('leaves by eth1');
  });

  it('is none where the client reaches no endpoint', () => {
    const { verdict } = traced(`tcp 192.0.2.6:30084 > ${client}`, { isReply: true });
    expect(traceVerdictText(verdict)).to.match(
      /^dropped at GR_cluster_udn_blue_a: the connection's first packet, tcp /,
    );
  });

  it('is not followed where the way to the endpoint is not', () => {
    const outcome = outcomeOf(`tcp 192.0.2.6:30081 > ${client}`, { isReply: true, others: [] });
    expect(outcome).to.deep.equal({
      traced: false,
      problem: `the connection's first packet, tcp ${client} > 192.0.2.6:30081, leaves by the tunnel to b, of which there is no capture: its replies are not followed`,
    });
  });

  it('is none of the host that has a connection of its own from the address', () => {
    const { from, verdict } = traced(`tcp ${client} > 192.0.2.6:30080`, { isReply: true });
    expect({ from, end: traceVerdictText(verdict) }).to.deep.equal({ from: 'wire', end: 'arrives at the host' });
  });
});
