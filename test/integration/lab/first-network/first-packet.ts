import { eventually } from '../../../unit/adapters/processes.ts';
import { numbered, percentiles } from '../cluster/figures.ts';
import type { LabNode } from '../node.ts';
import { attachPod, configureNetwork, namespaceOf, startDefault } from '../whole-networks/lab-pod.ts';
import { createPods } from '../whole-networks/objects.ts';
import { type WholeCluster } from '../whole-networks/whole-cluster.ts';
import { worldAddresses } from '../whole-networks/world.ts';
import { onLeavingNode } from './one-node.ts';

/** Networks that are created one after the other. */
const NETWORKS = 20;

/** A namespace and its network, as a tenant writes them. */
const objectsOf = (name: string) => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'k8s.ovn.org/primary-user-defined-network': '' } },
  },
  {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { name: 'net', namespace: name },
    spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
  },
];

/** Milliseconds from the beginning of `kubectl apply` until each step of a new namespace with a pod is done. */
async function steps(cluster: WholeCluster, node: LabNode, namespace: string) {
  const begin = performance.now();
  const sinceThen = () => performance.now() - begin;
  cluster.lab.server.apply(...objectsOf(namespace));
  const applied = sinceThen();
  const pod = { node, namespace, name: 'pod' };
  const creators = { server: cluster.lab.server, administrator: cluster.administrator };
  const [uid = ''] = await createPods(creators, [pod]);
  const podCreated = sinceThen();
  await eventually('the network is in its namespace', async () => {
    const definition = await cluster.administrator.get('NetworkAttachmentDefinition', `${namespace}/net`);
    if (definition === undefined) return false;
    await configureNetwork(node, (definition['spec'] as { readonly config: string }).config);
    return true;
  });
  const scheduled = { ...pod, uid, network: `${namespace}_net` };
  await startDefault(scheduled);
  await attachPod(scheduled);
  const attached = sinceThen();
  // It asks until it is answered once.
  const ping = ['ping', '-n', '-c', '1', '-i', '0.01', '-w', '30', worldAddresses[0]];
  await node.does(['ip', 'netns', 'exec', namespaceOf(pod), ...ping]);
  return { applied, podCreated, attached, firstReply: sinceThen() };
}

/** From `kubectl apply` of a namespace, a UserDefinedNetwork and a pod until the pod has its first answer from outside, by its node. */
export async function firstPackets(): Promise<unknown> {
  return await onLeavingNode({}, async (cluster, node) => {
    const found: Awaited<ReturnType<typeof steps>>[] = [];
    for (const namespace of numbered('fresh', NETWORKS)) found.push(await steps(cluster, node, namespace));
    return {
      networks: NETWORKS,
      ...Object.fromEntries(
        (['applied', 'podCreated', 'attached', 'firstReply'] as const).map((step) => [
          step,
          percentiles(found.map((each) => each[step])),
        ]),
      ),
    };
  });
}
