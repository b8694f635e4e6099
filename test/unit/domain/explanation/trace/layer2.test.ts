import { expect } from 'chai';
import { capturedSituation } from '../../../cmd/captured-situation.ts';
import type { Situation } from '../../../cmd/run-in-process.ts';
import { traced } from './traced.ts';

/** With red as a Layer2 network, and what OVN-Kubernetes makes of it in OVN. */
const asLayer2 =
  (hasTransitRouter: boolean) =>
  ({ cluster, nodes }: Situation): Situation => ({
    cluster: {
      ...cluster,
      clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.map((network) =>
        network.metadata.name === 'red'
          ? {
              ...network,
              spec: {
                ...network.spec,
                network: { topology: 'Layer2', layer2: { role: 'Primary', subnets: ['10.30.0.0/16'] } },
              },
            }
          : network,
      ),
    },
    nodes: nodes.map((node) => ({
      ...node,
      northbound: [
        ...node.northbound,
        { table: 'Logical_Switch', name: 'cluster_udn_red_ovn_layer2_switch', columns: {} },
        ...(hasTransitRouter
          ? [{ table: 'Logical_Router' as const, name: 'cluster_udn_red_transit_router', columns: {} }]
          : []),
      ],
    })),
  });

const cases = [
  {
    title: 'a pod of a Layer2 network leaves by the transit router',
    packet: 'tcp 10.30.0.5:40000 > 172.20.0.9:443',
    hasTransitRouter: true,
    isReply: false,
    hops: [
      'cluster_udn_red_ovn_layer2_switch: to the transit router',
      'cluster_udn_red_transit_router: from 10.30.0.0/16 via 100.88.0.5',
      'GR_cluster_udn_red_worker-a: default via 203.0.113.1, 203.0.113.2 (here 203.0.113.1); source becomes 169.254.0.13',
      'eth2: leaves with VLAN 100 as tcp 203.0.113.6:40000 > 172.20.0.9:443 to 203.0.113.1',
    ],
    end: { kind: 'leaves', by: 'eth2' },
  },
  {
    title: 'a reply to a pod of a Layer2 network comes back by the transit router',
    packet: 'tcp 172.20.0.9:443 > 10.30.0.5:40000',
    hasTransitRouter: true,
    isReply: true,
    hops: [
      'GR_cluster_udn_red_worker-a: destination becomes 10.30.0.5; 10.30.0.0/16 via 100.88.0.4',
      'cluster_udn_red_transit_router: to the pods of the network',
      'cluster_udn_red_ovn_layer2_switch: to the pod with 10.30.0.5, on any node',
    ],
    end: { kind: 'arrives', at: 'the pod with 10.30.0.5' },
  },
  {
    title: 'a pod of a Layer2 network reaches the node itself without leaving it',
    packet: 'tcp 10.30.0.5:40000 > 203.0.113.6:22',
    hasTransitRouter: true,
    isReply: false,
    hops: ['cluster_udn_red_transit_router: to 10.30.0.2, the host'],
    end: { kind: 'arrives', at: 'the host by ovn-k8s-mp2' },
  },
  {
    title: 'a pod of a Layer2 network without transit router leaves by the gateway router at once',
    packet: 'tcp 10.30.0.5:40000 > 172.20.0.9:443',
    hasTransitRouter: false,
    isReply: false,
    hops: [
      'cluster_udn_red_ovn_layer2_switch: to the gateway router',
      'GR_cluster_udn_red_worker-a: default via 203.0.113.1, 203.0.113.2 (here 203.0.113.1); source becomes 169.254.0.13',
    ],
    end: { kind: 'leaves', by: 'eth2' },
  },
  {
    title: 'a reply to such a pod comes back by its switch',
    packet: 'tcp 172.20.0.9:443 > 10.30.0.5:40000',
    hasTransitRouter: false,
    isReply: true,
    hops: [
      'GR_cluster_udn_red_worker-a: destination becomes 10.30.0.5; 10.30.0.0/16 is connected',
      'cluster_udn_red_ovn_layer2_switch: to the pod with 10.30.0.5, on any node',
    ],
    end: { kind: 'arrives', at: 'the pod with 10.30.0.5' },
  },
] as const;

describe('trace in a Layer2 network', () => {
  let situation: Situation;
  before(async () => {
    situation = await capturedSituation();
  });

  for (const { title, packet, hasTransitRouter, isReply, hops, end } of cases) {
    it(`${title}: ${packet}`, () => {
      const outcome = traced(situation, 'red', packet, { isReply, but: asLayer2(hasTransitRouter) });
      if (!outcome.traced) throw new Error(outcome.problem);
      const found = outcome.trace.hops.map(({ where, change }) => `${where}: ${change}`);
      expect(found.filter((hop) => (hops as readonly string[]).includes(hop))).to.deep.equal(hops, found.join('\n'));
      expect(outcome.trace.verdict).to.deep.equal(end);
    });
  }
});
