import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import type { Pod } from '../../../domain/api/pod.ts';
import { subnetContains } from '../../../domain/basics/addresses/ip-address.ts';
import { POD_NETWORKS_ANNOTATION, SOURCE_SLICE_ANNOTATION } from '../../../domain/basics/conventions.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw } from '../violation.ts';
import { checkConfinedLoadBalancers } from './confined-load-balancers.ts';

const law = 'confined';

type Services = NonNullable<ReturnType<Engine['planCluster']>['provision']>['services'];

type Desired = Services['names'][number];

/** The subnets of the network in a namespace: that of the tenant whose label the namespace has. */
function subnetsIn(namespace: string, { namespaces, clusterUserDefinedNetworks }: ClusterSnapshot): readonly string[] {
  const tenant = namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels?.['tenant'];
  return clusterUserDefinedNetworks
    .filter(({ spec }) => spec.namespaceSelector.matchLabels?.['tenant'] === tenant)
    .flatMap(({ spec }) => (spec.network.layer3?.subnets ?? []).map(({ cidr }) => cidr));
}

/** Whether the annotation of a pod has an address in the network of its namespace. */
function hasAddress({ metadata: { namespace = '', annotations } }: Pod, address: string): boolean {
  const text = annotations?.[POD_NETWORKS_ANNOTATION] ?? '{}';
  const entries = JSON.parse(text) as Readonly<Record<string, { readonly ip_addresses: readonly string[] }>>;
  return (entries[`${namespace}/${namespace}`]?.ip_addresses ?? []).some((each) => each.startsWith(`${address}/`));
}

/** Whether an endpoint of a mirror is one that its source has. */
function isBacked(
  { addresses, targetRef }: Desired['endpoints'][number],
  source: EndpointSlice | undefined,
  { pods }: ClusterSnapshot,
): boolean {
  const [address = ''] = addresses;
  if (targetRef?.kind !== 'Pod')
    return source?.endpoints?.some((each) => each.targetRef === undefined && each.addresses.includes(address)) === true;
  return pods.some(
    (pod) =>
      pod.metadata.namespace === source?.metadata.namespace &&
      pod.metadata.name === targetRef.name &&
      pod.metadata.uid === targetRef.uid &&
      pod.spec.hostNetwork !== true &&
      hasAddress(pod, address),
  );
}

/** Law: names lead to pods that are selected only, by the addresses of these in the network. */
function assertNamed({ metadata: { namespace, name }, endpoints }: Desired, cluster: ClusterSnapshot): void {
  for (const { addresses, targetRef } of endpoints) {
    const isPod = cluster.pods.some(
      (pod) =>
        pod.metadata.namespace === namespace &&
        pod.metadata.uid === targetRef?.uid &&
        pod.metadata.labels?.['app'] === 'peers' &&
        pod.spec.hostNetwork !== true &&
        addresses.every((address) => hasAddress(pod, address)),
    );
    const isIn = addresses.every((address) =>
      subnetsIn(namespace, cluster).some((subnet) => subnetContains(subnet, address)),
    );
    assertLaw(law, isPod && isIn, () => `${name} has ${JSON.stringify(targetRef)} with ${addresses.join()}`);
  }
}

/**
 * Law: every address of a mirror is one of the network, of a pod that the slice names or as a user writes it; names lead to pods in it; a load balancer has addresses of its
 * Service alone, and leads to such addresses.
 */
export function checkConfined(engine: Engine, subject: Case): CaseLabels {
  const { cluster, settings } = subject;
  const { mirrors = [], names = [] } = engine.planCluster(cluster, settings).provision?.services ?? {};
  for (const slice of names) assertNamed(slice, cluster);
  for (const { metadata, endpoints } of mirrors) {
    const { namespace, annotations } = metadata;
    const source = cluster.endpointSlices.find(
      (slice) => slice.metadata.namespace === namespace && slice.metadata.name === annotations[SOURCE_SLICE_ANNOTATION],
    );
    for (const endpoint of endpoints) {
      const found = () => `${metadata.name} has ${JSON.stringify(endpoint)}`;
      const isIn = (address: string) => subnetsIn(namespace, cluster).some((subnet) => subnetContains(subnet, address));
      assertLaw(law, endpoint.addresses.every(isIn), () => `${found()}, outside the network`);
      assertLaw(law, isBacked(endpoint, source, cluster), () => `${found()}, which no pod has and nobody has written`);
    }
  }
  const hasEndpoint = (slices: readonly Desired[]) => slices.some(({ endpoints }) => endpoints.length > 0);
  return [
    ...(hasEndpoint(mirrors) ? ['endpoint'] : []),
    ...(hasEndpoint(names) ? ['name'] : []),
    ...(checkConfinedLoadBalancers(engine, subject) ? ['load balancer'] : []),
  ];
}
