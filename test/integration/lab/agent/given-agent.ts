import type { ClusterSnapshot, NodeSnapshot } from '../../../../src/domain/index.ts';
import { bridge } from '../bridge.ts';
import { differences } from '../comparison.ts';
import { ip } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { sharedMachine } from '../shared-machine.ts';
import { clusterNode } from '../story-node.ts';
import { type AgentOptions, NodeAgent } from './node-agent.ts';

/** A bridge for tenant blue, with what an administrator puts on one. */
export const blueBridge: readonly ArgumentVector[] = [
  ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
  ip`link add link br-blue name br-blue.5 up type vlan id 5`,
  ip`address add 198.51.120.1/24 dev br-blue.5`,
  ip`route add default via 192.0.2.1 dev br-blue metric 100`,
  ip`route add default via 2001:db8:b::1 dev br-blue metric 100`,
  ip`route add 203.0.113.128/25 via 192.0.2.2 dev br-blue proto static`,
  ip`route add 198.51.104.0/24 via 192.0.2.1 dev br-blue table 77`,
  ip`neighbour add 192.0.2.77 lladdr 02:00:00:00:77:77 dev br-blue nud permanent`,
];

/** Network blue in a VRF of its own, on that bridge. */
export const blue = { name: 'blue', device: 'br-blue', targetVRF: 'auto' };

const nodes: LabNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.end()));
});

/** A node of a cluster, which OVN-Kubernetes has prepared and then an administrator. */
export async function givenNode(...commands: readonly ArgumentVector[]): Promise<LabNode> {
  const node = await (await sharedMachine()).node('worker-a');
  nodes.push(node);
  await node.does(...clusterNode, ...commands);
  return node;
}

/** An agent on such a node. */
export async function givenAgent(
  cluster: ClusterSnapshot,
  commands: readonly ArgumentVector[],
  options: AgentOptions = {},
): Promise<NodeAgent> {
  const node = await givenNode(...commands);
  await NodeAgent.prepare(node, cluster);
  return await NodeAgent.start(node, options);
}

/** The kernel's own rules for VRFs come with the first VRF of a node and never go; addresses are looked for duplicates of for a while. */
export function left(before: NodeSnapshot, after: NodeSnapshot): readonly string[] {
  return differences({ ...before, ledger: after.ledger }, after).filter((line) => !line.includes('l3mdev'));
}
