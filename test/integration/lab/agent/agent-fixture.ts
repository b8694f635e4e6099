import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import type { SharedMachine } from '../each-userland.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { clusterNode } from '../story-node.ts';
import { type AgentOptions, NodeAgent } from './node-agent.ts';

export { blue, blueBridge } from './blue.ts';

/** Creates nodes and agents for the tests of a suite, and ends the nodes after each test. */
export function agentFixture(machine: SharedMachine = sharedMachine) {
  const nodes: LabNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.end()));
  });

  /** Creates a node that OVN-Kubernetes and then an administrator have prepared. */
  async function newNode(...commands: readonly ArgumentVector[]): Promise<LabNode> {
    const node = await (await machine()).node('worker-a');
    nodes.push(node);
    await prepare(node, [...clusterNode, ...commands]);
    return node;
  }

  /** Starts an agent on such a node. */
  async function newAgent(
    cluster: ClusterSnapshot,
    commands: readonly ArgumentVector[],
    options: AgentOptions = {},
  ): Promise<NodeAgent> {
    const node = await newNode(...commands);
    await NodeAgent.prepare(node, cluster);
    return await NodeAgent.start(node, options);
  }

  return { newNode, newAgent };
}
