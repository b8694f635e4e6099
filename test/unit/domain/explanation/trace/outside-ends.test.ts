import { expect } from 'chai';
import type { PacketOrigin } from '../../../../../src/domain/explanation/trace/hop.ts';
import { outsideEnds } from '../../../../../src/domain/explanation/trace/packet-text/outside-ends.ts';
import { withObjectAddresses } from '../../../../../src/domain/explanation/trace/packet-text/pod-ends.ts';
import { providedNetwork } from '../../../../../src/domain/explanation/trace/trace-pods.ts';
import { tracedNode } from '../../../../../src/domain/explanation/trace/traced-node.ts';
import { viewCluster } from '../../../../../src/domain/plan/view/cluster-view.ts';
import { onWire, wireSettings } from './wire-situation.ts';

const { cluster, nodes } = onWire;

function read(packet: string, from?: PacketOrigin): string {
  const network = providedNetwork('blue', viewCluster(cluster, wireSettings))!;
  const reading = tracedNode(cluster, nodes[0]!, wireSettings, 'blue');
  if ('problem' in reading) throw new Error(reading.problem);
  const ends = withObjectAddresses(packet, network, cluster, outsideEnds(reading.node, from));
  return 'problem' in ends ? `problem: ${ends.problem}` : ends.text;
}

const unreached = (port: string, family: string, name = 'far') =>
  `problem: Service demo/${name} is not reached from the wire on a by port ${port} in ${family}; ovn-uplinks explain service/demo/${name} says at which addresses it is`;

/** Packets, and what becomes of them. */
const cases: readonly (readonly [title: string, packet: string, expected: string, from?: PacketOrigin])[] = [
  [
    'from the wire, the first address that it has of a load balancer',
    'tcp 198.51.100.10:40000 > service/shop:80',
    'tcp 198.51.100.10:40000 > 203.0.113.5:80',
  ],
  [
    'from the wire, in the family of the source',
    'tcp [2001:db8:ff::9]:40000 > service/demo/shop:80',
    'tcp [2001:db8:ff::9]:40000 > [2001:db8:5::5]:80',
  ],
  [
    'from the wire, an external address that is allowed',
    'tcp 198.51.100.10:40000 > service/second:80',
    'tcp 198.51.100.10:40000 > 198.51.100.200:80',
  ],
  [
    'from the wire, the address of the uplink with the node port where it has no other one',
    'tcp 198.51.100.10:40000 > service/far:80',
    'tcp 198.51.100.10:40000 > 192.0.2.6:30081',
  ],
  [
    'from the wire, where --from says so',
    'tcp 10.20.0.5:40000 > service/far:80',
    'tcp 10.20.0.5:40000 > 192.0.2.6:30081',
    'wire',
  ],
  ['from a pod, its ClusterIP', 'tcp pod/web > service/far:80', 'tcp 10.20.0.5:40000 > 10.96.0.11:80'],
  ['from the address of a pod, too', 'tcp 10.20.0.5:1 > service/far:80', 'tcp 10.20.0.5:1 > 10.96.0.11:80'],
  ['from the host, its ClusterIP', 'tcp 192.0.2.6:1 > service/far:80', 'tcp 192.0.2.6:1 > 10.96.0.11:80'],
  ['not by another port', 'tcp 198.51.100.10:1 > service/far:81', unreached('81/TCP', 'IPv4')],
  ['not by another protocol', 'udp [2001:db8::1]:1 > service/far:80', unreached('80/UDP', 'IPv6')],
  [
    'none where all its addresses are refused',
    'tcp 198.51.100.10:1 > service/greedy:8443',
    unreached('8443/TCP', 'IPv4', 'greedy'),
  ],
  [
    'not without a port',
    'tcp 198.51.100.10:1 > service/far',
    'problem: service/far: expected a port, such as service/far:8080',
  ],
];

describe('a Service as the destination of a packet', () => {
  for (const [title, packet, expected, from] of cases)
    it(`is ${title}: ${packet}`, () => {
      expect(read(packet, from)).to.equal(expected);
    });
});
