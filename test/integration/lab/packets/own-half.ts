import { macAddressOf } from '../../../../src/domain/ip-address.ts';
import { gatewayRouterNames } from '../../../../src/domain/dataplane/gateway-router/names.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';
import { bridgeOf, common, type Tenant } from './tenant.ts';

/** The first part of an address with its last number: all subnets here end before it. */
function addressIn(subnet: string, offset: number): string {
  const [network = ''] = subnet.split('/');
  return network.includes(':') ? `${network}${offset}` : network.replace(/\d+$/, String(offset));
}

/** The address at an offset in each of some subnets. */
function addressesIn(subnets: readonly string[], offset: number): readonly string[] {
  return subnets.map((subnet) => addressIn(subnet, offset));
}

function withLengths(subnets: readonly string[], offset: number): readonly string[] {
  return subnets.map((subnet) => `${addressIn(subnet, offset)}/${subnet.split('/')[1]}`);
}

const CLUSTER_ROUTER = 1;
const NODE_ROUTER = 1;
const MANAGEMENT_PORT = 2;
const POD = 5;

/** Addresses of a tenant's pod on the node, and of the management port. */
export const podAddresses = addressesIn(common.nodeSubnets, POD);

/** The network namespace of a tenant's pod (ip-netns(8)). */
export const podNamespace = ({ name }: Tenant) => `${name}-pod`;

const macAddressesOf = (addresses: readonly string[]) => macAddressOf(addresses[0] ?? '');

/** Words of ovn-nbctl for a port of a switch that leads to a router's port. */
function toRouter(switchName: string, port: string, routerPort: string): readonly string[] {
  return [
    ...['--', 'lsp-add', switchName, port, '--', 'lsp-set-type', port, 'router'],
    ...['--', 'lsp-set-addresses', port, 'router', '--', 'lsp-set-options', port, `router-port=${routerPort}`],
  ];
}

/** Words of ovn-nbctl for a port of a switch with one MAC address and some IP addresses. */
function withAddresses(switchName: string, port: string, addresses: readonly string[]): readonly string[] {
  const text = `${macAddressesOf(addresses)} ${addresses.join(' ')}`;
  return ['--', 'lsp-add', switchName, port, '--', 'lsp-set-addresses', port, text];
}

/**
 * The network's own half of OVN on a node, as OVN-Kubernetes makes it (docs/design/field-facts.md): join switch, cluster router, node switch,
 * management port, and a pod.
 */
export function ownHalf(tenant: Tenant, node: string): readonly ArgumentVector[] {
  const { clusterRouter, joinSwitch, nodeSwitch, nodeSwitchRouterPort } = gatewayRouterNames(
    `cluster_udn_${tenant.name}`,
    node,
    bridgeOf(tenant.uplink),
  );
  const joinRouterPort = `rtoj-${clusterRouter}`;
  const managementPort = `ovn-k8s-mp${tenant.networkId}`;
  const managementAddresses = addressesIn(common.nodeSubnets, MANAGEMENT_PORT);
  const joinNetworks = withLengths(common.joinSubnets, CLUSTER_ROUTER);
  const nodeNetworks = withLengths(common.nodeSubnets, NODE_ROUTER);
  const pod = podNamespace(tenant);
  return [
    [
      ...['ovn-nbctl', 'ls-add', nodeSwitch, '--', 'lr-add', clusterRouter, '--', 'ls-add', joinSwitch],
      ...['--', 'lrp-add', clusterRouter, nodeSwitchRouterPort, macAddressOf(addressIn(common.nodeSubnets[0], 1))],
      ...nodeNetworks,
      ...['--', 'lrp-add', clusterRouter, joinRouterPort, macAddressOf(addressIn(common.joinSubnets[0], 1))],
      ...joinNetworks,
      ...toRouter(nodeSwitch, `stor-${nodeSwitch}`, nodeSwitchRouterPort),
      ...toRouter(joinSwitch, `jtor-${clusterRouter}`, joinRouterPort),
      ...withAddresses(nodeSwitch, `k8s-${nodeSwitch}`, managementAddresses),
      ...withAddresses(nodeSwitch, pod, podAddresses),
    ],
    ip`netns add ${pod}`,
    ip`link add ${pod} up type veth peer name eth0 netns ${pod}`,
    ip`-n ${pod} link set lo up`,
    ip`-n ${pod} link set eth0 address ${macAddressesOf(podAddresses)} mtu ${common.mtu} up`,
    ...podAddresses.map(
      (address, index) => ip`-n ${pod} address add ${address}/${[24, 64][index] ?? 0} dev eth0 nodad`,
    ),
    ...addressesIn(common.nodeSubnets, NODE_ROUTER).map((router) => ip`-n ${pod} route add default via ${router}`),
    [
      ...ovsVsctl`add-port br-int ${pod} -- set Interface ${pod} ${`external_ids:iface-id=${pod}`}`,
      ...ovsVsctl`-- add-port br-int ${managementPort} -- set Interface ${managementPort} type=internal`.slice(1),
      `mac="${macAddressesOf(managementAddresses)}"`,
      `external_ids:iface-id=k8s-${nodeSwitch}`,
    ],
    ip`link set ${managementPort} up`,
    ...withLengths(common.nodeSubnets, MANAGEMENT_PORT).map((cidr) => ip`address add ${cidr} dev ${managementPort}`),
  ];
}
