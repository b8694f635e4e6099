import { expect } from 'chai';
import { capturedSituation } from '../../../cmd/captured-situation.ts';
import type { Situation } from '../../../cmd/run-in-process.ts';
import { type Options, traced } from './traced.ts';

/** Questions that have no answer, and what is said. */
const problems: readonly (readonly [string, string, Options, string])[] = [
  [
    'green',
    'tcp 10.20.1.5:1 > 172.20.0.9:2',
    {},
    'the cluster objects have no ClusterUserDefinedNetwork green; they have blue, red',
  ],
  [
    'blue',
    'tcp 10.20.1.5:1 > 172.20.0.9:2',
    { but: ({ cluster, nodes }) => ({ cluster: { ...cluster, uplinks: [] }, nodes }) },
    'network blue has no uplink on worker-a: UplinkNotFound: Uplink blue-underlay does not exist',
  ],
  [
    'blue',
    'tcp 10.20.1.5:1 > 172.20.0.9:2',
    { but: ({ cluster, nodes }) => ({ cluster: { ...cluster, networkAttachmentDefinitions: [] }, nodes }) },
    'network blue has no uplink on worker-a: NetworkNotAllocated: OVN-Kubernetes has not allocated a network id yet',
  ],
  [
    'blue',
    'tcp 10.30.1.5:1 > 172.20.0.9:2',
    { from: 'pod' },
    'no pod of blue on worker-a can have 10.30.1.5: expected an address of 10.20.1.0/24',
  ],
  ['blue', 'tcp 10.20.1.1:1 > 172.20.0.9:2', {}, '10.20.1.1 is an address of blue, but of no pod on worker-a'],
  [
    'blue',
    'tcp 10.20.2.5:1 > 172.20.0.9:2',
    {},
    "expected a pod's address of 10.20.1.0/24, one of the host, or --from wire",
  ],
  ['blue', 'tcp 169.254.0.11:1 > 172.20.0.9:2', {}, '169.254.0.11 is a masquerade address (169.254.0.0/17)'],
  [
    'blue',
    'tcp 192.0.2.9:1 > 172.20.0.9:2',
    { from: 'host' },
    'no device of worker-a has 192.0.2.9: expected an address of the host, such as 192.0.2.6, 192.0.2.66 of br-blue',
  ],
  ['blue', 'tcp 10.20.1.5:1 > 10.96.0.10:2', {}, '10.96.0.10 is the address of a service (10.96.0.0/16)'],
  ['blue', 'icmp 10.20.1.5 > 224.0.0.1', {}, '224.0.0.1: expected the address of one host'],
  ['blue', 'icmp6 2001:db8:b::6 > fe80::1', {}, 'fe80::1: expected the address of one host'],
  [
    'blue',
    'tcp 192.0.2.6:22 > 10.20.1.5:40000',
    { isReply: true },
    'arrives at the host by ovn-k8s-mp1: its replies do not come from the wire',
  ],
];

describe('trace of what cannot be followed', () => {
  let situation: Situation;
  before(async () => {
    situation = await capturedSituation();
  });

  for (const [network, packet, options, problem] of problems) {
    it(`cannot follow ${packet} of ${network}: ${problem}`, () => {
      const outcome = traced(situation, network, packet, options);
      expect(!outcome.traced && outcome.problem).to.include(problem);
    });
  }
});
