import { expect } from 'chai';
import { traceVerdictText } from '../../../../../src/cmd/commands/trace-text.ts';
import {
  fromGatewayRouter,
  fromPod,
  fromPodToGatewayRouter,
  fromTunnelToGatewayRouter,
  type Tunnelled,
} from '../../../../../src/domain/explanation/trace/between-pods.ts';
import type { TraceVerdict } from '../../../../../src/domain/explanation/trace/hop.ts';
import { type NodeSide, nodeSide } from '../../../../../src/domain/explanation/trace/node-side.ts';
import { onWire, wireSettings } from './wire-situation.ts';

const [sideA, sideB] = onWire.nodes.map((node) => nodeSide(onWire.cluster, node, wireSettings, 'cluster_udn_blue')) as [
  NodeSide,
  NodeSide,
];

const router = 'cluster_udn_blue_ovn_cluster_router';
const JOIN = '100.65.0.2';

const unreached = () => 'it is not there';

type Row = NodeSide['rows'][number];

const without = (side: NodeSide, isGone: (row: Row) => boolean): NodeSide => ({
  ...side,
  rows: side.rows.filter((row) => !isGone(row)),
});

const verdictText = (verdict: TraceVerdict | undefined) =>
  verdict === undefined ? 'at the gateway router' : traceVerdictText(verdict);

const isRouteTo =
  (...prefixes: readonly string[]) =>
  ({ table, columns }: Row) =>
    table === 'Logical_Router_Static_Route' && prefixes.includes(columns['ip_prefix'] as string);

const isRouteOfNode = isRouteTo(JOIN, '10.20.0.0/24');

describe('a packet from the gateway router into the network', () => {
  const sent = (side: NodeSide, destination: string) => {
    const found = fromGatewayRouter(side, { source: JOIN, destination }, unreached);
    return 'end' in found ? verdictText(found.end) : `in the tunnel to ${found.tunnel.chassis}`;
  };

  const ways: readonly (readonly [what: string, side: NodeSide, destination: string, end: string])[] = [
    ['comes to a pod of the node', sideA, '10.20.0.7', 'arrives at the pod with 10.20.0.7 on a'],
    ['goes by the tunnel to one of another node', sideA, '10.20.1.6', 'in the tunnel to chassis-b'],
    [
      'ends without a port between the routers',
      without(sideA, ({ name }) => name === `rtoj-${router}`),
      '10.20.0.7',
      `dropped at ${router}: it has no port rtoj-${router} to its gateway router`,
    ],
    [
      'does not go round for an address that no node has',
      sideA,
      '10.20.9.9',
      `dropped at ${router}: it has no route to 10.20.9.9: it is not there`,
    ],
  ];
  for (const [what, side, destination, end] of ways)
    it(what, () => {
      expect(sent(side, destination)).to.equal(end);
    });
});

describe('the answer of a pod to the gateway router', () => {
  const toRouter = { source: '10.20.0.7', destination: JOIN };
  const isPolicy = ({ table }: Row) => table === 'Logical_Router_Policy';
  const ways: readonly (readonly [what: string, side: NodeSide, addresses: typeof toRouter, end: string])[] = [
    ['comes there by its address', sideA, toRouter, 'at the gateway router'],
    [
      'comes there by the source, to a client outside',
      sideA,
      { source: '10.20.0.7', destination: '198.51.100.10' },
      'at the gateway router',
    ],
    [
      'ends where there is no route',
      without(without(sideA, isRouteOfNode), ({ name }) => name === `rtoj-${router}`),
      toRouter,
      `dropped at ${router}: it has no route to ${JOIN}`,
    ],
    [
      'ends where the route leads to another node',
      sideB,
      { source: '10.20.1.6', destination: JOIN },
      `dropped at ${router}: ${JOIN} via 100.88.0.2 does not lead to the gateway router of the node`,
    ],
    [
      'ends where a policy takes it first',
      sideA,
      { source: '10.20.0.7', destination: '192.0.2.6' },
      `dropped at ${router}: policy 1004, inport == "rtos-cluster_udn_blue_a" && ip4.dst == 192.0.2.6, takes it elsewhere`,
    ],
    [
      'passes where there is no such policy',
      without(sideA, isPolicy),
      { source: '10.20.0.7', destination: '192.0.2.6' },
      'at the gateway router',
    ],
    [
      'is not sent by an address that no pod has',
      sideA,
      { source: '10.20.0.99', destination: JOIN },
      'dropped at cluster_udn_blue_a: no port has 10.20.0.99, and others may not send from this address',
    ],
  ];
  for (const [what, side, addresses, end] of ways)
    it(what, () => {
      expect(verdictText(fromPodToGatewayRouter(side, addresses).end)).to.equal(end);
    });

  const addresses = { source: '10.20.1.6', destination: JOIN };

  /** The answer of a pod of b, in the tunnel. */
  function tunnelled(): Tunnelled {
    const sent = fromPod(sideB, addresses, unreached);
    if ('end' in sent) throw new Error(verdictText(sent.end));
    return sent.tunnel;
  }

  it('comes there from the tunnel of another node', () => {
    const { hops, end } = fromTunnelToGatewayRouter(sideA, tunnelled(), addresses);
    expect(hops.map(({ where }) => where)).to.deep.equal(['cluster_udn_blue_transit_switch', router]);
    expect(verdictText(end)).to.equal('at the gateway router');
  });

  it('ends at the tunnel where that leads to another chassis', () => {
    const { end } = fromTunnelToGatewayRouter(sideA, { ...tunnelled(), chassis: 'chassis-c' }, addresses);
    expect(verdictText(end)).to.equal('dropped at Geneve tunnel: it leads to chassis chassis-c, and a is chassis-a');
  });
});
