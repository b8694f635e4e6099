import { expect } from 'chai';
import { egressRows } from '../../../../../src/domain/dataplane/egress/egress-rows.ts';
import {
  addressesOnNode,
  type LogicalNetwork,
  type NodeAddresses,
  type NumberedNode,
} from '../../../../../src/domain/dataplane/logical-network/node-addresses.ts';
import type { NorthboundTable } from '../../../../../src/domain/datapath/northbound/tables.ts';

const network: LogicalNetwork = {
  networkName: 'cluster_udn_blue',
  networkId: 1,
  subnets: [{ cidr: '10.20.0.0/16' }, { cidr: '10.40.0.0/16' }, { cidr: 'fd20::/48' }],
  joinSubnets: ['100.70.0.0/16', 'fd70::/64'],
};

const node: NumberedNode = { name: 'a', id: 2, allocatedSubnets: [] };

function addressesOf(of: LogicalNetwork): NodeAddresses {
  const addresses = addressesOnNode(of, node);
  if ('exhausted' in addresses) throw new Error(addresses.exhausted);
  return addresses;
}

const networkAddresses = [
  { family: 4, address: '169.254.0.12' },
  { family: 6, address: 'fd69::c' },
] as const;

/** The rows of a network that leaves by its node. */
function rowsOf(
  of: LogicalNetwork = network,
  addresses: NodeAddresses = addressesOf(of),
  opened: readonly string[] = [],
) {
  const addressed = { network: of, node, addresses };
  const unreached = ['10.96.0.0/16', 'fd97::/64'];
  return egressRows({ addressed, networkAddresses, chassis: 'chassis-a', unreached, opened });
}

const columnsIn = (table: NorthboundTable, rows = rowsOf()) =>
  rows.filter((row) => row.table === table).map(({ columns }) => columns);

/** The policies of a priority, as `match: action`. */
const policies = (priority: number, rows = rowsOf()) =>
  columnsIn('Logical_Router_Policy', rows)
    .filter((columns) => columns['priority'] === priority)
    .map(({ match, action }) => `${match as string}: ${action as string}`);

const router = 'cluster_udn_blue_ovn_cluster_router';
const outside = 'outport == "rtos-cluster_udn_blue_a"';
const fromOthers = 'inport == "cluster_udn_blue_rtots-a"';

describe('the rows of a network that leaves by its node', () => {
  it('bind the port to its pods to the chassis of the node', () => {
    const [first] = rowsOf();
    expect(first).to.deep.equal({
      table: 'Gateway_Chassis',
      name: 'rtos-cluster_udn_blue_a-chassis-a',
      parents: [{ table: 'Logical_Router_Port', name: 'rtos-cluster_udn_blue_a', column: 'gateway_chassis' }],
      columns: { chassis_name: 'chassis-a', priority: 1 },
      network: 'cluster_udn_blue',
      isOfZone: true,
    });
  });

  it('translate each subnet of its pods on the node to the address of its family', () => {
    const addresses = { ...addressesOf(network), podSubnets: ['10.20.0.0/24', '10.40.0.0/24', 'fd20::/64'] };
    const snat = { type: 'snat', allowed_ext_ips: [] };
    expect(columnsIn('NAT', rowsOf(network, addresses))).to.deep.equal([
      { ...snat, external_ip: '169.254.0.12', logical_ip: '10.20.0.0/24' },
      { ...snat, external_ip: '169.254.0.12', logical_ip: '10.40.0.0/24' },
      { ...snat, external_ip: 'fd69::c', logical_ip: 'fd20::/64' },
    ]);
  });

  it('have the management port as the next hop of each family', () => {
    expect(columnsIn('Logical_Router_Static_Route')).to.deep.equal([
      { ip_prefix: '0.0.0.0/0', nexthop: '10.20.0.2' },
      { ip_prefix: '::/0', nexthop: 'fd20::2' },
    ]);
  });

  it('drop what leaves for an address of any of its subnets that is not on the node', () => {
    expect(policies(1006)).to.deep.equal([
      `${outside} && ip4.dst == 10.20.0.0/16 && ip4.dst != 10.20.0.0/24: drop`,
      `${outside} && ip4.dst == 10.40.0.0/16 && ip4.dst != 10.20.0.0/24: drop`,
      `${outside} && ip6.dst == fd20::/48 && ip6.dst != fd20::/64: drop`,
    ]);
  });

  it('drop nothing of that for a subnet that the node has all of', () => {
    const addresses = { ...addressesOf(network), podSubnets: ['10.20.0.0/16', 'fd20::/64'] };
    expect(policies(1006, rowsOf(network, addresses))).to.deep.equal([
      `${outside} && ip4.dst == 10.40.0.0/16 && ip4.dst != 10.20.0.0/16: drop`,
      `${outside} && ip6.dst == fd20::/48 && ip6.dst != fd20::/64: drop`,
    ]);
  });

  it('drop what is for destinations that nobody reaches, of each family', () => {
    expect(policies(1005)).to.deep.equal(['ip4.dst == 10.96.0.0/16: drop', 'ip6.dst == fd97::/64: drop']);
  });

  it('let pods of the node, and none of others, reach what is opened', () => {
    const rows = rowsOf(network, addressesOf(network), ['169.254.169.254/32']);
    expect(policies(1006, rows).filter((policy) => !policies(1006).includes(policy))).to.deep.equal([
      'inport == "rtos-cluster_udn_blue_a" && ip4.dst == 169.254.169.254/32: allow',
    ]);
    expect(policies(1005, rows)).to.deep.equal(policies(1005));
  });

  it('take from other nodes only what is for its subnets and its own join subnets', () => {
    expect(policies(101)).to.deep.equal([
      `${fromOthers} && ip4.dst == 10.20.0.0/16: allow`,
      `${fromOthers} && ip4.dst == 10.40.0.0/16: allow`,
      `${fromOthers} && ip4.dst == 100.70.0.0/16: allow`,
      `${fromOthers} && ip6.dst == fd20::/48: allow`,
      `${fromOthers} && ip6.dst == fd70::/64: allow`,
    ]);
    expect(policies(100)).to.deep.equal([`${fromOthers}: drop`]);
  });

  it('take what is for the usual join subnets of a network that names none', () => {
    expect(policies(101, rowsOf({ ...network, joinSubnets: [] }))).to.include.members([
      `${fromOthers} && ip4.dst == 100.65.0.0/16: allow`,
      `${fromOthers} && ip6.dst == fd99::/64: allow`,
    ]);
  });

  it('name a subnet of the network once, although the node has two parts of it', () => {
    const twice = { ...network, subnets: [{ cidr: '10.20.0.0/16' }, { cidr: '10.20.0.0/16' }] };
    const addresses = { ...addressesOf(network), podSubnets: ['10.20.0.0/24', '10.20.1.0/24'] };
    expect(policies(1006, rowsOf(twice, addresses))).to.deep.equal([
      `${outside} && ip4.dst == 10.20.0.0/16 && ip4.dst != 10.20.0.0/24 && ip4.dst != 10.20.1.0/24: drop`,
    ]);
  });

  it('are of the network, in its zone, and have names of their own on its router', () => {
    const rows = rowsOf();
    expect(rows.every((row) => row.network === 'cluster_udn_blue' && row.isOfZone === true)).to.equal(true);
    expect(new Set(rows.map(({ table, name }) => `${table} ${name}`)).size).to.equal(rows.length);
    const parents = rows.slice(1).map((row) => row.parents?.[0]?.name);
    expect(new Set(parents)).to.deep.equal(new Set([router]));
  });
});
