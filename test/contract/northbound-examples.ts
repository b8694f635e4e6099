/**
 * Two tenants with the same addresses on one node: the rows of their gateway routers, and of the half of each network that is not ours.
 */
import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import type { GatewayRouterInput } from '../../src/domain/dataplane/gateway-router/gateway-router-input.ts';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { gatewayRouterNames } from '../../src/domain/network/names/gateway-router.ts';
import { northboundRowEntity } from '../../src/domain/entities/ovn/northbound-row.ts';
import type { RowChange } from '../../src/domain/datapath/ovsdb/row-transaction.ts';
import { type EntityOperation, setOperationsOf } from '../../src/domain/entities/operations/operation.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import type { NorthboundOperation } from '../../src/ports/node/northbound.ts';

/** The input from which the gateway router of a network is made. */
export function gatewayRouter(
  network: string,
  changes: Partial<GatewayRouterInput> = {},
  gateways = ['192.0.2.1'],
): GatewayRouterInput {
  return {
    networkName: `cluster_udn_${network}`,
    node: 'worker-a',
    nodeId: 2,
    inside: 'join-switch',
    chassis: 'chassis-a',
    bridge: `br-${network}`,
    macAddress: '0a:00:00:00:00:06',
    mtu: 1400,
    isAdvertised: false,
    families: {
      4: {
        uplinkAddresses: ['192.0.2.6/24'],
        otherUplinkAddresses: [],
        gateways,
        masqueradeAddress: '169.254.0.11/17',
        hostAddresses: ['169.254.0.2', '169.254.0.4'],
        joinAddress: '100.65.0.2/16',
        insideAddresses: [],
        between: { routerPort: '100.65.0.1', gatewayRouter: '100.65.0.2' },
        clusterSubnets: ['10.20.0.0/16'],
        nodeSubnets: ['10.20.1.0/24'],
        managementAddress: '10.20.1.2',
        clusterNodeAddresses: ['198.51.100.10', '198.51.100.11'],
      },
      6: {
        uplinkAddresses: ['2001:db8:b::6/64'],
        otherUplinkAddresses: [],
        gateways: ['2001:db8:b::1'],
        masqueradeAddress: 'fd69::b/112',
        hostAddresses: ['fd69::2', 'fd69::4'],
        joinAddress: 'fd99::2/64',
        insideAddresses: [],
        between: { routerPort: 'fd99::1', gatewayRouter: 'fd99::2' },
        clusterSubnets: ['2001:db8:20::/60'],
        nodeSubnets: ['2001:db8:20:1::/64'],
        managementAddress: '2001:db8:20:1::2',
        clusterNodeAddresses: ['2001:db8:100::10'],
      },
    },
    ...changes,
  };
}

/** The half of a network that OVN-Kubernetes makes: cluster router, join switch and the switch of the node; in the order in which they can be inserted. */
export function ownHalf(input: GatewayRouterInput): readonly NorthboundRow[] {
  const { inside } = gatewayRouterNames(input.networkName, input.node, input.bridge);
  const {
    router: clusterRouter = '',
    joinSwitch = '',
    podSwitch: nodeSwitch,
    podRouterPort: nodeSwitchRouterPort,
  } = inside;
  const onRouter = { table: 'Logical_Router', name: clusterRouter, column: 'ports' } as const;
  const onSwitch = (name: string) => ({ table: 'Logical_Switch', name, column: 'ports' }) as const;
  const portTo = (name: string, port: string, switchName: string): NorthboundRow => ({
    table: 'Logical_Switch_Port',
    name,
    parents: [onSwitch(switchName)],
    columns: { type: 'router', addresses: ['router'], options: { 'router-port': port } },
  });
  const externalIds = { 'k8s.ovn.org/network': input.networkName };
  return [
    { table: 'Logical_Router', name: clusterRouter, columns: { options: {} }, externalIds },
    { table: 'Logical_Switch', name: joinSwitch, columns: {}, externalIds },
    { table: 'Logical_Switch', name: nodeSwitch, columns: {}, externalIds },
    {
      table: 'Logical_Router_Port',
      name: `rtoj-${clusterRouter}`,
      parents: [onRouter],
      columns: { mac: '0a:58:64:41:00:01', networks: ['100.65.0.1/16', 'fd99::1/64'] },
    },
    portTo(`jtor-${clusterRouter}`, `rtoj-${clusterRouter}`, joinSwitch),
    {
      table: 'Logical_Router_Port',
      name: nodeSwitchRouterPort,
      parents: [onRouter],
      columns: { mac: '0a:58:0a:14:01:01', networks: ['10.20.1.1/24', '2001:db8:20:1::1/64'] },
    },
    portTo(`stor-${nodeSwitch}`, nodeSwitchRouterPort, nodeSwitch),
  ];
}

/** The operation that makes changes of rows, at least one. */
export function makeChanges(changes: readonly RowChange[], network = 'blue'): NorthboundOperation {
  const [operation] = setOperationsOf(
    changes.map(({ verb, row }) => ({
      verb,
      networks: [clusterNetworkKey(network)],
      entity: northboundRowEntity(row),
    })),
  );
  if (operation === undefined) throw new Error('there is no row to change');
  // The compiler does not follow that all of them are rows.
  return operation as NorthboundOperation;
}

/** The operation that makes one change of each of some rows, at least one. */
export function changeRows(
  verb: RowChange['verb'],
  rows: readonly NorthboundRow[],
  network = 'blue',
): NorthboundOperation {
  return makeChanges(
    rows.map((row) => ({ verb, row })),
    network,
  );
}

/** The operation that inserts the gateway router of a network. */
export function insertGatewayRouter(input: GatewayRouterInput, network = 'blue'): NorthboundOperation {
  return changeRows('add', gatewayRouterRows(input), network);
}

/** The operation that deletes it: rows before those that refer to them. */
export function deleteGatewayRouter(input: GatewayRouterInput, network = 'blue'): NorthboundOperation {
  return changeRows('remove', gatewayRouterRows(input).toReversed(), network);
}

/** The operation that opens the port of a gateway router to the bridge, or closes it. */
export function openRouterPort(
  verb: 'add' | 'remove',
  input: GatewayRouterInput,
  network = 'blue',
): EntityOperation<'open-router-port'> {
  const { networkName, node, bridge } = input;
  const { externalRouterPort: routerPort } = gatewayRouterNames(networkName, node, bridge);
  return {
    verb,
    networks: [clusterNetworkKey(network)],
    entity: { kind: 'open-router-port', routerPort, network: networkName, bridge },
  };
}

/** The operation that does several of these. */
export function openRouterPorts(changes: readonly EntityOperation<'open-router-port'>[]): NorthboundOperation {
  const [first] = changes;
  const networks = changes.flatMap((change) => change.networks);
  return { verb: 'change', networks, kind: 'open-router-port', set: first?.entity.bridge ?? '', changes };
}
