import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { clusterOf } from '../clusters.ts';
import { blue, blueBridge } from './blue.ts';
import { NodeAgent, readyNetwork } from './node-agent.ts';

/** What makes an agent wait for the first pod of a network. */
export const dynamicWords = ['--dynamic-udn'];

export const dynamicNode = blueBridge;

/** Network blue, and nobody in it. */
export const emptyNetwork = clusterOf([blue]);

const withPod: ClusterSnapshot = {
  ...emptyNetwork,
  pods: [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'blue' },
      spec: { nodeName: 'worker-a' },
      status: { phase: 'Running' },
    },
  ],
};

/** The uplink of the network. */
const UPLINK = 'uplink-0';

/** Waits until nothing is to be on the node. */
export async function isUnused(agent: NodeAgent): Promise<void> {
  await agent.until([], UPLINK, 'networks: \\[\\]');
}

/**
 * Has the first pod of the network come to the node, and go again.
 *
 * @returns milliseconds from the pod's being saved to the state that says that the network is ready
 */
export async function comeAndGo(agent: NodeAgent): Promise<number> {
  const milliseconds = await agent.until([await NodeAgent.laidOut(agent.node, withPod)], UPLINK, readyNetwork('blue'));
  await NodeAgent.save(agent.node, emptyNetwork);
  await agent.forgets();
  return milliseconds;
}
