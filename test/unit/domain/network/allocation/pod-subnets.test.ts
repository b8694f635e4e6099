import { expect } from 'chai';
import {
  type DividedSubnet,
  nodesWithSubnets,
  podSubnetsOfNode,
} from '../../../../../src/domain/network/allocation/pod-subnets.ts';

interface Example {
  readonly subnets: readonly DividedSubnet[];
  readonly nodeId: number;
  readonly found: readonly string[] | undefined;
}

const examples: Readonly<Record<string, Example>> = {
  'the first node, whose id is 2, has the first part': {
    subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 24 }],
    nodeId: 2,
    found: ['10.20.0.0/24'],
  },
  'each node has the next part': {
    subnets: [{ cidr: '10.20.0.0/16', hostSubnet: 23 }],
    nodeId: 5,
    found: ['10.20.6.0/23'],
  },
  'parts are /24 and /64 by default': {
    subnets: [{ cidr: 'fd20::/48' }, { cidr: '10.20.0.0/16' }],
    nodeId: 3,
    found: ['10.20.1.0/24', 'fd20:0:0:1::/64'],
  },
  'the second subnet of a family goes on where the first one ends': {
    subnets: [
      { cidr: '10.20.0.0/23', hostSubnet: 24 },
      { cidr: '10.30.0.0/16', hostSubnet: 24 },
    ],
    nodeId: 5,
    found: ['10.30.1.0/24'],
  },
  'a node beyond the last part has none': {
    subnets: [{ cidr: '10.20.0.0/23', hostSubnet: 24 }],
    nodeId: 4,
    found: undefined,
  },
  'a node has subnets of all families or none': {
    subnets: [{ cidr: '10.20.0.0/24', hostSubnet: 24 }, { cidr: 'fd20::/48' }],
    nodeId: 3,
    found: undefined,
  },
  'a subnet that is smaller than the parts has none': {
    subnets: [{ cidr: '10.20.0.0/25' }],
    nodeId: 2,
    found: undefined,
  },
  'a part of IPv4 has a router, a management port and pods up to /29': {
    subnets: [{ cidr: '10.20.0.0/24', hostSubnet: 29 }],
    nodeId: 2,
    found: ['10.20.0.0/29'],
  },
  'a part that has no address for a pod is none': {
    subnets: [{ cidr: '10.20.0.0/24', hostSubnet: 30 }],
    nodeId: 2,
    found: undefined,
  },
  'the last address of IPv6 is one for a pod': {
    subnets: [{ cidr: 'fd20::/120', hostSubnet: 126 }],
    nodeId: 2,
    found: ['fd20::/126'],
  },
  'a part of IPv6 that has no address for a pod is none': {
    subnets: [{ cidr: 'fd20::/120', hostSubnet: 127 }],
    nodeId: 2,
    found: undefined,
  },
  'a network without subnets needs none': { subnets: [], nodeId: 2, found: [] },
};

describe('the subnets of pods on a node', () => {
  for (const [name, { subnets, nodeId, found }] of Object.entries(examples)) {
    it(name, () => {
      expect(podSubnetsOfNode(subnets, nodeId)).to.deep.equal(found);
    });
  }
});

describe('the number of nodes that subnets have parts for', () => {
  const counts: readonly (readonly [subnets: readonly DividedSubnet[], count: number])[] = [
    [[{ cidr: '10.20.0.0/16' }], 256],
    [[{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/60' }], 16],
    [[{ cidr: '10.20.0.0/23' }, { cidr: '10.30.0.0/24' }], 3],
    [[{ cidr: '10.20.0.0/25' }], 0],
    [[{ cidr: '10.20.0.0/28', hostSubnet: 31 }], 0],
    [[], 0],
  ];
  for (const [subnets, count] of counts) {
    it(`of ${subnets.map(({ cidr }) => cidr).join(' and ') || 'none'} is ${count}`, () => {
      expect(nodesWithSubnets(subnets)).to.equal(count);
    });
  }
});
