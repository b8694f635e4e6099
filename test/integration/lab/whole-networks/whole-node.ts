import { join, resolve } from 'node:path';
import type { Node } from '../../../../src/domain/index.ts';

import type { LabCluster } from '../cluster/lab-cluster.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { providerNamespace, uplinksWithProviders } from '../packets/provider.ts';
import type { LabUplink } from '../packets/tenant.ts';
import { prepare } from '../prepare.ts';
import type { Userland } from '../userland.ts';
import { visibleCniPrograms } from './visible-cni-programs.ts';

const RESTART = resolve(import.meta.dirname, '../inside/restart.py');

/** Where a node has the configurations of its networks. */
export const NETWORKS = '/run/cni/net.d';

/** A node of a cluster. */
export interface WholePlace {
  readonly name: string;
  /** In the network of the cluster's nodes, where its tunnels end. */
  readonly address: string;
  /** Its address there in IPv6; absent where it has none, or none that it says. */
  readonly address6?: string;
  /** Of the default network's pods on it, CIDR. */
  readonly podSubnet: string;
  /** The subnet of these pods in IPv6; absent where that network has IPv4 only. */
  readonly podSubnet6?: string;
  /** Its uplinks, each with a provider that answers; absent if it has none. */
  readonly uplinks?: readonly LabUplink[];
}

/** Addresses in the status of a Node. */
export const internalIps = (...addresses: readonly string[]) =>
  addresses.map((address) => ({ type: 'InternalIP', address }));

/** The Node, as its kubelet creates it, with its IPv4 address. */
export function nodeObject({ name, address, podSubnet, podSubnet6 }: WholePlace): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { podCIDRs: [podSubnet, ...(podSubnet6 === undefined ? [] : [podSubnet6])] },
    status: { addresses: internalIps(address) },
  };
}

/** The default network: pods reach their node, and nothing beyond it. */
function defaultNetwork({ podSubnet, podSubnet6 }: WholePlace): string {
  const hasIpv6 = podSubnet6 !== undefined;
  const ipam = {
    type: 'host-local',
    ranges: [[{ subnet: podSubnet }], ...(hasIpv6 ? [[{ subnet: podSubnet6 }]] : [])],
    routes: [{ dst: '0.0.0.0/0' }, ...(hasIpv6 ? [{ dst: '::/0' }] : [])],
  };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'default', plugins: [{ type: 'ptp', ipam }] });
}

/** How a node is started. */
export interface WholeNodeOptions {
  /** Whose programs it has. */
  readonly userland?: Userland;
  /** Whether it has OVN, which may come in pods instead: true by default. */
  readonly ovn?: boolean;
  /** MiB of its machine's memory. */
  readonly memory?: number;
}

/** The default route of a node itself, by the network of the cluster's nodes. */
export const ownDefaultRoute = ip`route add default via 198.51.100.1 dev vec0 metric 48`;

/** Starts a node with the programs of CNI, OVN, and its uplinks. */
export async function startWholeNode(
  lab: LabCluster,
  place: WholePlace,
  { ovn = true, ...ofMachine }: WholeNodeOptions = {},
): Promise<LabNode> {
  const { uplinks = [] } = place;
  const machine = await lab.machine(place.name, ofMachine);
  const node = await machine.node(place.name, { ovn, networkCard: true });
  await node.does(
    ovn
      ? ovsVsctl`set Open_vSwitch . ${`external_ids:ovn-encap-ip=${place.address}`}`
      : // As the service of Open vSwitch does.
        ovsVsctl`set Open_vSwitch . ${`external_ids:system-id=${place.name}`} ${`external_ids:hostname=${place.name}`}`,
  );
  await connect(lab, node, place);
  await addUplinks(node, uplinks, uplinksWithProviders(uplinks));
  return node;
}

/** Gives a node its uplinks by commands, each with a provider that answers. */
async function addUplinks(
  node: LabNode,
  uplinks: readonly LabUplink[],
  commands: readonly ArgumentVector[],
): Promise<void> {
  if (uplinks.length === 0) return;
  await prepare(node, [ownDefaultRoute, ...commands]);
  await startAnswering(node, uplinks.map(providerNamespace));
}

/** Gives a node that runs its first uplinks, each with a provider that answers. */
export async function addBridges(node: LabNode, uplinks: readonly LabUplink[]): Promise<void> {
  await prepare(node, uplinksWithProviders(uplinks));
  await startAnswering(node, uplinks.map(providerNamespace));
}

/** Gives a node its address in the network of the cluster's nodes, the default network, and what an agent needs of the cluster. */
async function connect(lab: LabCluster, node: LabNode, place: WholePlace): Promise<void> {
  await prepare(node, [
    // Its link-local address would come some time after the first look at the node.
    ip`link set vec0 addrgenmode none`,
    ip`link set vec0 up`,
    ip`address add ${`${place.address}/24`} dev vec0`,
    // cnitool and host-local keep their state below it.
    ['/bin/mount', '-t', 'tmpfs', 'tmpfs', '/var/lib'],
    ['/bin/busybox', 'mkdir', '-p', NETWORKS],
  ]);
  await node.write(join(NETWORKS, '10-default.conflist'), defaultNetwork(place));
  await lab.join(node);
}

/** The databases of a node with OVN, which are on the disk of a real one. */
const DATABASES = ['/run/openvswitch/conf.db', '/run/ovn/ovnnb_db.db', '/run/ovn/ovnsb_db.db'] as const;

/** The daemons of a node with OVN, in the order in which they are started. */
const DAEMONS = ['ovsdb-server', 'ovs-vswitchd', 'ovnnb_db', 'ovnsb_db', 'ovn-northd', 'ovn-controller'] as const;

/**
 * Ends a node at once, and starts it again on its machine: it has its databases as they were, the configuration of its host interfaces, and nothing else of
 * what was there.
 */
export async function rebooted(lab: LabCluster, node: LabNode, place: WholePlace): Promise<LabNode> {
  const contents: string[] = [];
  for (const path of DATABASES) contents.push(await node.read(path));
  await node.end();
  const machine = await lab.machine(place.name);
  const again = await machine.node(place.name, { openVSwitch: false, networkCard: true });
  const folders = ['openvswitch', 'ovn'].flatMap((name) => [`/run/${name}`, `/var/log/${name}`]);
  await again.does(['/bin/busybox', 'mkdir', ...folders]);
  for (const [index, path] of DATABASES.entries()) await again.write(path, contents[index]!);
  await connect(lab, again, place);
  await again.does([RESTART, ...DAEMONS]);
  const { uplinks = [] } = place;
  // Their bridges are in the database.
  const commands = uplinksWithProviders(uplinks).filter(([program]) => program !== 'ovs-vsctl');
  await addUplinks(again, uplinks, commands);
  return again;
}

/** Gives a node that runs an empty Northbound database in place of its own (../inside/ovn). */
export async function loseNorthbound(node: LabNode): Promise<void> {
  const [, file] = DATABASES;
  const row = '["OVN_Northbound", {"op": "insert", "table": "NB_Global", "row": {}}]';
  await node.does(
    ['ovs-appctl', `--target=${file.replace(/db$/, 'ctl')}`, 'exit'],
    ['/bin/busybox', 'rm', file],
    ['ovsdb-tool', 'create', file, '/usr/share/ovn/ovn-nb.ovsschema'],
    ['ovsdb-tool', 'transact', file, row],
    [RESTART, 'ovnnb_db'],
  );
}

/** The command of a program of CNI with variables of its environment. */
export function cniCommand(
  program: 'cnitool' | 'ovn-uplinks-cni',
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  const programs = visibleCniPrograms();
  const all = { CNI_PATH: programs, NETCONFPATH: NETWORKS, ...variables };
  const environment = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return ['/usr/bin/env', ...environment, join(programs, program), ...words];
}
