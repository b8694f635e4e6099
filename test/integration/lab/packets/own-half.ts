import { macAddressOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { gatewayRouterNames } from '../../../../src/domain/network/names/gateway-router.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';
import { bridgeOf, common, nodeSubnetsOf, type Tenant } from './tenant.ts';

/** Replaces the last number of an address: all subnets here end before it. */
function addressIn(subnet: string, offset: number): string {
  const [network = ''] = subnet.split('/');
  return network.includes(':') ? `${network}${offset}` : network.replace(/\d+$/, String(offset));
}

/** The address at an offset in each subnet. */
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

/** Addresses of a tenant's pod on its node. */
export const podAddressesOf = (tenant: Tenant) => addressesIn(nodeSubnetsOf(tenant.uplink), POD);

/** Addresses of a tenant's pod on the node that most tests have. */
export const podAddresses = addressesIn(common.nodeSubnets, POD);

/** The network namespace of a tenant's pod (ip-netns(8)). */
export const podNamespace = ({ name }: Tenant) => `${name}-pod`;

const managementAddressesOf = (tenant: Tenant) => addressesIn(nodeSubnetsOf(tenant.uplink), MANAGEMENT_PORT);

const macAddressesOf = (addresses: readonly string[]) => macAddressOf(addresses[0] ?? '');

/** MAC addresses of tenants' pods on that node, and of the routers' ports to them. */
export const podMac = macAddressesOf(podAddresses);
export const routerMac = macAddressOf(addressIn(common.nodeSubnets[0], NODE_ROUTER));

/** Arguments of ovn-nbctl for a switch port that is connected to a router port. */
function toRouter(switchName: string, port: string, routerPort: string): readonly string[] {
  return [
    ...['--', 'lsp-add', switchName, port, '--', 'lsp-set-type', port, 'router'],
    ...['--', 'lsp-set-addresses', port, 'router', '--', 'lsp-set-options', port, `router-port=${routerPort}`],
  ];
}

/**
 * Arguments of ovn-nbctl for a switch port with one MAC address and some IP addresses.
 *
 * @param port its name; for a port behind another one, also that port and the VLAN
 */
function withAddresses(
  switchName: string,
  [port = '', ...behind]: readonly string[],
  addresses: readonly string[],
): readonly string[] {
  const text = `${macAddressesOf(addresses)} ${addresses.join(' ')}`;
  return ['--', 'lsp-add', switchName, port, ...behind, '--', 'lsp-set-addresses', port, text];
}

const namesOf = (tenant: Tenant, node: string) =>
  gatewayRouterNames(`cluster_udn_${tenant.name}`, node, bridgeOf(tenant.uplink), tenant.layer2);

/** A pod that is one of many behind one port: a VLAN of the port tells which (ovn-nb(5), Logical_Switch_Port, parent_name). */
export interface Behind {
  readonly port: string;
  readonly tag: number;
}

/** Name of the management port of a tenant on the switch of its pods. */
const managementSwitchPort = ({ name }: Tenant, node: string) => `k8s-cluster_udn_${name}_${node}`;

/** Arguments of ovn-nbctl for the switch of a Layer2 tenant, with its transit router if it has one, the management port and a pod. */
function layer2HalfWords(tenant: Tenant, node: string): readonly string[] {
  const { podSwitch, podRouterPort, router } = namesOf(tenant, node).inside;
  const mac = macAddressOf(addressIn(common.clusterSubnets[0], NODE_ROUTER));
  return [
    ...['--', 'ls-add', podSwitch],
    ...(router === undefined
      ? []
      : [
          ...['--', 'lr-add', router, '--', 'lrp-add', router, podRouterPort, mac],
          ...withLengths(common.clusterSubnets, NODE_ROUTER),
          ...toRouter(podSwitch, `stotr-${podSwitch}`, podRouterPort),
        ]),
    ...withAddresses(podSwitch, [managementSwitchPort(tenant, node)], managementAddressesOf(tenant)),
    ...withAddresses(podSwitch, [podNamespace(tenant)], podAddressesOf(tenant)),
  ];
}

/** Arguments of ovn-nbctl for a tenant's half of OVN: for Layer3, join switch, cluster router and node switch, with the management port and a pod. */
export function ownHalfWords(tenant: Tenant, node: string, behind?: Behind): readonly string[] {
  if (tenant.layer2 !== undefined) return layer2HalfWords(tenant, node);
  const {
    router: clusterRouter = '',
    joinSwitch = '',
    podSwitch: nodeSwitch,
    podRouterPort: nodeSwitchRouterPort,
    joinRouterPort = '',
  } = namesOf(tenant, node).inside;
  const nodeSubnets = nodeSubnetsOf(tenant.uplink);
  const pod = podNamespace(tenant);
  return [
    ...['--', 'ls-add', nodeSwitch, '--', 'lr-add', clusterRouter, '--', 'ls-add', joinSwitch],
    ...[
      '--',
      'lrp-add',
      clusterRouter,
      nodeSwitchRouterPort,
      macAddressOf(addressIn(nodeSubnets[0] ?? '', NODE_ROUTER)),
    ],
    ...withLengths(nodeSubnets, NODE_ROUTER),
    ...['--', 'lrp-add', clusterRouter, joinRouterPort, macAddressOf(addressIn(common.joinSubnets[0], 1))],
    ...withLengths(common.joinSubnets, CLUSTER_ROUTER),
    ...toRouter(nodeSwitch, `stor-${nodeSwitch}`, nodeSwitchRouterPort),
    ...toRouter(joinSwitch, `jtor-${clusterRouter}`, joinRouterPort),
    ...withAddresses(nodeSwitch, [managementSwitchPort(tenant, node)], managementAddressesOf(tenant)),
    ...withAddresses(
      nodeSwitch,
      [pod, ...(behind === undefined ? [] : [behind.port, String(behind.tag)])],
      podAddressesOf(tenant),
    ),
  ];
}

const managementPortOf = ({ networkId }: Tenant) => `ovn-k8s-mp${networkId}`;

/** Commands that enslave a tenant's management port to the network's own VRF, as OVN-Kubernetes does. */
export function managementPortInVrf(tenant: Tenant): readonly ArgumentVector[] {
  const managementPort = managementPortOf(tenant);
  return [
    ip`link set ${managementPort} master ${tenant.name}`,
    // IPv6 addresses do not outlast that.
    ...withLengths(nodeSubnetsOf(tenant.uplink), MANAGEMENT_PORT).map(
      (cidr) => ip`address replace ${cidr} dev ${managementPort} nodad`,
    ),
  ];
}

/**
 * In the network namespace of a pod (Documentation/networking/ip-sysctl.rst). OVN has ovn-controller answer neighbour solicitations for its routers
 * (ovn-northd(8), nd_na_router): one that does not get its turn for three seconds on a busy machine would cost packets of IPv6, as it was seen to do.
 */
const TRUSTED_FOR_AN_HOUR = 'net.ipv6.neigh.eth0.base_reachable_time_ms=3600000';

/**
 * The part of a network in OVN on a node that OVN-Kubernetes makes (docs/design/field-facts.md): join switch, cluster router, node switch, management
 * port, and a pod.
 */
export function ownHalf(tenant: Tenant, node: string): readonly ArgumentVector[] {
  const managementPort = managementPortOf(tenant);
  const podSubnets = nodeSubnetsOf(tenant.uplink);
  const pod = podNamespace(tenant);
  return [
    ['ovn-nbctl', ...ownHalfWords(tenant, node).slice(1)],
    ip`netns add ${pod}`,
    ip`link add ${pod} up type veth peer name eth0 netns ${pod}`,
    ip`-n ${pod} link set lo up`,
    ['ip', 'netns', 'exec', pod, 'sysctl', '-qw', TRUSTED_FOR_AN_HOUR],
    ip`-n ${pod} link set eth0 address ${macAddressesOf(podAddressesOf(tenant))} mtu ${common.mtu} up`,
    ...withLengths(podSubnets, POD).map((cidr) => ip`-n ${pod} address add ${cidr} dev eth0 nodad`),
    ...addressesIn(podSubnets, NODE_ROUTER).map((router) => ip`-n ${pod} route add default via ${router}`),
    [
      ...ovsVsctl`add-port br-int ${pod} -- set Interface ${pod} ${`external_ids:iface-id=${pod}`}`,
      ...ovsVsctl`-- add-port br-int ${managementPort} -- set Interface ${managementPort} type=internal`.slice(1),
      `mac="${macAddressesOf(managementAddressesOf(tenant))}"`,
      `external_ids:iface-id=${managementSwitchPort(tenant, node)}`,
    ],
    ip`link set ${managementPort} up`,
    ...withLengths(podSubnets, MANAGEMENT_PORT).map((cidr) => ip`address add ${cidr} dev ${managementPort}`),
  ];
}
