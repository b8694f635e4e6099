/**
 * The mirror of an EndpointSlice: its endpoints with the addresses that their pods have in the network (OKEP-5193, "Services", EndpointSlice mirroring).
 *
 * An endpoint that has none is left out; all others stay. Its readiness is that of the slice (docs/design/services.md, "Mirrors").
 */
import type { Endpoint, EndpointSlice } from '../api/endpoint-slice.ts';
import type { Pod } from '../api/pod.ts';
import { canonicalAddress, familyOf, subnetContains } from '../basics/addresses/ip-address.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  MIRRORED_SERVICE_LABEL,
  NETWORK_NAME_OF_SLICE_ANNOTATION,
  POD_NETWORKS_ANNOTATION,
  PROXY_OF_SOURCE_ANNOTATION,
  SERVICE_PROXY,
  SERVICE_PROXY_LABEL,
  SLICE_NETWORK_LABEL,
  SOURCE_SLICE_ANNOTATION,
} from '../basics/conventions.ts';
import { lazyByObjectAndKey } from '../basics/incremental/by-identity.ts';
import type { Network } from '../network/network.ts';
import { annotatedAddresses } from '../pods/pod-annotation.ts';
import { hasEnded } from '../selection/active-nodes.ts';
import { type DesiredSlice, type Family, familyOfSlice, mirrorName, serviceOfSource, storedPort } from './slices.ts';

/** Why an endpoint is not in the mirror. */
export type LeftOutReason =
  | 'PodNotFound'
  /** The pod of the name is another one. */
  | 'PodReplaced'
  | 'PodOfOtherNamespace'
  | 'PodEnded'
  /** The pod uses the network of its node. */
  | 'HostNetworkEndpoint'
  /** The pod has no address of the family in the network, or none yet. */
  | 'NoAddress'
  | 'EndpointOutsideNetwork';

/** An endpoint that is in no mirror for a reason that does not pass by itself, of which its users should know. */
export interface LeftOut {
  /** A pod as `pod one`, or an address with the slice that has it. */
  readonly endpoint: string;
  readonly reason: Extract<LeftOutReason, 'HostNetworkEndpoint' | 'EndpointOutsideNetwork' | 'NoAddress'>;
}

/** The addresses that the mirror has of an endpoint, or why it has none. */
export type EndpointVerdict =
  { readonly addresses: readonly [string, ...string[]] } | { readonly reason: LeftOutReason };

/** A slice with what is known of its network. */
export interface MirrorInput {
  readonly source: EndpointSlice;
  readonly network: Network;
  readonly networkId: number;
  /** The pods of its namespace. */
  readonly pod: (name: string) => Pod | undefined;
}

type Metadata = EndpointSlice['metadata'];

/** A desired mirror. */
export type DesiredMirror = DesiredSlice & {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
};

/** The addresses of a pod by a NetworkAttachmentDefinition. Parsed once for each version of the pod. */
const addressesOfPod = lazyByObjectAndKey(({ metadata }: Pod, definition: string): readonly string[] => [
  ...(annotatedAddresses(metadata.annotations?.[POD_NETWORKS_ANNOTATION], definition) ?? []),
]);

const namespaceOf = ({ namespace = 'default' }: Metadata) => namespace;

/** The addresses of some that a slice may have. */
function usable(addresses: readonly string[], network: Network, family: Family | undefined): EndpointVerdict {
  const [first, ...others] = addresses.filter(
    (address) =>
      familyOf(address) === family &&
      network.subnets.some(({ cidr }) => subnetContains(cidr, canonicalAddress(address))),
  );
  return first === undefined ? { reason: 'EndpointOutsideNetwork' } : { addresses: [first, ...others] };
}

/** Whether a pod is ready to be used (Kubernetes API reference, PodCondition v1 core). */
export function isPodReady({ status }: Pod): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
}

/** Judges a pod of a namespace in a network: it has one address of a family. */
export function podVerdict(pod: Pod, network: Network, family: Family | undefined): EndpointVerdict {
  if (pod.spec.hostNetwork === true) return { reason: 'HostNetworkEndpoint' };
  // Another pod may have its addresses already.
  if (hasEnded(pod)) return { reason: 'PodEnded' };
  const addresses = addressesOfPod(pod, `${namespaceOf(pod.metadata)}/${network.metadata.name}`).filter(
    (address) => familyOf(address) === family,
  );
  if (addresses.length === 0) return { reason: 'NoAddress' };
  const verdict = usable(addresses, network, family);
  return 'addresses' in verdict ? { addresses: [verdict.addresses[0]] } : verdict;
}

function verdictOnPod(target: NonNullable<Endpoint['targetRef']>, input: MirrorInput): EndpointVerdict {
  const namespace = namespaceOf(input.source.metadata);
  if ((target.namespace ?? namespace) !== namespace) return { reason: 'PodOfOtherNamespace' };
  const pod = input.pod(target.name ?? '');
  if (pod === undefined) return { reason: 'PodNotFound' };
  if (target.uid !== undefined && target.uid !== pod.metadata.uid) return { reason: 'PodReplaced' };
  return podVerdict(pod, input.network, familyOfSlice(input.source));
}

/** Judges an endpoint. One that is no pod, as users write them, is used as it stands, within the network: a router would relay it to anywhere. */
export function endpointVerdict(endpoint: Endpoint, input: MirrorInput): EndpointVerdict {
  const { targetRef, addresses } = endpoint;
  if (targetRef?.kind === 'Pod') return verdictOnPod(targetRef, input);
  return usable(
    addresses.map((address) => canonicalAddress(address)),
    input.network,
    familyOfSlice(input.source),
  );
}

/**
 * Whether a reason is a problem that does not pass by itself. A pod has its addresses before it is ready: one that is ready gets none any more. It has none of a family
 * that its network does not have, where a Service has both.
 */
function isLasting(
  reason: LeftOutReason,
  endpoint: Endpoint,
  { pod, network, source }: MirrorInput,
): reason is LeftOut['reason'] {
  switch (reason) {
    case 'HostNetworkEndpoint':
    case 'EndpointOutsideNetwork':
      return true;
    case 'NoAddress': {
      const found = pod(endpoint.targetRef?.name ?? '');
      return (
        found !== undefined && isPodReady(found) && network.families.some((each) => each === familyOfSlice(source))
      );
    }
    case 'PodNotFound':
    case 'PodReplaced':
    case 'PodOfOtherNamespace':
    case 'PodEnded':
      return false;
  }
}

/** The endpoints of a slice that are left out for reasons that do not pass by themselves. */
export function leftOutOf(input: MirrorInput): readonly LeftOut[] {
  const { name } = input.source.metadata;
  return (input.source.endpoints ?? []).flatMap((endpoint): readonly LeftOut[] => {
    const verdict = endpointVerdict(endpoint, input);
    if ('addresses' in verdict) return [];
    const { reason } = verdict;
    if (!isLasting(reason, endpoint, input)) return [];
    const { targetRef, addresses } = endpoint;
    const text =
      targetRef?.kind === 'Pod' ? `pod ${targetRef.name ?? ''}` : `${addresses.join(', ')} of EndpointSlice ${name}`;
    return [{ endpoint: text, reason }];
  });
}

/** Names of the pods that a slice refers to. */
export function podsOfSlice({ endpoints }: EndpointSlice): readonly string[] {
  return (endpoints ?? []).flatMap(({ targetRef }) =>
    targetRef?.kind === 'Pod' && targetRef.name !== undefined ? [targetRef.name] : [],
  );
}

/** An endpoint with other addresses. Fields that are not known here are left out. */
function readdressed(
  { conditions = {}, hostname, targetRef, nodeName, zone, hints }: Endpoint,
  addresses: readonly string[],
): Endpoint {
  const { kind, namespace, name, uid } = targetRef ?? {};
  return {
    addresses: [...addresses],
    conditions,
    ...(hostname !== undefined && { hostname }),
    ...(targetRef && {
      targetRef: {
        ...(kind !== undefined && { kind }),
        ...(namespace !== undefined && { namespace }),
        ...(name !== undefined && { name }),
        ...(uid !== undefined && { uid }),
      },
    }),
    ...(nodeName !== undefined && { nodeName }),
    ...(zone !== undefined && { zone }),
    ...(hints && { hints }),
  };
}

/** The mirror of a slice that belongs to a Service. It follows from the slice, its pods and the network alone. */
export function mirrorOf(input: MirrorInput): DesiredMirror {
  const { source, network, networkId } = input;
  const { name, uid = '' } = source.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: namespaceOf(source.metadata),
      name: mirrorName(name),
      labels: {
        [MANAGED_BY_LABEL]: MIRROR_MANAGER,
        [MIRRORED_SERVICE_LABEL]: serviceOfSource(source) ?? '',
        [SERVICE_PROXY_LABEL]: SERVICE_PROXY,
        [SLICE_NETWORK_LABEL]: String(networkId),
      },
      annotations: {
        [SOURCE_SLICE_ANNOTATION]: name,
        [NETWORK_NAME_OF_SLICE_ANNOTATION]: network.networkName,
        [PROXY_OF_SOURCE_ANNOTATION]: source.metadata.labels?.[SERVICE_PROXY_LABEL] ?? '',
      },
      ownerReferences: [{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', name, uid }],
    },
    addressType: source.addressType ?? '',
    endpoints: (source.endpoints ?? []).flatMap((endpoint) => {
      const verdict = endpointVerdict(endpoint, input);
      return 'addresses' in verdict ? [readdressed(endpoint, verdict.addresses)] : [];
    }),
    ports: (source.ports ?? []).map(storedPort),
  };
}
