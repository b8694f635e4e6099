import type { ScheduledPod } from './lab-pod.ts';

/** The network of a tenant, in the namespaces with its label. */
export const networkOf = (tenant: string) => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'ClusterUserDefinedNetwork',
  metadata: { name: tenant },
  spec: {
    namespaceSelector: { matchLabels: { tenant } },
    network: {
      topology: 'Layer3',
      layer3: {
        role: 'Primary',
        subnets: [
          { cidr: '10.20.0.0/16', hostSubnet: 24 },
          { cidr: 'fd20::/48', hostSubnet: 64 },
        ],
      },
    },
  },
});

/** A pod that is scheduled to a node. */
export const podObject = ({
  node,
  namespace: inNamespace,
  name,
  probedPort,
  annotations = {},
}: Pick<ScheduledPod, 'node' | 'namespace' | 'name'> & {
  readonly probedPort?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}) => ({
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
  },
});
