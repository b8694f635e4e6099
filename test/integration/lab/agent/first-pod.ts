import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { clusterOf } from '../clusters.ts';
import { blue, blueBridge } from './blue.ts';
import { NodeAgent, readyNetwork } from './node-agent.ts';

/** The option of an agent that waits for the first pod of a network. */
export const dynamicWords = ['--dynamic-udn', '--udn-deletion-grace-period=0s'];

export const dynamicNode = blueBridge;

/** Network blue without pods. */
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

/** Waits until no network is active on the node. */
export async function untilUnused(agent: NodeAgent): Promise<void> {
  await agent.until([], UPLINK, 'networks: \\[\\]');
}

/**
 * Adds the first pod of the network on the node, and removes it.
 *
 * @returns milliseconds from saving the pod until the state has a ready network
 */
export async function addAndRemovePod(agent: NodeAgent): Promise<number> {
  const milliseconds = await agent.until(
    [await NodeAgent.saveCommand(agent.node, withPod)],
    UPLINK,
    readyNetwork('blue'),
  );
  await NodeAgent.save(agent.node, emptyNetwork);
  await agent.untilForgotten();
  return milliseconds;
}
