import { expect } from 'chai';
import { ENCAPSULATION_IPS_ANNOTATION } from '../../../../../src/domain/basics/conventions.ts';
import { byHost } from '../../../../../src/domain/explanation/trace/by-node/by-host.ts';
import { outOfNetwork } from '../../../../../src/domain/explanation/trace/by-node/out-of-network.ts';
import { traceByNode } from '../../../../../src/domain/explanation/trace/by-node/trace-by-node.ts';
import type { Hop, Trace, TraceVerdict } from '../../../../../src/domain/explanation/trace/hop.ts';
import { type NodeSide, nodeSide } from '../../../../../src/domain/explanation/trace/node-side.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import type { TracedPacket } from '../../../../../src/domain/explanation/trace/packet.ts';
import type { TraceQuestion } from '../../../../../src/domain/explanation/trace/trace.ts';
import { tracePods } from '../../../../../src/domain/explanation/trace/trace-pods.ts';
import type { NodeSettings, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { node } from '../../brief-objects.ts';
import { api, podCluster, podNode, provided, web, withWaysOut } from './pod-situation.ts';

const leaving: NodeSettings = { ...provided, egress: 'node', clusterCidrs: ['10.244.0.0/16'] };
const pods = [web, api];
const cluster = podCluster(pods);

const nodeA = withWaysOut(podNode('a', pods));
const { links, routes, sysctls } = nodeA;

type Asked = Partial<Omit<TraceQuestion, 'network' | 'packet'>> & {
  readonly objects?: typeof cluster;
  readonly on?: NodeSnapshot;
  readonly settings?: NodeSettings;
};

function packetOf(text: string): TracedPacket {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.packet;
}

function outcomeOf(text: string, { objects = cluster, on = nodeA, settings = leaving, ...asked }: Asked = {}) {
  return traceByNode(objects, on, settings, { network: 'blue', packet: packetOf(text), ...asked });
}

function traced(text: string, asked?: Asked): Trace {
  const outcome = outcomeOf(text, asked);
  if (outcome?.traced !== true) throw new Error(outcome?.problem ?? 'not by the node');
  return outcome.trace;
}

const verdictText = (verdict: TraceVerdict) => {
  if (verdict.kind === 'dropped') return `dropped at ${verdict.where}: ${verdict.why}`;
  return verdict.kind === 'arrives' ? `arrives at ${verdict.at}` : `leaves by ${verdict.by}`;
};

const hopTexts = (hops: readonly Hop[]) => hops.map(({ where, change }) => `${where}: ${change}`);

const router = 'cluster_udn_blue_ovn_cluster_router';
const filter = 'nftables, inet ovn-uplinks-egress';
const out = 'icmp 10.20.0.5 > 198.18.0.1';

describe('a packet of a pod that leaves by the node', () => {
  it('goes by the management port to the device of the default route, and has the address of the node there', () => {
    const { hops, verdict, planned, from, assumptions } = traced('tcp 10.20.0.5:40000 > 198.18.0.1:443');
    expect(hopTexts(hops)).to.deep.equal([
      'br-int: from ovu-web to port demo.blue_demo_web of cluster_udn_blue_a',
      `cluster_udn_blue_a: to ${router}`,
      `${router}: default via 10.20.0.2; source becomes 169.254.0.12`,
      'cluster_udn_blue_a: to port k8s-cluster_udn_blue_a',
      'br-int: to ovn-k8s-mp1',
      'host, VRF blue: forwarded by eth0',
      `${filter}: accepted`,
      'eth0: leaves to 192.0.2.1; source becomes 192.0.2.11',
    ]);
    expect(hops.filter(({ decidedBy }) => decidedBy === undefined)).to.deep.equal([]);
    expect(hops[5]).to.deep.include({ why: 'rule 998: table main', decidedBy: 'default via 192.0.2.1 dev eth0' });
    expect(verdictText(verdict)).to.equal('leaves by eth0');
    expect({ planned, from, assumptions }).to.deep.equal({ planned: true, from: 'pod', assumptions: [] });
  });

  it('does the same in IPv6', () => {
    const { hops, verdict } = traced('icmp6 fd20::5 > 2001:db8:9::1');
    expect(hopTexts(hops).slice(2)).to.deep.equal([
      `${router}: default via fd20::2; source becomes fd69::c`,
      'cluster_udn_blue_a: to port k8s-cluster_udn_blue_a',
      'br-int: to ovn-k8s-mp1',
      'host, VRF blue: forwarded by eth0',
      `${filter}: accepted`,
      'eth0: leaves to 2001:db8:1::1; source becomes 2001:db8:1::11',
    ]);
    expect(verdictText(verdict)).to.equal('leaves by eth0');
  });

  const tunnels = node('c', { annotations: { [ENCAPSULATION_IPS_ANNOTATION]: '["192.0.2.12"]' } });
  const withNodeC = { ...cluster, nodes: [...cluster.nodes, tunnels] };
  const endings: readonly (readonly [what: string, text: string, asked: Asked, verdict: string])[] = [
    [
      'in the filter if pods of the default network have its destination',
      'icmp 10.20.0.5 > 10.244.3.4',
      {},
      `dropped at ${filter}, prerouting: denied destination: 10.244.0.0/16 (pods of the default network)`,
    ],
    [
      'in the filter if a node has its destination',
      'icmp 10.20.0.5 > 192.0.2.12',
      { objects: withNodeC },
      `dropped at ${filter}, prerouting: denied destination: 192.0.2.12 (addresses of nodes)`,
    ],
    [
      'in the filter if the node itself has its destination, even if its object does not say so',
      'icmp 10.20.0.5 > 198.51.100.11',
      {},
      `dropped at ${filter}, prerouting: destination on the node: 198.51.100.11 is local there`,
    ],
    [
      'in the filter if its route leads elsewhere than default routes',
      'icmp 10.20.0.5 > 203.0.113.1',
      {},
      `dropped at ${filter}, forward: leaves otherwise: eth1 is not among the devices that networks leave by (ways4: eth0); --egress-devices names others`,
    ],
    [
      'by another device that is named',
      'icmp 10.20.0.5 > 203.0.113.1',
      { settings: { ...leaving, egressDevices: ['eth1'] } },
      'leaves by eth1',
    ],
    [
      'by the device if its destination is allowed although denied',
      'icmp 10.20.0.5 > 10.244.3.4',
      { settings: { ...leaving, egressAllow: ['10.244.3.4/32'] } },
      'leaves by eth0',
    ],
    [
      'at the cluster router if it is for a link-local address',
      'icmp 10.20.0.5 > 169.254.169.254',
      { settings: { ...leaving, egressAllow: ['0.0.0.0/0'] } },
      `dropped at ${router}: policy 1005, ip4.dst == 169.254.0.0/16, drops it`,
    ],
    [
      'by the device if its link-local destination is allowed',
      'icmp 10.20.0.5 > 169.254.169.254',
      { settings: { ...leaving, egressAllow: ['169.254.169.254/32'] } },
      'leaves by eth0',
    ],
    [
      'in the filter if clouds tell a node its identity there',
      'icmp 10.20.0.5 > 168.63.129.16',
      {},
      `dropped at ${filter}, prerouting: denied destination: 168.63.129.16 (metadata of clouds)`,
    ],
    [
      'by the device if such a destination is allowed',
      'icmp 10.20.0.5 > 168.63.129.16',
      { settings: { ...leaving, egressAllow: ['168.63.129.16/32'] } },
      'leaves by eth0',
    ],
    [
      'at the cluster router if it is for a Service',
      'tcp 10.20.0.5:40000 > 10.96.0.1:443',
      {},
      `dropped at ${router}: policy 1005, ip4.dst == 10.96.0.0/16, drops it`,
    ],
    [
      'at the cluster router if that has its destination',
      'icmp 10.20.0.5 > 100.88.0.2',
      {},
      `arrives at the router ${router}`,
    ],
    [
      'at the cluster router if nobody is let out, with the reason',
      out,
      { settings: { ...leaving, clusterCidrs: [] } },
      `dropped at ${router}: it has no route to 198.18.0.1: pods do not leave by the node: no Node has spec.podCIDRs, so the pods of the default network cannot be denied; set --cluster-cidr to their subnets`,
    ],
    [
      'in the VRF if the main table has no route',
      out,
      { on: { ...nodeA, routes: routes.filter(({ destination }) => destination !== '0.0.0.0/0') } },
      'dropped at host, VRF blue: refused by rule 1000: VRF blue, without a usable route',
    ],
    [
      'at the host if the kernel forwards no IPv6',
      'icmp6 fd20::5 > 2001:db8:9::1',
      { on: { ...nodeA, sysctls: { ...sysctls, 'net.ipv6.conf.all.forwarding': '0' } } },
      'dropped at host, VRF blue: 2001:db8:9::1 is not an address of the host, which does not forward packets from ovn-k8s-mp1',
    ],
    [
      'at the pod if it is too long for that',
      out,
      { length: 1401 },
      'dropped at the pod: 1401 bytes exceed the MTU of 1400 bytes',
    ],
    [
      'at the device if it is too long for that',
      out,
      {
        length: 1400,
        on: { ...nodeA, links: links.map((link) => (link.name === 'eth0' ? { ...link, mtu: 1300 } : link)) },
      },
      'dropped at eth0: 1400 bytes exceed the MTU of 1300 bytes',
    ],
  ];
  for (const [what, text, asked, verdict] of endings) {
    it(`ends ${what}`, () => {
      expect(verdictText(traced(text, asked).verdict)).to.equal(verdict);
    });
  }

  it('is taken to be accepted by chains of other programs that drop what they do not accept', () => {
    const forwardDrops = [{ family: 'ip', table: 'filter', chain: 'FORWARD' }];
    expect(traced(out, { on: { ...nodeA, forwardDrops } }).assumptions).to.deep.equal([
      'a rule accepts it in chain FORWARD of table ip filter, which drops everything else',
    ]);
    const legacy = forwardDrops.map((chain) => ({ ...chain, isLegacy: true as const }));
    expect(traced(out, { on: { ...nodeA, forwardDrops: legacy } }).assumptions).to.deep.equal([
      'chain FORWARD of table ip filter of iptables-legacy, which cannot be read, accepts it',
    ]);
  });

  it('gets no answer where the device that it leaves by does not forward', () => {
    const on = { ...nodeA, sysctls: { ...sysctls, 'net.ipv4.conf.eth0.forwarding': '0' } };
    expect(traced(out, { on }).hops.at(-1)?.why).to.equal(
      'address of the node, by masquerading; answers to it are not forwarded: net.ipv4.conf.eth0.forwarding is 0',
    );
  });

  it('for an address of the network that no node has ends at the cluster router', () => {
    const question = { network: 'blue', packet: packetOf('icmp 10.20.0.5 > 10.20.9.6') };
    const outcome = tracePods(cluster, { from: nodeA, others: [] }, leaving, question);
    expect(outcome?.traced === true && verdictText(outcome.trace.verdict)).to.equal(
      `dropped at ${router}: policy 1006, outport == "rtos-cluster_udn_blue_a" && ip4.dst == 10.20.0.0/16 && ip4.dst != 10.20.0.0/24, drops it: no node has a subnet with this address`,
    );
  });

  const leaves = 'network blue leaves by its nodes';
  const unfollowed: readonly (readonly [what: string, text: string, asked: Asked, problem: string])[] = [
    [
      'comes from outside',
      'icmp 198.18.0.1 > 10.20.0.5',
      {},
      `${leaves}: only packets that its pods send are followed there, not their answers; 198.18.0.1 is an address of no node: expected one of a pod on a, in 10.20.0.0/24, fd20::/64`,
    ],
    [
      'comes from the host',
      out,
      { from: 'host' },
      `${leaves}: only packets that its pods send are followed there, not their answers`,
    ],
    [
      'is a reply',
      out,
      { isReply: true },
      `${leaves}: nothing outside connects to its pods, which have nothing to answer`,
    ],
    [
      'is for several receivers',
      'icmp 10.20.0.5 > 224.0.0.1',
      {},
      '224.0.0.1: expected the address of one host, not an unspecified, multicast, broadcast or link-local one',
    ],
  ];
  for (const [what, text, asked, problem] of unfollowed) {
    it(`is not followed if it ${what}`, () => {
      expect(outcomeOf(text, asked)).to.deep.equal({ traced: false, problem });
    });
  }

  it('is said to be none where the network does not leave by the node', () => {
    expect(outcomeOf(out, { settings: { ...leaving, egress: 'none' } })).to.equal(undefined);
  });
});

describe('a node that lacks a part of the way out', () => {
  const side = nodeSide(cluster, nodeA, leaving, 'cluster_udn_blue');
  const addresses = { source: '10.20.0.5', destination: '198.18.0.1' };
  const without = (isGone: (row: NodeSide['rows'][number]) => boolean): NodeSide => ({
    ...side,
    rows: side.rows.filter((row) => !isGone(row)),
  });
  const atHost = { packet: packetOf('icmp 169.254.0.12 > 198.18.0.1'), device: 'ovn-k8s-mp1' };
  const none = () => undefined;

  for (const table of ['NAT', 'Gateway_Chassis'] as const) {
    it(`does not translate in OVN without ${table}, and the kernel has no route for addresses of pods`, () => {
      const sent = outOfNetwork(
        without((row) => row.table === table),
        addresses,
      );
      expect(hopTexts(sent.hops)[2]).to.equal(`${router}: default via 10.20.0.2; keeps its source`);
      const { end } = byHost(side.after, { ...atHost, packet: packetOf(out) }, none);
      expect(verdictText(end)).to.equal(
        'dropped at host, VRF blue: refused by rule 1000: VRF blue, without a usable route',
      );
    });
  }

  const endOf = (changed: NodeSide) => {
    const { end } = outOfNetwork(changed, addresses);
    return end && verdictText(end);
  };

  it('has no way out by a port that is on another chassis', () => {
    const rows = side.rows.map((row) =>
      row.table === 'Gateway_Chassis' ? { ...row, columns: { chassis_name: 'other', priority: 1 } } : row,
    );
    expect(endOf({ ...side, rows })).to.equal(
      `dropped at ${router}: port rtos-cluster_udn_blue_a is on chassis other, and a is chassis-a`,
    );
  });

  it('has no way out without the management port', () => {
    expect(endOf(without(({ name }) => name === 'k8s-cluster_udn_blue_a'))).to.equal(
      'dropped at cluster_udn_blue_a: no port has 10.20.0.2',
    );
    expect(endOf({ ...side, after: { ...side.after, bridges: nodeA.bridges } })).to.equal(
      'dropped at br-int: no interface has iface-id k8s-cluster_udn_blue_a',
    );
    expect(verdictText(byHost(nodeA, atHost, none).end)).to.equal('dropped at host: it has no ovn-k8s-mp1');
  });

  it('lets packets pass without the filter, with the address of the network', () => {
    const { hops, end } = byHost({ ...side.after, filterTables: [] }, atHost, none);
    expect(hopTexts(hops)).to.deep.equal([
      'nftables: continues, not filtered',
      'host, VRF blue: forwarded by eth0',
      'eth0: leaves to 192.0.2.1; keeps its source 169.254.0.12',
    ]);
    expect(verdictText(end)).to.equal('leaves by eth0');
  });

  it('drops packets that the filter does not have as those of the network', () => {
    const [table] = side.after.filterTables;
    const endWith = (sets: Readonly<Record<string, readonly string[]>>) => {
      const filterTables = [{ ...table!, sets: { ...table!.sets, ...sets } }];
      return verdictText(byHost({ ...side.after, filterTables }, atHost, none).end);
    };
    expect(endWith({ owners4: ['ovn-k8s-mp2 . 169.254.0.12'] })).to.equal(
      `dropped at ${filter}, prerouting: source of another network: owners4 does not have ovn-k8s-mp1 . 169.254.0.12`,
    );
    expect(endWith({ sources4: [] })).to.equal(
      `dropped at ${filter}, forward: leaves otherwise: sources4 does not have 169.254.0.12`,
    );
  });

  it('has a filter with other chains or sets, of which that is assumed', () => {
    const filterTables = side.after.filterTables.map((table) => ({ ...table, isIntact: false }));
    expect(byHost({ ...side.after, filterTables }, atHost, none).assumptions).to.deep.equal([
      `${filter} decides as ovn-uplinks makes it, although it is changed`,
    ]);
  });
});
