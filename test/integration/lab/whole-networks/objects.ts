import { eventually } from '../../../unit/adapters/processes.ts';
import type { Administrator } from '../../kubernetes/administrator.ts';
import type { TestApiServer } from '../../kubernetes/api-server.ts';
import type { ScheduledPod } from './lab-pod.ts';

/** A Layer3 network with subnets of both families, each node with its part. */
export const layer3 = (cidr4: string, cidr6: string) => ({
  topology: 'Layer3',
  layer3: {
    role: 'Primary',
    subnets: [
      { cidr: cidr4, hostSubnet: 24 },
      { cidr: cidr6, hostSubnet: 64 },
    ],
  },
});

const usual = layer3('10.20.0.0/16', 'fd20::/48');

/** The network of a tenant, in the namespaces with its label. */
export const networkOf = (tenant: string) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: tenant },
  spec: { namespaceSelector: { matchLabels: { tenant } }, network: usual },
});

/** The network that a tenant has made in its namespace. */
export const ownNetworkOf = (tenant: string, spec = usual) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'UserDefinedNetwork',
  metadata: { namespace: tenant, name: tenant },
  spec,
});

/** The part of a pod that most have not. */
export interface MoreOfPod {
  readonly probedPort?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Fields of its spec. */
  readonly spec?: object;
}

/** A pod that is scheduled to a node. */
export const podObject = ({
  node,
  namespace: inNamespace,
  name,
  probedPort,
  annotations = {},
  spec = {},
}: Pick<ScheduledPod, 'node' | 'namespace' | 'name'> & MoreOfPod) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: inNamespace, name, annotations },
  spec: {
    nodeName: node.name,
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: 'example.org/main',
        ...(probedPort !== undefined && { readinessProbe: { tcpSocket: { port: probedPort } } }),
      },
    ],
    ...spec,
  },
});

/** Who creates pods, and reads what is stored. */
export interface PodCreators {
  readonly server: TestApiServer;
  readonly administrator: Administrator;
}

/** How an API server refuses pods before it knows their network, or after its start before it knows NetworkAttachmentDefinitions. */
const notKnownYet = /no params found for policy binding|failed to find resource referenced by paramKind/;

/**
 * Creates pods. They are refused until the API server knows the network of their namespace, and then their controller tries again.
 *
 * @returns the uid of each
 */
export async function createPods(
  { server, administrator }: PodCreators,
  pods: readonly Parameters<typeof podObject>[0][],
): Promise<readonly string[]> {
  await eventually('pods are created', () => {
    try {
      server.apply(...pods.map(podObject));
      return true;
    } catch (error) {
      if (error instanceof Error && notKnownYet.test(error.message)) return false;
      throw error;
    }
  });
  const uids: string[] = [];
  for (const { namespace, name } of pods) {
    const stored = await administrator.get('Pod', `${namespace}/${name}`);
    uids.push((stored?.['metadata'] as { readonly uid: string }).uid);
  }
  return uids;
}
