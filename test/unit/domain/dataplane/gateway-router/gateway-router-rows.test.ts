import { expect } from 'chai';
import type {
  GatewayRouterFamily,
  GatewayRouterInput,
} from '../../../../../src/domain/dataplane/gateway-router/gateway-router-input.ts';
import { gatewayRouterRows } from '../../../../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { gatewayRouterNames } from '../../../../../src/domain/network/names/gateway-router.ts';
import { patchPortName } from '../../../../../src/domain/snapshot/patch-ports.ts';
import { isPartOf, type NorthboundRow, rowKey } from '../../../../../src/domain/datapath/northbound/row.ts';
import type { NorthboundTable } from '../../../../../src/domain/datapath/northbound/tables.ts';

const ipv4: GatewayRouterFamily = {
  uplinkAddresses: ['192.0.2.6/24'],
  otherUplinkAddresses: [],
  gateways: ['192.0.2.1'],
  masqueradeAddress: '169.254.0.11/17',
  hostAddresses: ['169.254.0.2', '169.254.0.4'],
  joinAddress: '100.65.0.2/16',
  insideAddresses: [],
  between: { routerPort: '100.65.0.1', gatewayRouter: '100.65.0.2' },
  clusterSubnets: ['10.20.0.0/16'],
  nodeSubnets: ['10.20.1.0/24'],
  managementAddress: '10.20.1.2',
  clusterNodeAddresses: ['198.51.100.10', '198.51.100.11'],
};

const input: GatewayRouterInput = {
  networkName: 'cluster_udn_my-net',
  node: 'worker-a',
  nodeId: 2,
  inside: 'join-switch',
  chassis: 'chassis-a',
  bridge: 'br-blue',
  macAddress: '0a:00:00:00:00:06',
  mtu: 1300,
  isAdvertised: false,
  families: { 4: ipv4 },
};

const router = 'GR_cluster_udn_my.net_worker-a';

function rowsOf(table: NorthboundTable, changes: Partial<GatewayRouterInput> = {}): readonly NorthboundRow[] {
  return gatewayRouterRows({ ...input, ...changes }).filter((row) => row.table === table);
}

const columnsOf = (table: NorthboundTable, changes?: Partial<GatewayRouterInput>) =>
  rowsOf(table, changes).map(({ columns }) => columns);

describe('the gateway router of a network', () => {
  it('is on the chassis of the node', () => {
    const [row] = rowsOf('Logical_Router');
    expect(row?.name).to.equal(router);
    expect(row?.columns['options']).to.include({ chassis: 'chassis-a', dynamic_neigh_routers: 'false' });
    expect(row?.externalIds).to.deep.equal({ physical_ips: '169.254.0.11' });
  });

  it('has a port to the bridge with the addresses of the uplink and the MTU of pods, and one to the join switch', () => {
    expect(rowsOf('Logical_Router_Port').map(({ name, columns }) => ({ name, columns }))).to.deep.equal([
      {
        name: `rtoe-${router}`,
        columns: {
          mac: '0a:00:00:00:00:06',
          networks: ['192.0.2.6/24', '169.254.0.11/17'],
          options: { gateway_mtu: '1300' },
        },
      },
      { name: `rtoj-${router}`, columns: { mac: '0a:58:64:41:00:02', networks: ['100.65.0.2/16'] } },
    ]);
  });

  it('is closed until the flows of the bridge are confirmed', () => {
    expect(rowsOf('Logical_Router_Port').map(({ initial }) => initial)).to.deep.equal([{ enabled: false }, undefined]);
  });

  it('has a localnet port on the bridge, with the VLAN of the uplink', () => {
    const [, localnet] = rowsOf('Logical_Switch_Port', { vlan: 100 });
    expect(localnet?.name).to.equal('br-blue_cluster_udn_my.net_worker-a');
    expect(localnet?.columns).to.deep.include({ options: { network_name: 'cluster_udn_my-net' }, tag_request: 100 });
    expect(columnsOf('Logical_Switch_Port')[1]).to.deep.include({ tag_request: [] });
  });

  const defaultRoutes = (gateways: readonly string[]) =>
    columnsOf('Logical_Router_Static_Route', { families: { 4: { ...ipv4, gateways } } })
      .filter(({ ip_prefix }) => ip_prefix === '0.0.0.0/0')
      .map(({ nexthop }) => nexthop);

  it('has a default route by each gateway of the uplink, and none without one', () => {
    expect(defaultRoutes(['192.0.2.1'])).to.deep.equal(['192.0.2.1']);
    expect(defaultRoutes(['192.0.2.1', '192.0.2.2'])).to.deep.equal(['192.0.2.1', '192.0.2.2']);
    expect(defaultRoutes([])).to.deep.equal([]);
  });

  it('gets what the pods of the node send, and nothing else from the cluster router', () => {
    const onClusterRouter = rowsOf('Logical_Router_Static_Route').filter((row) => !isPartOf(row, router));
    expect(
      onClusterRouter.map(({ columns: { ip_prefix, nexthop, policy } }) => [ip_prefix, nexthop, policy]),
    ).to.deep.equal([
      ['10.20.1.0/24', '100.65.0.2', 'src-ip'],
      ['100.65.0.2', '100.65.0.2', undefined],
    ]);
  });

  it('translates the network and its own join address to its masquerade address', () => {
    expect(columnsOf('NAT')).to.deep.equal([
      { type: 'snat', logical_ip: '10.20.0.0/16', external_ip: '169.254.0.11', allowed_ext_ips: [] },
      { type: 'snat', logical_ip: '100.65.0.2', external_ip: '169.254.0.11' },
    ]);
    expect(rowsOf('Address_Set')).to.deep.equal([]);
  });

  it('translates the network towards the nodes of the cluster alone where the pods are advertised', () => {
    const [set] = rowsOf('Address_Set', { isAdvertised: true });
    // Of the characters that ovn-nb(5) allows in names of address sets.
    expect(set?.name).to.equal('cluster_udn_my.net_worker.a_node_ips_v4');
    expect(set?.columns).to.deep.equal({ addresses: ['198.51.100.10', '198.51.100.11'] });
    expect(columnsOf('NAT', { isAdvertised: true })).to.deep.equal([
      { type: 'snat', logical_ip: '10.20.0.0/16', external_ip: '169.254.0.11', allowed_ext_ips: set?.name },
      { type: 'snat', logical_ip: '100.65.0.2', external_ip: '169.254.0.11' },
    ]);
  });

  it('does not translate advertised pods of an address family in which no node has an address', () => {
    const changes = { isAdvertised: true, families: { 4: { ...ipv4, clusterNodeAddresses: [] } } };
    expect(columnsOf('NAT', changes).map(({ logical_ip }) => logical_ip)).to.deep.equal(['100.65.0.2']);
    expect(rowsOf('Address_Set', changes)).to.deep.equal([]);
  });

  it('drops what would go round between the two routers, before all other policies', () => {
    const port = 'rtoj-cluster_udn_my.net_ovn_cluster_router';
    expect(columnsOf('Logical_Router_Policy')[0]).to.deep.equal({
      priority: 1006,
      match: `inport == "${port}" && outport == "${port}"`,
      action: 'drop',
    });
  });

  it('leaves what pods send to the node itself to the management port', () => {
    expect(columnsOf('Logical_Router_Policy')[1]).to.deep.include({
      priority: 1004,
      match: 'inport == "rtos-cluster_udn_my.net_worker-a" && ip4.dst == 192.0.2.6',
      action: 'reroute',
      nexthops: ['10.20.1.2'],
    });
  });

  it('leaves what pods send to other uplinks of the same routing domain to it too, by policies of their own', () => {
    const [, own, ...more] = columnsOf('Logical_Router_Policy', {
      families: { 4: { ...ipv4, otherUplinkAddresses: ['203.0.113.6', '203.0.113.7'] } },
    });
    expect(own).to.deep.equal(columnsOf('Logical_Router_Policy')[1]);
    expect(more.map(({ match, nexthops }) => [match, nexthops])).to.deep.equal(
      ['203.0.113.6', '203.0.113.7'].map((address) => [
        `inport == "rtos-cluster_udn_my.net_worker-a" && ip4.dst == ${address}`,
        ['10.20.1.2'],
      ]),
    );
  });

  it('knows the host by MAC addresses of its own, and gateways by virtual ones', () => {
    expect(columnsOf('Static_MAC_Binding').map(({ ip, mac }) => [ip, mac])).to.deep.equal([
      ['169.254.0.2', '0a:58:a9:fe:00:02'],
      ['169.254.0.4', '0a:58:a9:fe:00:04'],
      ['192.0.2.1', '0a:5a:c0:00:02:01'],
    ]);
  });

  it('is its network’s in every row', () => {
    expect(new Set(gatewayRouterRows(input).map(({ network }) => network))).to.deep.equal(
      new Set(['cluster_udn_my-net']),
    );
  });

  it('has each row once, after the row that refers to it', () => {
    const rows = gatewayRouterRows(input);
    const keys = rows.map(({ table, name }) => `${table} ${name}`);
    expect(new Set(keys).size).to.equal(keys.length);
    for (const [at, { parents = [] }] of rows.entries()) {
      for (const parent of parents) expect(keys.indexOf(rowKey(parent))).to.be.below(at);
    }
  });

  it('has names that lead to the patch port of the bridge', () => {
    const { localnetPort } = gatewayRouterNames('cluster_udn_my-net', 'worker-a', 'br-blue');
    expect(patchPortName(localnetPort)).to.equal('patch-br-blue_cluster_udn_my.net_worker-a-to-br-int');
  });
});

describe('the gateway router of a Layer2 network', () => {
  const between = { routerPort: '100.88.0.4/31', gatewayRouter: '100.88.0.5/31' };
  const ofPods = { ...ipv4, nodeSubnets: ['10.20.0.0/16'], managementAddress: '10.20.0.2' };
  const behindTransitRouter: Partial<GatewayRouterInput> = {
    inside: 'transit-router',
    families: { 4: { ...ofPods, insideAddresses: ['100.88.0.5/31'], between } },
  };
  const { between: _, ...withoutBetween } = ofPods;
  const onSwitch: Partial<GatewayRouterInput> = {
    inside: 'switch',
    families: { 4: { ...withoutBetween, insideAddresses: ['10.20.0.1/16'] } },
  };

  it('is a peer of the transit router, whose port has the same key on all nodes', () => {
    const [, own, other] = rowsOf('Logical_Router_Port', behindTransitRouter);
    expect(own).to.deep.include({
      name: `rtotr-${router}`,
      columns: { mac: '0a:58:64:41:00:02', networks: ['100.65.0.2/16', '100.88.0.5/31'], peer: `trtor-${router}` },
    });
    expect(other).to.deep.include({
      name: `trtor-${router}`,
      parents: [{ table: 'Logical_Router', name: 'cluster_udn_my.net_transit_router', column: 'ports' }],
      columns: {
        mac: '0a:58:64:58:00:04',
        networks: ['100.88.0.4/31'],
        peer: `rtotr-${router}`,
        options: { 'requested-tnl-key': '2' },
      },
    });
    expect(rowsOf('Logical_Switch_Port', behindTransitRouter)).to.have.length(2);
  });

  it('gets the packets of all pods that reach the transit router on this node', () => {
    const routes = rowsOf('Logical_Router_Static_Route', behindTransitRouter);
    expect(
      routes.map(({ parents, columns }) => [
        parents?.[0]?.name,
        columns['ip_prefix'],
        columns['nexthop'],
        columns['policy'],
      ]),
    ).to.deep.equal([
      [router, '0.0.0.0/0', '192.0.2.1', undefined],
      [router, '10.20.0.0/16', '100.88.0.4', undefined],
      ['cluster_udn_my.net_transit_router', '10.20.0.0/16', '100.88.0.5', 'src-ip'],
      ['cluster_udn_my.net_transit_router', '100.65.0.2', '100.88.0.5', undefined],
    ]);
  });

  it('leaves what pods send to the node itself to the management port, by the transit router', () => {
    const [policy] = rowsOf('Logical_Router_Policy', behindTransitRouter);
    expect(policy?.parents?.[0]?.name).to.equal('cluster_udn_my.net_transit_router');
    expect(policy?.columns).to.deep.include({
      match: 'inport == "trtos-cluster_udn_my.net_ovn_layer2_switch" && ip4.dst == 192.0.2.6',
      nexthops: ['10.20.0.2'],
    });
  });

  it('is on the switch of the pods, as their gateway, where there is no transit router', () => {
    const switchName = 'cluster_udn_my.net_ovn_layer2_switch';
    const [, own] = rowsOf('Logical_Router_Port', onSwitch);
    expect(own).to.deep.include({
      name: `rtos-${switchName}`,
      columns: { mac: '0a:58:64:41:00:02', networks: ['100.65.0.2/16', '10.20.0.1/16'] },
    });
    expect(rowsOf('Logical_Switch_Port', onSwitch).at(-1)).to.deep.include({
      name: `stor-${switchName}`,
      parents: [{ table: 'Logical_Switch', name: switchName, column: 'ports' }],
      columns: {
        type: 'router',
        addresses: ['router'],
        options: { 'router-port': `rtos-${switchName}`, 'requested-tnl-key': '2' },
      },
    });
    expect(columnsOf('Logical_Router_Static_Route', onSwitch).map(({ ip_prefix }) => ip_prefix)).to.deep.equal([
      '0.0.0.0/0',
    ]);
    expect(rowsOf('Logical_Router_Policy', onSwitch)).to.deep.equal([]);
  });

  for (const [name, changes] of Object.entries({ behindTransitRouter, onSwitch })) {
    it(`answers by its own address alone, and translates pods and its own errors: ${name}`, () => {
      const [row] = rowsOf('Logical_Router', changes);
      expect(row?.columns['options']).to.include({ lb_force_snat_ip: '100.65.0.2' });
      expect(columnsOf('NAT', changes).map(({ logical_ip }) => logical_ip)).to.deep.equal([
        '10.20.0.0/16',
        '100.65.0.2',
      ]);
    });
  }
});
