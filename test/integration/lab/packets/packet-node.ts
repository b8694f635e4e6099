import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import { bridge } from '../bridge.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { SharedMachine } from '../each-userland.ts';
import type { Machine } from '../machine.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { startAnswering } from './exchange.ts';
import { ownHalf, podNamespace } from './own-half.ts';
import { providerNamespace, uplinksWithProviders } from './provider.ts';
import { clusterWith, type Tenant, uplinksOf } from './tenant.ts';

/** Where OVN's Northbound database of a node is. */
export const NORTHBOUND = 'unix:/run/ovn/ovnnb_db.sock';

/** A node of a cluster. */
export interface NodePlace {
  readonly name: string;
  /** Its address in the network of the cluster's nodes. */
  readonly address: string;
  /** Whether it has the network card of its machine: false if absent. */
  readonly networkCard?: boolean;
}

/** The node that most tests have. */
const workerA: NodePlace = { name: 'worker-a', address: '198.51.100.10' };

/** The default gateway bridge, as OVN-Kubernetes prepares it, with the node's address, and with the network card if the node has one. */
const defaultBridgeOf = ({ address, networkCard = false }: NodePlace): readonly ArgumentVector[] => [
  ...bridge('br-ex', {
    addresses: [`${address}/24`, '169.254.0.2/17'],
    ...(!networkCard && { physicalPort: 'eth0' }),
  }),
  ...(networkCard ? [ip`link set vec0 up`, ovsVsctl`add-port br-ex vec0`] : []),
  ip`address add fd69::2/112 dev br-ex nodad`,
  ip`route add default via 198.51.100.1 dev br-ex metric 48`,
  ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
];

/** The default gateway bridge of the node that most tests have. */
export const defaultBridge = defaultBridgeOf(workerA);

/** A node with OVN, on which an agent carries the packets of tenants. */
export interface PacketNode {
  readonly node: LabNode;
  readonly agent: NodeAgent;
}

/** A node with the own halves, bridges and providers of tenants. */
export async function nodeWith(
  tenants: readonly Tenant[],
  machine: Machine,
  place: NodePlace = workerA,
): Promise<LabNode> {
  const { name, networkCard = false } = place;
  const node = await machine.node(name, { ovn: true, networkCard });
  await prepare(node, [
    ...defaultBridgeOf(place),
    ...uplinksWithProviders(uplinksOf(tenants)),
    ...tenants.flatMap((tenant) => ownHalf(tenant, node.name)),
  ]);
  await startAnswering(node, [...uplinksOf(tenants).map(providerNamespace), ...tenants.map(podNamespace)]);
  return node;
}

/** A node with the own halves, bridges and providers of tenants, and the folder for an agent; no agent runs yet. */
export async function preparedNode(
  tenants: readonly Tenant[],
  machine: SharedMachine = sharedMachine,
): Promise<LabNode> {
  const node = await nodeWith(tenants, await machine());
  await NodeAgent.prepare(node, clusterWith(tenants));
  return node;
}

/**
 * Starts an agent on such a node, and waits until all networks are ready.
 *
 * @param names of the Uplinks of tenants
 * @param words further ones of the agent's command line
 */
export async function carrying(
  node: LabNode,
  tenants: readonly Tenant[],
  names = uplinksOf(tenants).map((_, place) => `uplink-${place}`),
  words: readonly string[] = [],
): Promise<PacketNode> {
  const agent = await NodeAgent.start(node, { northbound: NORTHBOUND, words });
  const uplinks = uplinksOf(tenants);
  for (const { name, uplink } of tenants)
    await agent.until([], names[uplinks.indexOf(uplink)] ?? '', readyNetwork(name));
  return { node, agent };
}
