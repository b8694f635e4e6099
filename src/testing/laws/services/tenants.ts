/** Tenants of a cluster, and what all others may change. */
import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import type { NetworkAttachmentDefinition } from '../../../domain/api/network-attachment-definition.ts';
import type { UserDefinedNetwork } from '../../../domain/api/user-defined-network.ts';
import {
  API_SERVICE,
  NETWORK_ID_ANNOTATION,
  NETWORK_LABEL,
  NETWORK_NAME_ANNOTATION,
  OWN_DEFINITION_LABEL,
  SERVICE_NAME_LABEL,
} from '../../../domain/basics/conventions.ts';
import { keyOfNetwork, type NetworkKey } from '../../../domain/network/key.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import { defaultSettings } from '../../../domain/snapshot/settings.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';

/** A tenant: a network, and the namespaces that it is in. */
export interface Tenant {
  readonly network: NetworkKey;
  readonly namespaces: ReadonlySet<string>;
}

/** The tenants of a cluster. */
export function tenantsOf(engine: Engine, { cluster, settings }: Case): readonly Tenant[] {
  const found = new Map<NetworkKey, Set<string>>();
  for (const { metadata } of cluster.namespaces) {
    const of = engine.networkOfServices(metadata.name, cluster, settings);
    if (of.kind === 'ours') found.set(of.network.key, (found.get(of.network.key) ?? new Set()).add(metadata.name));
  }
  return [...found].map(([network, namespaces]) => ({ network, namespaces }));
}

/** An object in a namespace. */
export interface Namespaced {
  readonly metadata: { readonly namespace?: string };
}

/** Whether a namespace is one of a tenant’s. */
export const isOf = ({ namespaces }: Tenant, namespace = 'default'): boolean => namespaces.has(namespace);

/** The objects in the namespaces of a tenant. */
export const ownOf = <T extends Namespaced>(list: readonly T[], tenant: Tenant): readonly T[] =>
  list.filter(({ metadata }) => isOf(tenant, metadata.namespace));

/** A cluster, seen by one tenant. */
interface Seen {
  readonly cluster: ClusterSnapshot;
  readonly tenant: Tenant;
  /** Names of the namespaces of others. */
  readonly others: readonly string[];
  /** The mirrors of the tenant’s slices, once they are written. */
  readonly mirrors: readonly EndpointSlice[];
}

/** The copies of objects of a tenant in all other namespaces, which claim to be what these are. */
function copies<T extends Namespaced>(list: readonly T[], { tenant, others }: Seen): readonly T[] {
  const own = ownOf(list, tenant);
  return others.flatMap((namespace) => own.map((each) => ({ ...each, metadata: { ...each.metadata, namespace } })));
}

/** Objects of a tenant, behind the copies of them that others have: the first one of two must not win. */
const withCopies = <T extends Namespaced>(list: readonly T[], seen: Seen, copied = list) => [
  ...copies(copied, seen),
  ...ownOf(list, seen.tenant),
];

/** A NetworkAttachmentDefinition as tenants may write it: what policies keep for the cluster manager is left out (config/networks/policy.yaml). */
function unguarded(definition: NetworkAttachmentDefinition): NetworkAttachmentDefinition {
  const without = (texts: Readonly<Record<string, string>> = {}) => {
    const { [NETWORK_ID_ANNOTATION]: _id, [NETWORK_NAME_ANNOTATION]: _name, ...annotations } = texts;
    const { [OWN_DEFINITION_LABEL]: _own, [NETWORK_LABEL]: _network, ...others } = annotations;
    return others;
  };
  const { labels, annotations } = definition.metadata;
  const metadata = { ...definition.metadata, labels: without(labels), annotations: without(annotations) };
  return { ...definition, metadata };
}

/** The copies of the network of a tenant that others have in their namespaces, also where it is one of an administrator. The API server gives each a uid of its own. */
function copiesOfNetwork({ cluster, tenant, others }: Seen): readonly UserDefinedNetwork[] {
  const specs = [
    ...cluster.userDefinedNetworks.map((object) => ({
      object,
      kind: 'UserDefinedNetwork' as const,
      spec: object.spec,
    })),
    ...cluster.clusterUserDefinedNetworks.map((object) => ({
      object,
      kind: 'ClusterUserDefinedNetwork' as const,
      spec: object.spec.network,
    })),
  ].filter(({ object: { metadata }, kind }) => keyOfNetwork({ kind, metadata }) === tenant.network);
  return specs.flatMap(({ object: { metadata }, spec }) =>
    others.map((namespace) => ({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'UserDefinedNetwork',
      metadata: { name: metadata.name, namespace, uid: `uid-copy-${namespace}` },
      spec,
    })),
  );
}

/** Another network in the place of one, with what this version does not provide. */
const replaced = ({ metadata, ...network }: UserDefinedNetwork): UserDefinedNetwork => ({
  ...network,
  metadata: { ...metadata, uid: `uid-another-${metadata.namespace ?? ''}` },
  spec: { topology: 'Layer2', layer2: { role: 'Primary', subnets: ['10.60.0.0/16'] } },
});

/** A network that its tenant deletes. */
const deleted = ({ metadata, ...network }: UserDefinedNetwork): UserDefinedNetwork => ({
  ...network,
  metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.org/kept'] },
});

/** A cluster in which others have changed their networks, and lost the NetworkAttachmentDefinitions of these. */
function withOtherNetworks(
  { cluster, tenant }: Seen,
  change: (network: UserDefinedNetwork) => UserDefinedNetwork,
): ClusterSnapshot {
  return {
    ...cluster,
    networkAttachmentDefinitions: ownOf(cluster.networkAttachmentDefinitions, tenant),
    userDefinedNetworks: cluster.userDefinedNetworks.map((network) =>
      isOf(tenant, network.metadata.namespace) ? network : change(network),
    ),
  };
}

/** Services that everybody reaches by the default network, in namespaces of others, with slices. */
function impostors({ others }: Seen): Pick<ClusterSnapshot, 'services' | 'endpointSlices'> {
  const ports = [{ name: '', protocol: 'TCP', port: 53 }];
  const made = others.flatMap((namespace) =>
    [API_SERVICE, defaultSettings.dnsService].map(({ name }) => ({ namespace, name })),
  );
  return {
    services: made.map((metadata) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { clusterIPs: ['10.96.0.99'], ports },
    })),
    endpointSlices: made.map(({ namespace, name }) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace, name: `${name}-1`, labels: { [SERVICE_NAME_LABEL]: name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.20.1.5'], conditions: { ready: true } }],
      ports,
    })),
  };
}

/** Clusters in which all objects of other tenants are others, by what these are. Their claims of ids stay as they are stored. */
export const changesOfOthers: Readonly<Record<string, (seen: Seen) => ClusterSnapshot>> = {
  'nobody else has anything': ({ cluster, tenant }) => ({
    ...cluster,
    pods: ownOf(cluster.pods, tenant),
    services: ownOf(cluster.services, tenant),
    endpointSlices: ownOf(cluster.endpointSlices, tenant),
    userDefinedNetworks: ownOf(cluster.userDefinedNetworks, tenant),
    networkAttachmentDefinitions: ownOf(cluster.networkAttachmentDefinitions, tenant),
  }),
  'others have copies of everything': (seen) => {
    const { cluster, tenant, mirrors } = seen;
    const { pods, services, endpointSlices, networkAttachmentDefinitions: definitions } = cluster;
    return {
      ...cluster,
      pods: withCopies(pods, seen),
      services: withCopies(services, seen),
      endpointSlices: withCopies(endpointSlices, seen, [...endpointSlices, ...mirrors]),
      userDefinedNetworks: [...copiesOfNetwork(seen), ...ownOf(cluster.userDefinedNetworks, tenant)],
      networkAttachmentDefinitions: [...copies(definitions, seen).map(unguarded), ...ownOf(definitions, tenant)],
    };
  },
  'others have other networks': (seen) => withOtherNetworks(seen, replaced),
  'others delete their networks': (seen) => withOtherNetworks(seen, deleted),
  'others have Services with the names of DNS and of the Kubernetes API': (seen) => {
    const { services, endpointSlices } = impostors(seen);
    return {
      ...seen.cluster,
      services: [...services, ...seen.cluster.services],
      endpointSlices: [...endpointSlices, ...seen.cluster.endpointSlices],
    };
  },
};
