import { CHASSIS_SELECTION, readChassis } from '../../../../src/adapters/ovn/chassis-selection.ts';
import { readNorthbound } from '../../../../src/adapters/ovn/dump.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../src/domain/conventions.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  emptyCluster,
  meaningOf,
  type Node,
  type NodeSettings,
  type NodeSnapshot,
  planNode,
} from '../../../../src/domain/index.ts';
import { nodeReportName, reportData } from '../../../../src/domain/allocation/node-report.ts';
import { zoneNames } from '../../../../src/domain/dataplane/zone/names.ts';
import { canonicalAddress, macAddressOf } from '../../../../src/domain/ip-address.ts';
import { describeProblem } from '../../../../src/ports/input-problem.ts';
import { completeNode } from '../../../../src/testing/index.ts';
import { clusterOf } from '../clusters.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { NORTHBOUND } from '../packets/packet-node.ts';
import { prepare } from '../prepare.ts';

/** Where the Southbound database of a node is. */
const SOUTHBOUND = 'unix:/run/ovn/ovnsb_db.sock';

/** A node of the cluster: its id is its number, its chassis has its name. */
export interface ZonePlace {
  readonly name: string;
  readonly id: number;
  /** Its address in the network of the cluster's nodes, where its tunnels end. */
  readonly address: string;
}

/** A pod of a tenant on a node. */
export interface ZonePod {
  readonly tenant: string;
  readonly place: ZonePlace;
  /** Its number in the subnets of the node. */
  readonly number: number;
}

/** The tenants, which have the same subnets. Their ids are their places here. */
export const tenants = ['blue', 'red'] as const;

const networkName = (tenant: string) => `cluster_udn_${tenant}`;

/** The network namespace of a pod, and the name of its port. */
export const podName = ({ tenant, place, number }: ZonePod) => `${tenant}-${place.id}-${number}`;

/** Addresses of a pod: 10.20.0.0/16 and fd20::/48 are divided among the nodes from id 2 on. */
export const podAddresses = ({ place, number }: ZonePod): readonly [string, string] => [
  `10.20.${place.id - 2}.${number}`,
  canonicalAddress(`fd20:0:0:${place.id - 2}::${number}`),
];

const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };

/** A cluster with nodes and tenants, whose ids are claimed and reported. */
export function zoneCluster(places: readonly ZonePlace[], names: readonly string[] = tenants): ClusterSnapshot {
  const networks = clusterOf(
    names.map((name) => ({ name, device: 'none' })),
    { devices: ['none'], names: [...tenants] },
  ).clusterUserDefinedNetworks;
  const node = ({ name, address }: ZonePlace): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: {
        [CHASSIS_ID_ANNOTATION]: name,
        [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([address]),
        [NODE_REPORT_ANNOTATION]: nodeReportName(name),
      },
    },
  });
  const claims = [
    ...tenants.map((name, index) => [`network-${index + 1}`, networkName(name)] as const),
    ...places.map(({ name, id }) => [`node-${id}`, name] as const),
  ];
  const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: settings.namespace, name },
    data,
  });
  const ids = tenants.map((_, index) => index + 1);
  return {
    ...emptyCluster,
    nodes: places.map(node),
    clusterUserDefinedNetworks: networks,
    configMaps: [
      configMap(ID_CLAIMS_NAME, Object.fromEntries(claims)),
      ...places.map(({ name }) => configMap(nodeReportName(name), reportData({ name, uid: '' }, ids, []))),
    ],
  };
}

/** Starts a node with OVN, whose tunnels end at its network card. */
export async function startZoneNode(machine: Machine, { name, address }: ZonePlace): Promise<LabNode> {
  const node = await machine.node(name, { ovn: true, networkCard: true });
  await prepare(node, [
    ip`link set vec0 up`,
    ip`address add ${`${address}/24`} dev vec0`,
    ovsVsctl`set Open_vSwitch . ${`external_ids:ovn-encap-ip=${address}`} external_ids:ovn-is-interconn=true`,
  ]);
  return node;
}

/** The node as far as networks as a whole are concerned: the rows of its Northbound database, and the chassis of its Southbound database. */
export async function observed(node: LabNode): Promise<NodeSnapshot> {
  const dump = await node.does(['ovsdb-client', '--format=json', 'dump', NORTHBOUND, 'OVN_Northbound']);
  const reading = readNorthbound(dump, NORTHBOUND);
  if (!reading.read) throw new Error(reading.problems.map(describeProblem).join('\n'));
  const selected = await node.does(['ovsdb-client', 'transact', SOUTHBOUND, CHASSIS_SELECTION]);
  const chassis = readChassis(selected, SOUTHBOUND);
  if (!chassis.read) throw new Error(chassis.problems.map(describeProblem).join('\n'));
  return { ...completeNode({ nodeName: node.name }), ...reading.value, chassis: chassis.value };
}

/** Applies what is planned for a node in its databases, and waits until ovn-controller has processed it. Gives the number of operations. */
export async function applyZones(node: LabNode, cluster: ClusterSnapshot): Promise<number> {
  const planned = await observed(node);
  const operations = diffNode(planNode(cluster, planned, settings), planned);
  for (const operation of operations) {
    // A transaction requires the rows that are alike to be those that were read, and networks with the same subnets have routes that are alike.
    const command = meaningOf(operation).command(operation, await observed(node));
    if (command === undefined) throw new Error(`${meaningOf(operation).summary(operation)} has no command`);
    const printed = await node.does([command.program, ...command.arguments]);
    if (printed.includes('"error"')) throw new Error(`${meaningOf(operation).summary(operation)}: ${printed}`);
  }
  await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
  return operations.length;
}

/** Commands that make a pod, as a CNI plugin does, and its port on the switch of its node. */
function podCommands(pod: ZonePod): readonly ArgumentVector[] {
  const name = podName(pod);
  const addresses = podAddresses(pod);
  const mac = macAddressOf(addresses[0]);
  const router = podAddresses({ ...pod, number: 1 });
  const { nodeSwitch } = zoneNames(networkName(pod.tenant), pod.place.name);
  return [
    ip`netns add ${name}`,
    ip`link add ${name} up type veth peer name eth0 netns ${name}`,
    ip`-n ${name} link set lo up`,
    ip`-n ${name} link set eth0 address ${mac} mtu 1400 up`,
    ip`-n ${name} address add ${`${addresses[0]}/24`} dev eth0`,
    ip`-n ${name} address add ${`${addresses[1]}/64`} dev eth0 nodad`,
    ...router.map((address) => ip`-n ${name} route add default via ${address}`),
    ovsVsctl`add-port br-int ${name} -- set Interface ${name} ${`external_ids:iface-id=${name}`}`,
    ['ovn-nbctl', 'lsp-add', nodeSwitch, name, '--', 'lsp-set-addresses', name, `${mac} ${addresses.join(' ')}`],
  ];
}

/** Makes the pods of a node, which answer. */
export async function startPods(node: LabNode, pods: readonly ZonePod[]): Promise<void> {
  await prepare(node, pods.flatMap(podCommands));
  await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
  await startAnswering(node, pods.map(podName));
}
