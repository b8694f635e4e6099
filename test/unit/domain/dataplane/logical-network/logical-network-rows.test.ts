import { expect } from 'chai';
import {
  addressesOnNode,
  type NodeAddresses,
  type LogicalNetwork,
  type NumberedNode,
} from '../../../../../src/domain/dataplane/logical-network/node-addresses.ts';
import {
  peerRows,
  logicalNetworkRows,
} from '../../../../../src/domain/dataplane/logical-network/logical-network-rows.ts';
import { type NorthboundRow, rowKey } from '../../../../../src/domain/datapath/northbound/row.ts';
import type { NorthboundTable } from '../../../../../src/domain/datapath/northbound/tables.ts';

const network: LogicalNetwork = {
  networkName: 'cluster_udn_my-net',
  networkId: 3,
  subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }],
  joinSubnets: [],
};

const [own, other]: readonly [NumberedNode, NumberedNode] = [
  { name: 'worker-a', id: 2, allocatedSubnets: [] },
  { name: 'worker-b', id: 3, allocatedSubnets: [] },
];

function addressesOf(node: NumberedNode, of: LogicalNetwork = network): NodeAddresses {
  const addresses = addressesOnNode(of, node);
  if ('exhausted' in addresses) throw new Error(addresses.exhausted);
  return addresses;
}

const rows = logicalNetworkRows({ network, node: own, addresses: addressesOf(own) });
const rowsFor = peerRows({ network, node: own });
const ofPeer = rowsFor({ node: other, chassis: 'chassis-b', addresses: addressesOf(other) });

function columnsOf(all: readonly NorthboundRow[], table: NorthboundTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(all.filter((row) => row.table === table).map(({ name, columns }) => [name, columns]));
}

const toRouter = (routerPort: string, options: object = {}) => ({
  type: 'router',
  addresses: ['router'],
  options: { 'router-port': routerPort, ...options },
});

describe('the addresses of a network on a node', () => {
  it('follow from its id', () => {
    expect(addressesOf(other)).to.deep.equal({
      podSubnets: ['10.20.1.0/24', 'fd20:0:0:1::/64'],
      routerAddresses: ['10.20.1.1/24', 'fd20:0:0:1::1/64'],
      managementAddresses: ['10.20.1.2/24', 'fd20:0:0:1::2/64'],
      clusterRouterAddresses: ['100.65.0.1/16', 'fd99::1/64'],
      gatewayRouterAddresses: ['100.65.0.3/16', 'fd99::3/64'],
      transitAddresses: ['100.88.0.3/16', 'fd97::3/64'],
    });
  });

  it('are in the subnets that another program has allocated, where it has', () => {
    const { podSubnets, managementAddresses } = addressesOf({
      ...other,
      allocatedSubnets: ['fd20:0:0:9::/64', '10.20.9.0/24'],
    });
    expect(podSubnets).to.deep.equal(['10.20.9.0/24', 'fd20:0:0:9::/64']);
    expect(managementAddresses).to.deep.equal(['10.20.9.2/24', 'fd20:0:0:9::2/64']);
  });

  const unusable: Readonly<Record<string, readonly string[]>> = {
    'are not of every family of the network': ['10.20.9.0/24'],
    'are not within the network': ['192.168.9.0/24', 'fd20:0:0:9::/64'],
    'are larger than the network': ['10.0.0.0/8', 'fd20:0:0:9::/64'],
    'have no addresses for pods': ['10.20.9.0/30', 'fd20:0:0:9::/64'],
  };
  for (const [what, allocatedSubnets] of Object.entries(unusable)) {
    it(`follow from its id where these ${what}`, () => {
      expect(addressesOf({ ...other, allocatedSubnets })).to.deep.equal(addressesOf(other));
    });
  }

  it('are exhausted where no subnet of pods is left for the id', () => {
    const small = { ...network, subnets: [{ cidr: '10.20.0.0/23', hostSubnet: 24 }] };
    expect(addressesOnNode(small, other)).to.have.property('podSubnets');
    expect(addressesOnNode(small, { ...other, id: 4 })).to.deep.equal({ exhausted: 'pod-subnets' });
  });

  it('are exhausted where the join subnet has no address left for the id', () => {
    const small = { ...network, joinSubnets: ['10.64.0.0/30', 'fd64::/64'] };
    expect(addressesOnNode(small, own)).to.have.property('podSubnets');
    expect(addressesOnNode(small, { ...own, id: 4 })).to.deep.equal({ exhausted: 'join-subnets' });
  });
});

describe('the rows of a network in the zone of a node', () => {
  it('are of that network, and each comes after the one that refers to it', () => {
    const known = new Set<string>();
    for (const row of [...rows, ...ofPeer]) {
      expect(row).to.include({ network: 'cluster_udn_my-net', isOfZone: true });
      for (const parent of row.parents ?? []) expect(known, row.name).to.include(rowKey(parent));
      expect(known, row.name).not.to.include(rowKey(row));
      known.add(rowKey(row));
    }
  });

  it('have a switch for pods, one to the gateway router, and one between zones with the key of the network', () => {
    expect(columnsOf(rows, 'Logical_Switch')).to.deep.equal({
      'cluster_udn_my.net_worker-a': {},
      'cluster_udn_my.net_join': {},
      'cluster_udn_my.net_transit_switch': {
        other_config: { 'interconn-ts': 'cluster_udn_my.net_transit_switch', 'requested-tnl-key': '16711686' },
      },
    });
  });

  it('have a router on all three, with the first address of the subnets of pods', () => {
    expect(columnsOf(rows, 'Logical_Router')).to.have.keys('cluster_udn_my.net_ovn_cluster_router');
    expect(columnsOf(rows, 'Logical_Router_Port')).to.deep.equal({
      'rtos-cluster_udn_my.net_worker-a': {
        mac: '0a:58:0a:14:00:01',
        networks: ['10.20.0.1/24', 'fd20::1/64'],
      },
      'rtoj-cluster_udn_my.net_ovn_cluster_router': {
        mac: '0a:58:64:41:00:01',
        networks: ['100.65.0.1/16', 'fd99::1/64'],
      },
      'cluster_udn_my.net_rtots-worker-a': { mac: '0a:58:64:58:00:02', networks: ['100.88.0.2/16', 'fd97::2/64'] },
    });
  });

  it('have ports to the router on each switch, and the management port; that between zones with the id of the node', () => {
    expect(columnsOf(rows, 'Logical_Switch_Port')).to.deep.equal({
      'stor-cluster_udn_my.net_worker-a': toRouter('rtos-cluster_udn_my.net_worker-a'),
      'k8s-cluster_udn_my.net_worker-a': { type: '', addresses: ['0a:58:0a:14:00:02 10.20.0.2 fd20::2'] },
      'jtor-cluster_udn_my.net_ovn_cluster_router': toRouter('rtoj-cluster_udn_my.net_ovn_cluster_router'),
      'cluster_udn_my.net_tstor-worker-a': toRouter('cluster_udn_my.net_rtots-worker-a', { 'requested-tnl-key': '2' }),
    });
  });
});

describe('the rows of a network for another node', () => {
  it('have its port between the zones, of the same name and key as in its own zone, on its chassis', () => {
    expect(columnsOf(ofPeer, 'Logical_Switch_Port')).to.deep.equal({
      'cluster_udn_my.net_tstor-worker-b': {
        type: 'remote',
        addresses: ['0a:58:64:58:00:03 100.88.0.3/16 fd97::3/64'],
        options: { 'requested-tnl-key': '3', 'requested-chassis': 'chassis-b' },
      },
    });
    const there = logicalNetworkRows({ network, node: other, addresses: addressesOf(other) });
    expect(columnsOf(there, 'Logical_Switch_Port')['cluster_udn_my.net_tstor-worker-b']).to.have.deep.property(
      'options',
      { 'router-port': 'cluster_udn_my.net_rtots-worker-b', 'requested-tnl-key': '3' },
    );
  });

  it('have routes to its pods and to its gateway router by its transit address of the family', () => {
    expect(
      ofPeer.filter(({ table }) => table === 'Logical_Router_Static_Route').map(({ columns }) => columns),
    ).to.have.deep.members([
      { ip_prefix: '10.20.1.0/24', nexthop: '100.88.0.3' },
      { ip_prefix: 'fd20:0:0:1::/64', nexthop: 'fd97::3' },
      { ip_prefix: '100.65.0.3', nexthop: '100.88.0.3' },
      { ip_prefix: 'fd99::3', nexthop: 'fd97::3' },
    ]);
  });

  it('differ from those for a third node in every name', () => {
    const third: NumberedNode = { name: 'worker-c', id: 4, allocatedSubnets: [] };
    const ofThird = rowsFor({ node: third, chassis: 'chassis-c', addresses: addressesOf(third) });
    const known = new Set(ofPeer.map(rowKey));
    expect(ofThird.filter((row) => known.has(rowKey(row)))).to.deep.equal([]);
  });
});
