import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import type { SharedMachine } from '../each-userland.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { clusterNode } from '../story-node.ts';
import { type AgentOptions, NodeAgent } from './node-agent.ts';

export { blue, blueBridge } from './blue.ts';

/** What the tests of a suite are given; call it while the suite is described. Nodes end with the test that they were given to. */
export function agentFixture(machine: SharedMachine = sharedMachine) {
  const nodes: LabNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.end()));
  });

  /** A node of a cluster, which OVN-Kubernetes has prepared and then an administrator. */
  async function givenNode(...commands: readonly ArgumentVector[]): Promise<LabNode> {
    const node = await (await machine()).node('worker-a');
    nodes.push(node);
    await prepare(node, [...clusterNode, ...commands]);
    return node;
  }

  /** An agent on such a node. */
  async function givenAgent(
    cluster: ClusterSnapshot,
    commands: readonly ArgumentVector[],
    options: AgentOptions = {},
  ): Promise<NodeAgent> {
    const node = await givenNode(...commands);
    await NodeAgent.prepare(node, cluster);
    return await NodeAgent.start(node, options);
  }

  return { givenNode, givenAgent };
}
