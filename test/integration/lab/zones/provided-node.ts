import { nodeReportName, reportData } from '../../../../src/domain/network/allocation/node-report.ts';
import { ID_CLAIMS_NAME, NODE_REPORT_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { logicalNetworkNames } from '../../../../src/domain/network/names/logical-network.ts';
import { type ClusterSnapshot, defaultSettings } from '../../../../src/domain/index.ts';
import { macAddressOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { podAddresses, podNamespace } from '../packets/own-half.ts';
import { defaultBridge, NORTHBOUND } from '../packets/packet-node.ts';
import { providerNamespace, uplinksWithProviders } from '../packets/provider.ts';
import { clusterWith, common, type Tenant, uplinksOf } from '../packets/tenant.ts';
import { prepare } from '../prepare.ts';

const SOUTHBOUND = 'unix:/run/ovn/ovnsb_db.sock';

const networkName = ({ name }: Tenant) => `cluster_udn_${name}`;

/** A cluster with the networks of tenants, whose ids are claimed, and reported by the node. */
export function providedCluster(tenants: readonly Tenant[], all: readonly Tenant[] = tenants): ClusterSnapshot {
  const cluster = clusterWith(tenants);
  const [node, ...others] = cluster.nodes;
  if (node === undefined) throw new Error('there is no node');
  const { name, annotations = {} } = node.metadata;
  const claims = [
    ...all.map((tenant) => [`network-${tenant.networkId}`, networkName(tenant)] as const),
    [`node-${common.nodeId}`, name] as const,
  ];
  const ids = all.map(({ networkId }) => networkId);
  const configMap = (of: string, data: Readonly<Record<string, string>>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: defaultSettings.namespace, name: of },
    data,
  });
  return {
    ...cluster,
    nodes: [
      { ...node, metadata: { name, annotations: { ...annotations, [NODE_REPORT_ANNOTATION]: nodeReportName(name) } } },
      ...others,
    ],
    networkAttachmentDefinitions: [],
    configMaps: [
      configMap(ID_CLAIMS_NAME, Object.fromEntries(claims)),
      configMap(nodeReportName(name), reportData({ name, uid: '' }, ids, [])),
    ],
  };
}

/** Commands that make a tenant's pod, as a CNI plugin does. */
function podCommands(tenant: Tenant, node: string): readonly ArgumentVector[] {
  const name = podNamespace(tenant);
  const mac = macAddressOf(podAddresses[0] ?? '');
  const { nodeSwitch } = logicalNetworkNames(networkName(tenant), node);
  return [
    ip`netns add ${name}`,
    ip`link add ${name} up type veth peer name eth0 netns ${name}`,
    ip`-n ${name} link set lo up`,
    ip`-n ${name} link set eth0 address ${mac} mtu ${common.mtu} up`,
    ip`-n ${name} address add ${`${podAddresses[0] ?? ''}/24`} dev eth0`,
    ip`-n ${name} address add ${`${podAddresses[1] ?? ''}/64`} dev eth0 nodad`,
    ip`-n ${name} route add default via 10.20.1.1`,
    ip`-n ${name} route add default via fd20:0:0:1::1`,
    ovsVsctl`add-port br-int ${name} -- set Interface ${name} ${`external_ids:iface-id=${name}`}`,
    ['ovn-nbctl', 'lsp-add', nodeSwitch, name, '--', 'lsp-set-addresses', name, `${mac} ${podAddresses.join(' ')}`],
  ];
}

/** A node with the bridges and providers of tenants, whose networks an agent provides, and with their pods, which answer. */
export async function providedNode(
  tenants: readonly Tenant[],
  machine: Machine,
): Promise<{ readonly node: LabNode; readonly agent: NodeAgent }> {
  const node = await machine.node('worker-a', { ovn: true });
  await prepare(node, [...defaultBridge, ...uplinksWithProviders(uplinksOf(tenants))]);
  await startAnswering(node, uplinksOf(tenants).map(providerNamespace));
  await NodeAgent.prepare(node, providedCluster(tenants));
  const words = ['--networks', 'all', '--ovn-southbound', SOUTHBOUND];
  const agent = await NodeAgent.start(node, { northbound: NORTHBOUND, words });
  for (const [place, { name }] of tenants.entries()) await agent.until([], `uplink-${place}`, readyNetwork(name));
  await prepare(
    node,
    tenants.flatMap((tenant) => podCommands(tenant, node.name)),
  );
  await node.does(['ovn-nbctl', '--wait=hv', '--timeout=60', 'sync']);
  return { node, agent };
}
