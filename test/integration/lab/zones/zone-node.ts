import { SOUTHBOUND_SELECTION, readSouthbound } from '../../../../src/adapters/ovn/southbound-selection.ts';
import { readNorthbound } from '../../../../src/adapters/ovn/dump.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  emptyCluster,
  type Node,
  type NodeSnapshot,
} from '../../../../src/domain/index.ts';
import { nodeReportName, reportData } from '../../../../src/domain/network/allocation/node-report.ts';
import { logicalNetworkNames } from '../../../../src/domain/network/names/logical-network.ts';
import { canonicalAddress, macAddressOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { describeProblem, type Reading } from '../../../../src/ports/input-problem.ts';
import { MANIFESTS, NodeAgent, ovnUplinks } from '../agent/node-agent.ts';
import { clusterOf } from '../clusters.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { NORTHBOUND } from '../packets/packet-node.ts';
import { prepare } from '../prepare.ts';

/** Where the Southbound database of a node is. */
export const SOUTHBOUND = 'unix:/run/ovn/ovnsb_db.sock';

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
    metadata: { namespace: defaultSettings.namespace, name },
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
    ovsVsctl`set Open_vSwitch . ${`external_ids:ovn-encap-ip=${address}`}`,
  ]);
  return node;
}

/** The content of a node's databases of OVN, and the external_ids of Open vSwitch. */
export interface ZoneContent {
  readonly northbound: NodeSnapshot['northbound'];
  readonly chassis: NodeSnapshot['chassis'];
  readonly remotePorts: NodeSnapshot['remotePorts'];
  readonly externalIds: string;
}

function valueOf<Value>(reading: Reading<Value>): Value {
  if (!reading.read) throw new Error(reading.problems.map(describeProblem).join('\n'));
  return reading.value;
}

/** Reads that. */
export async function observed(node: LabNode): Promise<ZoneContent> {
  const dump = await node.does(['ovsdb-client', '--format=json', 'dump', NORTHBOUND, 'OVN_Northbound']);
  const selected = await node.does(['ovsdb-client', 'transact', SOUTHBOUND, SOUTHBOUND_SELECTION]);
  return {
    northbound: valueOf(readNorthbound(dump, NORTHBOUND)).northbound,
    ...valueOf(readSouthbound(selected, SOUTHBOUND)),
    externalIds: await node.does(ovsVsctl`get Open_vSwitch . external_ids`),
  };
}

/** The command of an agent that provides all networks, with further options. */
function agentCommand({ name }: LabNode, ...words: readonly string[]): ArgumentVector {
  const databases = ['--ovn-northbound', NORTHBOUND, '--ovn-southbound', SOUTHBOUND];
  return ovnUplinks('node', '--node', name, '--manifests', MANIFESTS, '--networks', 'all', ...databases, ...words);
}

/** Has the agent do once what a cluster requires, and gives what it prints that there is still to do. */
export async function applyCluster(node: LabNode, cluster: ClusterSnapshot): Promise<string> {
  await NodeAgent.prepare(node, cluster);
  await node.does(agentCommand(node, '--once', '--log-level', 'warn'));
  return await node.does(agentCommand(node, '--dry-run'));
}

/** Has the agent remove everything from a node. */
export async function cleanUp(node: LabNode): Promise<void> {
  await node.does(agentCommand(node, '--cleanup', '--log-level', 'warn'));
}

/** Commands that make a pod, as a CNI plugin does, and its port on the switch of its node. */
function podCommands(pod: ZonePod): readonly ArgumentVector[] {
  const name = podName(pod);
  const addresses = podAddresses(pod);
  const mac = macAddressOf(addresses[0]);
  const router = podAddresses({ ...pod, number: 1 });
  const { nodeSwitch } = logicalNetworkNames(networkName(pod.tenant), pod.place.name);
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
