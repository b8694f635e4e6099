import { expect } from 'chai';
import { network, node, ofNetworks, frrConfiguration, routeAdvertisements } from '../brief-objects.ts';
import { explained, factLines, type Story } from './situations.ts';

const advertised = (targetVRF: string) => ({
  routeAdvertisements: [routeAdvertisements('ra', { targetVRF, networkSelectors: ofNetworks('blue') })],
  frrConfigurations: [frrConfiguration('f')],
});
const inOwnVrf = advertised('auto');
const dualStack = network('blue', {
  network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
});
const internalIp = (address: string) => ({
  nodes: [{ ...node('a'), status: { addresses: [{ type: 'InternalIP', address }] } }],
});
const host = {
  name: 'br-blue',
  addresses: [
    { address: '192.0.2.6', prefixLength: 24 },
    { address: '2001:db8::6', prefixLength: 64 },
  ],
};
const managementPort = { name: 'ovn-k8s-mp7', index: 9 };
const links = (...more: NonNullable<NonNullable<Story['node']>['links']>) => [
  host,
  { name: 'eth1' },
  managementPort,
  ...more,
];
const vrf = (vrfTable: number, alias?: string) => ({
  name: 'blue',
  kind: 'vrf',
  vrfTable,
  ...(alias !== undefined && { alias }),
});
const default4 = { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] };
const default6 = { destination: '::/0', nextHops: [{ device: 'br-blue', gateway: '2001:db8::1' }] };

/** Why a story's network is not programmed, and where that can be seen. */
const cases: readonly (readonly [what: string, story: Story, reason: string, sources: string])[] = [
  [
    'its management port is missing',
    { node: { links: links().slice(0, 2) } },
    'PrerequisiteMissing: device ovn-k8s-mp7',
    'ip-link.json',
  ],
  [
    'the VRF that is named does not exist',
    { objects: advertised('corp') },
    'UplinkVRFAttachmentFailed: VRF corp, which RouteAdvertisements name, does not exist',
    'ip-link.json',
  ],
  [
    'another device bears the name of its VRF',
    { objects: inOwnVrf, node: { links: links({ name: 'blue' }) } },
    'UplinkVRFAttachmentFailed: VRF blue cannot be created',
    'ip-link.json',
  ],
  [
    'the VRF has another table',
    { objects: inOwnVrf, node: { links: links(vrf(7)) } },
    'UplinkVRFAttachmentFailed: VRF blue has table 7',
    'ip-link.json',
  ],
  [
    'its own VRF has to be made again and another’s device is in it',
    {
      objects: inOwnVrf,
      node: { links: links(vrf(7, 'ovn-uplinks:cluster_udn_blue'), { name: 'eth9', master: 'blue' }) },
    },
    'UplinkVRFAttachmentFailed: VRF blue must be recreated with table 1009, but eth9 is in it',
    'ip-link.json, ledger/ledger.json',
  ],
  [
    'the interface is in another VRF by another’s hand',
    {
      objects: inOwnVrf,
      node: { links: [{ ...host, master: 'corp' }, ...links().slice(1), { name: 'corp', kind: 'vrf', vrfTable: 5 }] },
    },
    'UplinkVRFAttachmentFailed: the master of br-blue is corp',
    'ip-link.json, ledger/ledger.json',
  ],
  [
    'the interface bears an InternalIP of the Node',
    { objects: { ...inOwnVrf, ...internalIp('192.0.2.6') }, node: { links: links() } },
    'UplinkVRFAttachmentFailed: enslaving br-blue to VRF blue would cut the node off: it has 192.0.2.6',
    'Node/a, ip-address.json',
  ],
  [
    'the last IPv4 default route leaves by the interface',
    { objects: { ...inOwnVrf, ...internalIp('203.0.113.9') }, node: { links: links(), routes: [default4, default6] } },
    'UplinkVRFAttachmentFailed: enslaving br-blue to VRF blue would cut the node off: the last IPv4',
    'Node/a, ip-route4.json',
  ],
  [
    'the last IPv6 default route leaves by the interface',
    { objects: { ...inOwnVrf, ...internalIp('2001:db8:9::9') }, node: { links: links(), routes: [default6] } },
    'UplinkVRFAttachmentFailed: enslaving br-blue to VRF blue would cut the node off: the last IPv6',
    'Node/a, ip-route6.json',
  ],
  [
    'a VLAN device on the interface is kept down',
    {
      objects: inOwnVrf,
      node: { links: links({ name: 'br-blue.7', kind: 'vlan', lowerDevice: 'br-blue', up: false }) },
    },
    'UplinkVRFAttachmentFailed: changing the master of br-blue would set VLAN device br-blue.7 on it up',
    'ip-link.json',
  ],
  [
    'an IPv4 route cannot be put back',
    {
      objects: inOwnVrf,
      node: { links: links(), routes: [{ ...default4, unknownAttributes: ['encap'] }] },
    },
    'UplinkVRFAttachmentFailed: changing the master of br-blue would drop route default via 192.0.2.1 dev br-blue, and this version cannot restore its encap',
    'ip-route4.json',
  ],
  [
    'an IPv6 route cannot be put back',
    {
      objects: inOwnVrf,
      node: { links: links(), routes: [{ ...default6, unknownAttributes: ['encap'] }] },
    },
    'UplinkVRFAttachmentFailed: changing the master of br-blue would drop route IPv6 default via 2001:db8::1 dev br-blue, and this version cannot restore its encap',
    'ip-route6.json',
  ],
  [
    'a next hop object cannot be put back',
    {
      objects: inOwnVrf,
      node: {
        links: links(),
        nextHopObjects: [{ id: 5, device: 'br-blue', gateway: '192.0.2.1', unknownAttributes: ['fdb'] }],
      },
    },
    'UplinkVRFAttachmentFailed: changing the master of br-blue would drop next hop object 5',
    'ip-nexthop.json',
  ],
  [
    'a route is in the way',
    {
      objects: { clusterUserDefinedNetworks: [dualStack] },
      node: {
        links: links(),
        routes: [{ family: 6, destination: '::/0', type: 'blackhole', metric: 4278198272, table: 1009, nextHops: [] }],
      },
    },
    'UplinkVRFAttachmentFailed: route IPv6 blackhole default',
    'ip-route6.json',
  ],
  [
    'a route will be in the way once the interface is in the VRF',
    {
      objects: { ...inOwnVrf, clusterUserDefinedNetworks: [dualStack] },
      node: { links: links(), routes: [{ ...default4, destination: '10.96.0.0/16' }] },
    },
    'UplinkVRFAttachmentFailed: route 10.96.0.0/16 via 192.0.2.1 dev br-blue table 1009',
    'ip-route4.json',
  ],
  [
    'a rule is in the way',
    {
      objects: { clusterUserDefinedNetworks: [dualStack] },
      node: { links: links(), rules: [{ family: 6, priority: 1999, mark: 0x1007, table: 77 }] },
    },
    'UplinkVRFAttachmentFailed: IPv6 rule 1999',
    'ip-rule6.json',
  ],
  [
    'a neighbour is in the way',
    {
      objects: { clusterUserDefinedNetworks: [dualStack] },
      node: {
        links: links(),
        neighbours: [{ device: 'br-blue', address: '169.254.0.4', macAddress: '02:00:00:00:00:99' }],
      },
    },
    'UplinkVRFAttachmentFailed: neighbour 169.254.0.4',
    'ip-neighbour.json',
  ],
  [
    'a managed neighbour of another program is in the way of one that is permanent',
    {
      objects: { clusterUserDefinedNetworks: [dualStack] },
      node: { links: links(), neighbours: [{ device: 'br-blue', address: '169.254.0.4', states: ['managed'] }] },
    },
    'UplinkVRFAttachmentFailed: managed neighbour 169.254.0.4',
    'ip-neighbour.json',
  ],
  [
    'the uplink has no address of a family',
    { objects: { clusterUserDefinedNetworks: [dualStack] } },
    'AddressFamilyMissing: ',
    'ip-address.json',
  ],
  [
    'the kernel has no IPv6',
    {
      objects: { clusterUserDefinedNetworks: [dualStack] },
      node: { sysctls: { 'net.ipv4.conf.all.rp_filter': '0' } },
    },
    'AddressFamilyMissing: the uplink has no IPv6 address: the kernel of the node has no IPv6',
    'ip-address.json, sysctl.txt',
  ],
  [
    'another advertised network has the same pod subnet',
    {
      objects: {
        routeAdvertisements: [
          routeAdvertisements('ra', { targetVRF: 'default', networkSelectors: ofNetworks('blue', 'red') }),
        ],
        frrConfigurations: [frrConfiguration('f')],
        clusterUserDefinedNetworks: ['blue', 'red'].map((name) =>
          network(name, { network: { topology: 'Layer2', layer2: { role: 'Primary', subnets: ['10.20.0.0/16'] } } }),
        ),
      },
    },
    'SubnetsOverlap: pod subnet 10.20.0.0/16 overlaps with 10.20.0.0/16 of network red',
    'Node/a, ClusterUserDefinedNetwork/red',
  ],
  [
    'its uplink has the subnet between its routers',
    {
      objects: {
        clusterUserDefinedNetworks: [
          network('blue', { network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } } }),
        ],
      },
      node: { links: [{ ...host, addresses: [{ address: '100.65.0.6', prefixLength: 24 }] }, ...links().slice(1)] },
    },
    'SubnetsOverlap: subnet 100.65.0.0/16 between its routers overlaps with 100.65.0.0/24 of Uplink blue',
    'ip-address.json',
  ],
  [
    'its mapping entry names another bridge',
    { node: { switchExternalIds: { 'ovn-bridge-mappings': 'cluster_udn_blue:br-x' } } },
    'UplinkBridgeMappingFailed: ovn-bridge-mappings maps cluster_udn_blue to bridge br-x',
    'ovsdb.json',
  ],
];

describe("a network's failure is reported with its source", () => {
  for (const [what, story, reason, sources] of cases) {
    it(`where ${what}: ${sources}`, () => {
      const lines = factLines(explained(story)).map((line) => line.replaceAll("'", '’'));
      const [fact] = lines.filter((line) => line.startsWith(reason.split(':')[0] ?? ''));
      expect(fact?.split(' <- ')).to.have.length(2);
      expect(fact?.split(' <- ')[0]).to.include(reason);
      expect(fact?.split(' <- ')[1]).to.equal(sources);
    });
  }

  it('where the kernel refuses the name of its VRF: none, as the name itself is reported', () => {
    const lines = factLines(explained({ objects: advertised('a/b') }));
    expect(lines).to.include('UplinkVRFAttachmentFailed: the kernel refuses a VRF device named "a/b"');
  });
});
