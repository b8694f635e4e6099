import { expect } from 'chai';
import { capturedSituation } from '../../../cmd/captured-situation.ts';
import type { Situation } from '../../../cmd/run-in-process.ts';
import { onNode, type Options, traced, withGateways } from './traced.ts';

/** A packet, and the hops that are expected: some of them, in order; each a place, then what is changed there. */
interface Case {
  readonly title: string;
  readonly network: string;
  readonly packet: string;
  readonly options?: Options;
  readonly hops: readonly string[];
  readonly end: string;
}

/** Without advertisements both networks are in the default routing domain, and their pods are translated. */
const inDefaultDomain = ({ cluster, nodes }: Situation): Situation =>
  withGateways({ cluster: { ...cluster, routeAdvertisements: [] }, nodes });

const cases: readonly Case[] = [
  {
    title: "a pod's packet leaves from the uplink's address, in its VLAN",
    network: 'red',
    packet: 'tcp 10.30.1.5:40000 > 172.20.0.9:443',
    hops: [
      'cluster_udn_red_worker-a: to the cluster router',
      'cluster_udn_red_ovn_cluster_router: from 10.30.1.0/24 via 100.65.0.2',
      'GR_cluster_udn_red_worker-a: default via 203.0.113.1, 203.0.113.2 (here 203.0.113.1); source becomes 169.254.0.13',
      'br-red, classify 100: source becomes 203.0.113.6, connection marked 5',
      'br-red, nextHop 100: to MAC address 02:00:00:00:00:e1, to eth2',
      'eth2: leaves with VLAN 100 as tcp 203.0.113.6:40000 > 172.20.0.9:443 to 203.0.113.1',
    ],
    end: 'leaves eth2',
  },
  {
    title: "an advertised pod's packet leaves from its own address",
    network: 'blue',
    packet: 'udp 10.20.1.5:40000 > 172.20.0.9:53',
    hops: [
      'GR_cluster_udn_blue_worker-a: default via 192.0.2.1; keeps its source',
      'br-blue, classify 104: continues',
      'eth1: leaves untagged as udp 10.20.1.5:40000 > 172.20.0.9:53 to 192.0.2.1',
    ],
    end: 'leaves eth1',
  },
  {
    title: "an advertised pod's packet to a node of the cluster leaves from the uplink's address",
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 198.51.100.11:443',
    hops: [
      'GR_cluster_udn_blue_worker-a: default via 192.0.2.1; source becomes 169.254.0.11',
      'br-blue, classify 100: source becomes 192.0.2.6, connection marked 4',
      'eth1: leaves untagged as tcp 192.0.2.6:40000 > 198.51.100.11:443 to 192.0.2.1',
    ],
    end: 'leaves eth1',
  },
  {
    title: 'an advertised pod answers a node of the cluster from its own address',
    network: 'blue',
    packet: 'tcp 10.20.1.5:8080 > 198.51.100.11:50000',
    options: { isReply: true },
    hops: [
      'GR_cluster_udn_blue_worker-a: default via 192.0.2.1; keeps its source',
      'br-blue, classify 104: continues',
      'eth1: leaves untagged as tcp 10.20.1.5:8080 > 198.51.100.11:50000 to 192.0.2.1',
    ],
    end: 'leaves eth1',
  },
  {
    title: 'IPv6 goes the same way',
    network: 'blue',
    packet: 'icmp6 fd20:0:0:1::5 > 2001:db8:ff::1',
    options: { but: inDefaultDomain },
    hops: [
      'GR_cluster_udn_blue_worker-a: default via 2001:db8:b::1; source becomes fd69::b',
      'br-blue, classify 100: source becomes 2001:db8:b::6, connection marked 4',
      'br-blue, nextHop 100: to MAC address 02:00:00:00:00:b6, to eth1',
    ],
    end: 'leaves eth1',
  },
  {
    title: "egress IP traffic of an advertised pod leaves from the uplink's address",
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 172.20.0.9:443',
    options: { mark: 0x3f0 },
    hops: ['br-blue, classify 105: source becomes 192.0.2.6, connection marked 4'],
    end: 'leaves eth1',
  },
  {
    title: 'a reply to a pod comes back by its connection',
    network: 'red',
    packet: 'tcp 172.20.0.9:443 > 10.30.1.5:40000',
    options: { isReply: true },
    hops: [
      'eth2: arrives with VLAN 100 as tcp 172.20.0.9:443 > 203.0.113.6:40000 by 203.0.113.1',
      'br-red, classify 50: destination becomes 169.254.0.13, connection marked 5 is established, reply direction',
      'br-red, connections 100: to patch-br-red_cluster_udn_red_worker-a-to-br-int',
      'GR_cluster_udn_red_worker-a: destination becomes 10.30.1.5; 10.30.0.0/16 via 100.65.0.1',
      'cluster_udn_red_worker-a: to the pod with 10.30.1.5',
    ],
    end: 'arrives the pod with 10.30.1.5',
  },
  {
    title: 'an echo reply too',
    network: 'blue',
    packet: 'icmp 172.20.0.9 > 10.20.1.5',
    options: { isReply: true, but: inDefaultDomain },
    hops: ['br-blue, connections 100: to patch-br-blue_cluster_udn_blue_worker-a-to-br-int'],
    end: 'arrives the pod with 10.20.1.5',
  },
  {
    title: 'a reply to a pod is known by its source even where the host has that address',
    network: 'red',
    packet: 'tcp 198.51.100.10:443 > 10.30.1.5:40000',
    options: { isReply: true },
    hops: ['eth2: arrives with VLAN 100 as tcp 198.51.100.10:443 > 203.0.113.6:40000 by 203.0.113.1'],
    end: 'arrives the pod with 10.30.1.5',
  },
  {
    title: 'a new connection from outside does not reach a pod that is not advertised',
    network: 'red',
    packet: 'tcp 172.20.0.9:443 > 203.0.113.6:40000',
    hops: ['br-red, classify 50: connection is new', 'br-red, connections 10: tag removed, to red0', 'host: delivered'],
    end: 'arrives the host',
  },
  {
    title: 'an advertised pod is reached by its own address',
    network: 'blue',
    packet: 'tcp 172.20.0.9:40000 > 10.20.1.5:8080',
    hops: [
      'br-blue, classify 300: to patch-br-blue_cluster_udn_blue_worker-a-to-br-int',
      'GR_cluster_udn_blue_worker-a: 10.20.0.0/16 via 100.65.0.1',
    ],
    end: 'arrives the pod with 10.20.1.5',
  },
  {
    title: 'its reply leaves without translation',
    network: 'blue',
    packet: 'tcp 10.20.1.5:8080 > 172.20.0.9:40000',
    options: { isReply: true },
    hops: ['br-blue, classify 104: continues'],
    end: 'leaves eth1',
  },
  {
    title: "a neighbour on the uplink's link is asked for first",
    network: 'red',
    packet: 'udp 10.30.1.5:40000 > 203.0.113.9:53',
    hops: [
      'br-red, classify 12: 203.0.113.9 is asked for on eth2',
      'br-red, classify 12: 203.0.113.9 answers; OVN learns 0a:5a:cb:00:71:09',
      'br-red, classify 100: source becomes 203.0.113.6, connection marked 5',
      'br-red, nextHop 90: to MAC address 00:00:5e:00:53:01, to eth2',
    ],
    end: 'leaves eth2',
  },
  {
    title: 'an IPv6 neighbour is solicited',
    network: 'blue',
    packet: 'icmp6 fd20:0:0:1::5 > 2001:db8:b::9',
    hops: [
      'br-blue, classify 119: 2001:db8:b::9 is asked for on eth1',
      'br-blue, classify 118: 2001:db8:b::9 answers; OVN learns 00:00:5e:00:53:01',
    ],
    end: 'leaves eth1',
  },
  {
    title: "the node's own address is reached without leaving the node",
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 192.0.2.6:22',
    hops: ['cluster_udn_blue_ovn_cluster_router: to 10.20.1.2, the host'],
    end: 'arrives the host by ovn-k8s-mp1',
  },
  {
    title: 'packets to masquerade addresses do not leave',
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 169.254.0.2:22',
    hops: ['GR_cluster_udn_blue_worker-a: 169.254.0.0/17 is connected; keeps its source'],
    end: 'dropped br-blue, nextHop 150: packets to masquerade addresses, which are inside the node, must not leave it',
  },
  {
    title: 'a masquerade address of the host is not reached from the wire',
    network: 'red',
    packet: 'tcp 203.0.113.9:40000 > 169.254.0.2:22',
    options: { from: 'wire' },
    hops: [],
    end: 'dropped br-red, classify 700: masquerade addresses are reached on the node only',
  },
  {
    title: 'a pod of the same node is behind the same switch',
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 10.20.1.6:80',
    hops: ['cluster_udn_blue_worker-a: to the pod with 10.20.1.6'],
    end: 'arrives the pod with 10.20.1.6',
  },
  {
    title: 'a pod of another node is behind a tunnel',
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 10.20.2.6:80',
    hops: ['cluster_udn_blue_ovn_cluster_router: to the node that has the pod'],
    end: 'leaves the tunnel to the node that has the pod',
  },
  {
    title: "the host's own packet leaves by the VRF that its address is in",
    network: 'blue',
    packet: 'tcp 192.0.2.6:40000 > 172.20.0.9:443',
    hops: [
      'host, VRF blue: default via 192.0.2.1 dev br-blue metric 100',
      'br-blue, classify 100: connection marked 2, to eth1',
    ],
    end: 'leaves eth1',
  },
  {
    title: 'the reply to the host comes back to it',
    network: 'blue',
    packet: 'tcp 172.20.0.9:443 > 192.0.2.6:40000',
    options: { isReply: true },
    hops: [
      'br-blue, classify 50: connection marked 2 is established, reply direction',
      'br-blue, connections 10: to br-blue',
      'host, VRF blue: delivered',
    ],
    end: 'arrives the host in VRF blue',
  },
  {
    title: "in the default routing domain the host's packets leave by the main table",
    network: 'red',
    packet: 'tcp 203.0.113.6:40000 > 172.20.0.9:443',
    hops: ['host: default via 198.51.100.1 dev br-ex metric 48', 'br-ex: leaves, not followed further'],
    end: 'leaves br-ex',
  },
  {
    title: 'and by the uplink with the mark of the network',
    network: 'red',
    packet: 'tcp 203.0.113.6:40000 > 172.20.0.9:443',
    options: { mark: 0x1002 },
    hops: [
      'host: default nexthop via 203.0.113.1 dev red0 nexthop via 203.0.113.2 dev red0 (here 203.0.113.1)',
      'br-red, classify 100: tagged with VLAN 100, connection marked 2, to eth2',
    ],
    end: 'leaves eth2',
  },
  {
    title: 'the host reaches pods by the management port',
    network: 'blue',
    packet: 'tcp 10.20.1.2:40000 > 10.20.1.5:80',
    hops: ['host: 10.20.1.0/24 dev ovn-k8s-mp1 src 10.20.1.2'],
    end: 'arrives the pod with 10.20.1.5',
  },
  {
    title: 'a pod of the default routing domain reaches the address of another uplink in it by the management port',
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 203.0.113.6:22',
    options: { but: inDefaultDomain },
    hops: [],
    end: 'arrives the host by ovn-k8s-mp1',
  },
  {
    title: "a pod in a VRF reaches the address of another tenant's uplink outside, where it may be somebody else's",
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 203.0.113.6:22',
    hops: ['GR_cluster_udn_blue_worker-a: default via 192.0.2.1; keeps its source'],
    end: 'leaves eth1',
  },
  {
    title:
      "a pod of the default routing domain reaches the address of an uplink in a VRF outside, where it may be somebody else's",
    network: 'red',
    packet: 'tcp 10.30.1.5:40000 > 192.0.2.6:22',
    hops: [],
    end: 'leaves eth2',
  },
  {
    title: 'the host reaches itself',
    network: 'blue',
    packet: 'tcp 192.0.2.6:40000 > 192.0.2.66:80',
    hops: ['host, VRF blue: delivered on the host itself'],
    end: 'arrives the host itself',
  },
  {
    title: 'without a default gateway nothing leaves',
    network: 'blue',
    packet: 'tcp 10.20.1.5:40000 > 172.20.0.9:443',
    options: {
      but: onNode((node) => ({
        ...node,
        routes: node.routes.filter(
          ({ destination, nextHops }) => destination !== '0.0.0.0/0' || nextHops[0]?.device !== 'br-blue',
        ),
      })),
    },
    hops: [],
    end: 'dropped GR_cluster_udn_blue_worker-a: it has no route: the uplink has no default gateway of this address family',
  },
  {
    title: 'and the host has but the fallback',
    network: 'blue',
    packet: 'tcp 192.0.2.6:40000 > 172.20.0.9:443',
    options: {
      but: onNode((node) => ({
        ...node,
        routes: node.routes.filter(
          ({ destination, nextHops }) => destination !== '0.0.0.0/0' || nextHops[0]?.device !== 'br-blue',
        ),
      })),
    },
    hops: [],
    end: 'dropped host, VRF blue: refused by rule 1000: VRF blue, without a usable route',
  },
  {
    title: 'a packet longer than the MTU of the pods does not begin',
    network: 'red',
    packet: 'udp 10.30.1.5:1 > 172.20.0.9:2',
    options: { length: 8901 },
    hops: [],
    end: 'dropped the pod: 8901 bytes exceed the MTU of 8900 bytes',
  },
  {
    title: 'a packet longer than the MTU of the physical port does not leave',
    network: 'red',
    packet: 'udp 203.0.113.6:1 > 203.0.113.9:2',
    options: {
      length: 8960,
      but: onNode((node) => ({
        ...node,
        links: node.links.map((link) => (link.name === 'eth2' ? { ...link, mtu: 8950 } : link)),
      })),
    },
    hops: ['br-red, classify 100: tagged with VLAN 100, connection marked 2, to eth2'],
    end: 'dropped eth2: 8960 bytes exceed the MTU of 8950 bytes',
  },
  {
    title: 'a reply that is longer than the MTU of pods is dropped, and the sender is told',
    network: 'red',
    packet: 'udp 172.20.0.9:53 > 10.30.1.5:40000',
    options: { isReply: true, length: 8901 },
    hops: ['GR_cluster_udn_red_worker-a: destination becomes 10.30.1.5; 10.30.0.0/16 via 100.65.0.1'],
    end: 'dropped GR_cluster_udn_red_worker-a: 8901 bytes exceed the MTU of pods, 8900 bytes; the sender gets an ICMP error',
  },
  {
    title: 'nor one longer than the MTU of the device',
    network: 'red',
    packet: 'udp 203.0.113.6:1 > 203.0.113.9:2',
    options: { length: 9001 },
    hops: ['host: 203.0.113.0/26 dev red0 src 203.0.113.6'],
    end: 'dropped red0: 9001 bytes exceed the MTU of 9000 bytes',
  },
  {
    title: "a forged source of another network's pod is the wire's",
    network: 'red',
    packet: 'tcp 10.30.1.5:40000 > 203.0.113.6:22',
    options: { from: 'wire' },
    hops: ['br-red, connections 10: tag removed, to red0'],
    end: 'arrives the host',
  },
  {
    title: 'a reply to a connection that could not begin is dropped where that was',
    network: 'blue',
    packet: 'tcp 172.20.0.9:443 > 10.20.1.5:40000',
    options: {
      isReply: true,
      but: onNode((node) => ({
        ...node,
        routes: node.routes.filter(({ destination }) => destination !== '0.0.0.0/0'),
      })),
    },
    hops: [],
    end: "dropped GR_cluster_udn_blue_worker-a: the connection's first packet, tcp 10.20.1.5:40000 > 172.20.0.9:443, is dropped there: it has no route: the uplink has no default gateway of this address family",
  },
];

describe('trace', () => {
  let situation: Situation;
  before(async () => {
    situation = await capturedSituation();
  });

  for (const { title, network, packet, options, hops, end } of cases) {
    it(`${title}: ${packet}`, () => {
      const outcome = traced(situation, network, packet, options);
      if (!outcome.traced) throw new Error(outcome.problem);
      const { verdict } = outcome.trace;
      const found = outcome.trace.hops.map(({ where, change }) => `${where}: ${change}`);
      expect(found.filter((hop) => hops.includes(hop))).to.deep.equal(hops, found.join('\n'));
      const ends = {
        arrives: () => (verdict.kind === 'arrives' ? verdict.at : ''),
        leaves: () => (verdict.kind === 'leaves' ? verdict.by : ''),
        dropped: () => (verdict.kind === 'dropped' ? `${verdict.where}: ${verdict.why}` : ''),
      };
      expect(`${verdict.kind} ${ends[verdict.kind]()}`).to.equal(end);
    });
  }

  it('assumes that a gateway answers that the kernel has not resolved, and reports that', () => {
    const outcome = traced(situation, 'red', 'tcp 10.30.1.5:40000 > 172.20.0.9:443', { but: () => situation });
    expect(outcome.traced && outcome.trace.assumptions).to.deep.equal([
      'red0 has resolved 203.0.113.1; until then, packets to this gateway are dropped',
    ]);
    expect(outcome.traced && outcome.trace.verdict).to.deep.equal({ kind: 'leaves', by: 'eth2' });
  });

  it('assumes nothing that is known', () => {
    const outcome = traced(situation, 'red', 'tcp 10.30.1.5:40000 > 172.20.0.9:443');
    expect(outcome.traced && outcome.trace.assumptions).to.deep.equal([]);
  });
});
