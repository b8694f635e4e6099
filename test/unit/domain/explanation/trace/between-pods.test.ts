import { expect } from 'chai';
import { CHASSIS_ID_ANNOTATION, NODE_REPORT_ANNOTATION } from '../../../../../src/domain/basics/conventions.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../../src/domain/index.ts';
import { fromPod, fromTunnel } from '../../../../../src/domain/explanation/trace/between-pods.ts';
import type { Trace, TraceVerdict } from '../../../../../src/domain/explanation/trace/hop.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { tracePods } from '../../../../../src/domain/explanation/trace/trace-pods.ts';
import { type NodeSide, nodeSide } from '../../../../../src/domain/explanation/trace/node-side.ts';
import { api, near, podCluster, podNode, provided, web } from './pod-situation.ts';
import { isPartOf } from '../../../../../src/domain/datapath/northbound/row.ts';

const pods = [web, near, api];
const usual = podCluster(pods);
const nodeA = podNode('a', pods);
const nodeB = podNode('b', pods);

interface Asked {
  readonly cluster?: ClusterSnapshot;
  readonly from?: NodeSnapshot;
  readonly others?: readonly NodeSnapshot[];
  readonly length?: number;
}

function outcomeOf(text: string, { cluster = usual, from = nodeA, others = [nodeB], length }: Asked = {}) {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const question = { network: 'blue', packet: reading.packet, ...(length !== undefined && { length }) };
  return tracePods(cluster, { from, others }, provided, question);
}

function traced(text: string, asked?: Asked): Trace {
  const outcome = outcomeOf(text, asked);
  if (outcome?.traced !== true) throw new Error(outcome?.problem ?? 'not between pods');
  return outcome.trace;
}

const verdictText = (verdict: TraceVerdict) => {
  if (verdict.kind === 'dropped') return `dropped at ${verdict.where}: ${verdict.why}`;
  return verdict.kind === 'arrives' ? `arrives at ${verdict.at}` : `leaves by ${verdict.by}`;
};

describe('a packet between pods', () => {
  it('goes by both nodes, each hop with what decided', () => {
    const { hops, verdict, planned } = traced('tcp 10.20.0.5:40000 > 10.20.1.6:8080');
    expect(hops.map(({ node, where, change }) => `${node ?? 'a'} ${where}: ${change}`)).to.deep.equal([
      'a br-int: from ovu-web to port demo.blue_demo_web of cluster_udn_blue_a',
      'a cluster_udn_blue_a: to cluster_udn_blue_ovn_cluster_router',
      'a cluster_udn_blue_ovn_cluster_router: 10.20.1.0/24 via 100.88.0.3',
      'a cluster_udn_blue_transit_switch: to port cluster_udn_blue_tstor-b',
      'a Geneve tunnel: to chassis chassis-b at 172.30.0.3, with tunnel key 16711684 and port key 3',
      'b cluster_udn_blue_transit_switch: to port cluster_udn_blue_tstor-b',
      'b cluster_udn_blue_ovn_cluster_router: to cluster_udn_blue_b',
      'b cluster_udn_blue_b: to port demo.blue_demo_api',
      'b br-int: to ovu-api',
    ]);
    expect(verdictText(verdict)).to.equal('arrives at the pod with 10.20.1.6 on b');
    expect(planned).to.equal(true);
    expect(hops.filter(({ decidedBy }) => decidedBy === undefined)).to.deep.equal([]);
  });

  it('goes the same way in IPv6', () => {
    const { hops, verdict } = traced('icmp6 fd20::5 > fd20:0:0:1::6');
    expect(hops).to.have.lengthOf(9);
    expect(verdictText(verdict)).to.equal('arrives at the pod with fd20:0:0:1::6 on b');
  });

  it('stays on the switch of a node where both pods are on it', () => {
    const { hops, verdict } = traced('icmp 10.20.0.5 > 10.20.0.7');
    expect(hops.map(({ where }) => where)).to.deep.equal(['br-int', 'cluster_udn_blue_a', 'br-int']);
    expect(verdictText(verdict)).to.equal('arrives at the pod with 10.20.0.7 on a');
  });

  it('goes back the way that it came', () => {
    const { hops, verdict } = traced('tcp 10.20.1.6:8080 > 10.20.0.5:40000', { from: nodeB, others: [nodeA] });
    expect(hops).to.have.lengthOf(9);
    expect(verdictText(verdict)).to.equal('arrives at the pod with 10.20.0.5 on a');
  });

  const toApi = 'icmp 10.20.0.5 > 10.20.1.6';
  const endings: readonly (readonly [what: string, text: string, asked: Asked, verdict: string])[] = [
    [
      'at the tunnel if the other node was not captured',
      toApi,
      { others: [] },
      'leaves by the tunnel to b, of which there is no capture',
    ],
    [
      'at the cluster router if the other node does not report',
      toApi,
      { cluster: podCluster(pods, { [NODE_REPORT_ANNOTATION]: '' }) },
      'dropped at cluster_udn_blue_ovn_cluster_router: it has no route to 10.20.1.6: b has not reported which ids it uses, so it is not reached',
    ],
    [
      'at the cluster router if the other node has published no chassis',
      toApi,
      { cluster: podCluster(pods, { [CHASSIS_ID_ANNOTATION]: '' }) },
      'dropped at cluster_udn_blue_ovn_cluster_router: it has no route to 10.20.1.6: b has not published its chassis (annotation k8s.ovn.org/node-chassis-id)',
    ],
    [
      'at the cluster router if the other node has the same chassis',
      toApi,
      { cluster: podCluster(pods, { [CHASSIS_ID_ANNOTATION]: 'chassis-a' }) },
      'dropped at cluster_udn_blue_ovn_cluster_router: it has no route to 10.20.1.6: b has published the same chassis as a, so it is not reached',
    ],
    [
      'at the cluster router if no node has the address',
      'icmp 10.20.0.5 > 10.20.9.6',
      {},
      'dropped at cluster_udn_blue_ovn_cluster_router: it has no route to 10.20.9.6: no node has a subnet with this address',
    ],
    [
      'on the switch of the other node if no pod there has the address',
      'icmp 10.20.0.5 > 10.20.1.66',
      {},
      'dropped at cluster_udn_blue_b: no port has 10.20.1.66: no pod of the node has this address',
    ],
    [
      'on its switch if its own address is that of no pod',
      'icmp 10.20.0.99 > 10.20.1.6',
      {},
      'dropped at cluster_udn_blue_a: no port has 10.20.0.99, and others may not send from this address',
    ],
    [
      'in the tunnel if the other node has got another chassis since',
      toApi,
      { others: [{ ...nodeB, switchExternalIds: { ...nodeB.switchExternalIds, 'system-id': 'new' } }] },
      'dropped at Geneve tunnel: it leads to chassis chassis-b, and b is new',
    ],
    [
      'in the tunnel if the other node ends its tunnels elsewhere',
      toApi,
      { others: [{ ...nodeB, switchExternalIds: { ...nodeB.switchExternalIds, 'ovn-encap-ip': '172.30.0.9' } }] },
      'dropped at Geneve tunnel: it leads to 172.30.0.3, and tunnels of b end at 172.30.0.9',
    ],
    [
      'at the integration bridge if the other pod is not attached',
      toApi,
      { others: [{ ...nodeB, bridges: nodeB.bridges.map((bridge) => ({ ...bridge, ports: [] })) }] },
      'dropped at br-int: no interface has iface-id demo.blue_demo_api: the pod is not attached, or has gone',
    ],
    [
      'at the pod if it is too long',
      toApi,
      { length: 9000 },
      'dropped at the pod: 9000 bytes exceed the MTU of 1400 bytes',
    ],
    [
      'at the router if that is its destination',
      'icmp 10.20.0.5 > 10.20.0.1',
      {},
      'arrives at the router cluster_udn_blue_ovn_cluster_router',
    ],
    [
      'at the host of the other node by its management port',
      'icmp 10.20.0.5 > 10.20.1.2',
      {},
      'arrives at the host of b',
    ],
  ];
  for (const [what, text, asked, verdict] of endings) {
    it(`ends ${what}`, () => {
      expect(verdictText(traced(text, asked).verdict)).to.equal(verdict);
    });
  }

  it('names what keeps the network from being programmed on a node', () => {
    const [claims, ...reports] = usual.configMaps;
    const configMaps = [{ ...claims!, data: { 'node-2': 'a uid-a', 'node-3': 'b uid-b' } }, ...reports];
    const { verdict } = traced(toApi, { cluster: { ...usual, configMaps } });
    expect(verdictText(verdict)).to.equal(
      'dropped at cluster_udn_blue_a: there is no such switch: the network is not on the node; no id is claimed for the network yet; the cluster manager claims it',
    );
  });

  it('is said to be none if an end is outside, or if another implementation provides the network', () => {
    expect(outcomeOf('icmp 10.20.0.5 > 192.0.2.1')).to.equal(undefined);
    expect(outcomeOf('icmp 192.0.2.1 > 10.20.0.5')).to.equal(undefined);
    const reading = parsePacket(toApi);
    if ('problem' in reading) throw new Error(reading.problem);
    const question = { network: 'blue', packet: reading.packet };
    const settings = { ...provided, providedNetworks: 'none' } as const;
    expect(tracePods(usual, { from: nodeA, others: [] }, settings, question)).to.equal(undefined);
  });

  it('is not followed from a node where its source is not', () => {
    expect(outcomeOf('icmp 10.20.1.6 > 10.20.0.5')).to.deep.equal({
      traced: false,
      problem: '10.20.1.6 is an address of b: expected one of a pod on a, in 10.20.0.0/24, fd20::/64',
    });
  });
});

describe('a zone that lacks something', () => {
  const sideOf = (node: NodeSnapshot) => nodeSide(usual, node, provided, 'cluster_udn_blue');
  const sides = () => [sideOf(nodeA), sideOf(nodeB)] as const;
  const without = (side: NodeSide, name: string): NodeSide => ({
    ...side,
    rows: side.rows.filter((row) => row.name !== name && !isPartOf(row, name)),
  });
  const addresses = { source: '10.20.0.5', destination: '10.20.1.6' };
  const tunnelOf = (side: NodeSide) => {
    const sent = fromPod(side, addresses, () => 'unreached');
    if (!('tunnel' in sent)) throw new Error('no tunnel');
    return sent.tunnel;
  };

  const prefix = 'cluster_udn_blue_';
  const sending: readonly (readonly [what: string, change: (side: NodeSide) => NodeSide, verdict: string])[] = [
    [
      'its switch',
      (side) => without(side, `${prefix}a`),
      `dropped at ${prefix}a: there is no such switch: the network is not on the node`,
    ],
    [
      'the port of its switch to the router',
      (side) => without(side, `stor-${prefix}a`),
      `dropped at ${prefix}a: it is not connected to ${prefix}ovn_cluster_router by stor-${prefix}a and rtos-${prefix}a`,
    ],
    [
      'the port of its router to the switch',
      (side) => without(side, `rtos-${prefix}a`),
      `dropped at ${prefix}a: it is not connected to ${prefix}ovn_cluster_router by stor-${prefix}a and rtos-${prefix}a`,
    ],
    [
      'routes',
      (side) => ({ ...side, rows: side.rows.filter(({ table }) => table !== 'Logical_Router_Static_Route') }),
      `dropped at ${prefix}ovn_cluster_router: it has no route to 10.20.1.6: unreached`,
    ],
    [
      'the port of the other node',
      (side) => without(side, `${prefix}tstor-b`),
      `dropped at ${prefix}transit_switch: no port has 100.88.0.3`,
    ],
    [
      'the binding of that port',
      (side) => ({ ...side, after: { ...side.after, remotePorts: [] } }),
      `dropped at ${prefix}transit_switch: port ${prefix}tstor-b is not bound to chassis chassis-b in the Southbound database`,
    ],
    [
      'the chassis of the other node',
      (side) => ({ ...side, after: { ...side.after, chassis: [] } }),
      `dropped at ${prefix}transit_switch: the Southbound database has no chassis chassis-b`,
    ],
    [
      'a mark that the chassis is remote',
      (side) => ({
        ...side,
        after: { ...side.after, chassis: side.after.chassis.map((each) => ({ ...each, isRemote: false })) },
      }),
      `dropped at ${prefix}transit_switch: chassis chassis-b is not marked as remote, so there is no tunnel to it`,
    ],
    [
      'the interface of the pod',
      (side) => ({ ...side, after: { ...side.after, bridges: [] } }),
      'dropped at br-int: no interface has iface-id demo.blue_demo_web: the pod is not attached',
    ],
  ];
  for (const [what, change, verdict] of sending) {
    it(`drops a packet of a pod: ${what}`, () => {
      const sent = fromPod(change(sides()[0]), addresses, () => 'unreached');
      expect('end' in sent && verdictText(sent.end)).to.equal(verdict);
    });
  }

  it('uses a route by the source only where none is for the destination: the packet would leave the network', () => {
    const route = {
      table: 'Logical_Router_Static_Route',
      name: 'out',
      parents: [{ table: 'Logical_Router', name: `${prefix}ovn_cluster_router`, column: 'static_routes' }],
      columns: { ip_prefix: '10.20.0.0/24', nexthop: '100.65.0.2', policy: 'src-ip' },
    } as const;
    const [side] = sides();
    expect(tunnelOf({ ...side, rows: [route, ...side.rows] }).chassis).to.equal('chassis-b');
    const others = side.rows.filter(({ table }) => table !== 'Logical_Router_Static_Route');
    const sent = fromPod({ ...side, rows: [route, ...others] }, addresses, () => 'unreached');
    expect('end' in sent && verdictText(sent.end)).to.equal(
      `dropped at ${prefix}ovn_cluster_router: it has no route to 10.20.1.6 other than out of the network: unreached`,
    );
  });

  const receiving: readonly (readonly [what: string, change: (side: NodeSide) => NodeSide, verdict: string])[] = [
    [
      'its transit switch',
      (side) => without(side, `${prefix}transit_switch`),
      'dropped at Geneve tunnel: no switch of b has tunnel key 16711684',
    ],
    [
      'its transit switch, whose key another network has',
      (side) => ({
        ...side,
        rows: side.rows.map((row) =>
          row.name === `${prefix}transit_switch` ? { ...row, name: 'red_transit_switch' } : row,
        ),
      }),
      'dropped at Geneve tunnel: tunnel key 16711684 is that of red_transit_switch there, of another network',
    ],
    [
      'its port on the transit switch',
      (side) => without(side, `${prefix}tstor-b`),
      `dropped at ${prefix}transit_switch: no port with key 3 leads to the router of b`,
    ],
    [
      'the setting by which there are tunnels',
      (side) => ({
        ...side,
        after: { ...side.after, switchExternalIds: { ...side.after.switchExternalIds, 'ovn-is-interconn': 'false' } },
      }),
      'dropped at Geneve tunnel: ovn-is-interconn is not true in Open vSwitch of b',
    ],
    [
      'the port of its router to the switch',
      (side) => without(side, `rtos-${prefix}b`),
      `dropped at ${prefix}ovn_cluster_router: it has no route to 10.20.1.6`,
    ],
  ];

  it('takes a packet from a tunnel where they are switched on in other words', () => {
    const [from, to] = sides();
    const switchExternalIds = {
      ...to.after.switchExternalIds,
      'ovn-is-interconn': 'False',
      [`ovn-is-interconn-${to.after.switchExternalIds['system-id'] ?? ''}`]: 'True',
    };
    const on: NodeSide = { ...to, after: { ...to.after, switchExternalIds } };
    expect(fromTunnel(on, tunnelOf(from), '10.20.1.6')).to.deep.equal(fromTunnel(to, tunnelOf(from), '10.20.1.6'));
  });

  for (const [what, change, verdict] of receiving) {
    it(`drops a packet from a tunnel: ${what}`, () => {
      const [from, to] = sides();
      expect(verdictText(fromTunnel(change(to), tunnelOf(from), '10.20.1.6').end)).to.equal(verdict);
    });
  }
});
