/** Services and EndpointSlices in a few words: everything that is as usual is left out. */
import type { Endpoint, EndpointSlice, SlicePort } from '../../../src/domain/api/endpoint-slice.ts';
import type { Service } from '../../../src/domain/api/service.ts';
import { POD_NETWORKS_ANNOTATION, SERVICE_NAME_LABEL } from '../../../src/domain/basics/conventions.ts';
import type { Pod } from '../../../src/domain/index.ts';
import type { Network } from '../../../src/domain/network/network.ts';
import { mirrorOf } from '../../../src/domain/services/mirror.ts';

type Metadata = Service['metadata'];

/** Unusual properties of a Service. */
type ServiceBrief = Partial<
  Pick<Metadata, 'labels' | 'annotations' | 'uid' | 'deletionTimestamp' | 'creationTimestamp'> & Service['spec']
> & {
  /** Those that a load balancer of the cluster has given it. */
  readonly ingress?: NonNullable<NonNullable<Service['status']>['loadBalancer']>['ingress'];
};

/** A Service with the address 10.96.0.10. */
export function service(name: string, namespace: string, brief: ServiceBrief = {}): Service {
  const { labels, annotations, uid, deletionTimestamp, creationTimestamp, ingress, ...spec } = brief;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(uid !== undefined && { uid }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
      name,
      namespace,
    },
    spec: { clusterIPs: ['10.96.0.10'], ...spec },
    ...(ingress && { status: { loadBalancer: { ingress } } }),
  };
}

/** Unusual properties of an EndpointSlice. */
type SliceBrief = Partial<Metadata> & {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly SlicePort[] | null;
};

/** An EndpointSlice for IPv4 of a Service, or of none. */
export function slice(
  name: string,
  namespace: string,
  ofService: string | undefined,
  brief: SliceBrief = {},
): EndpointSlice {
  const { addressType = 'IPv4', endpoints = [], ports = [], labels, ...metadata } = brief;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...metadata,
      name,
      namespace,
      labels: { ...(ofService !== undefined && { [SERVICE_NAME_LABEL]: ofService }), ...labels },
    },
    addressType,
    endpoints,
    ports,
  };
}

/** An endpoint that is a pod, with its address in the default network. */
export function endpointOf(pod: string, brief: Partial<Endpoint> = {}): Endpoint {
  return {
    addresses: ['10.244.0.5'],
    conditions: { ready: true },
    targetRef: { kind: 'Pod', namespace: 'blue', name: pod, uid: `uid-${pod}` },
    nodeName: 'worker-a',
    ...brief,
  };
}

/** A pod with addresses in network `blue` of namespace `blue`, CIDR. */
export function attachedPod(name: string, addresses: readonly string[], brief: Partial<Pod> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'blue',
      uid: `uid-${name}`,
      annotations: { [POD_NETWORKS_ANNOTATION]: JSON.stringify({ 'blue/blue': { ip_addresses: addresses } }) },
    },
    spec: { nodeName: 'worker-a' },
    status: { phase: 'Running' },
    ...brief,
  };
}

/** The mirrors of slices in a network with id 7. */
export function mirrorsOf(
  network: Network,
  sources: readonly EndpointSlice[],
  pods: readonly Pod[],
): readonly EndpointSlice[] {
  const pod = (name: string) => pods.find(({ metadata }) => metadata.name === name);
  return sources.map((source): EndpointSlice => {
    const { metadata, ...mirror } = mirrorOf({ source, network, networkId: 7, pod });
    const { ownerReferences: _owners, ...read } = metadata;
    return { ...mirror, metadata: read };
  });
}
