/**
 * A requested network: by an administrator for several namespaces, or by a tenant for one.
 */
import type { DividedSubnet } from '../allocation/pod-subnets.ts';
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { ObjectMeta } from '../api/object-meta.ts';
import type { UserDefinedNetwork } from '../api/user-defined-network.ts';
import { CLUSTER_NETWORK_NAME_PREFIX } from '../conventions.ts';
import type { LabelSelector } from '../api/label-selector.ts';

type NetworkStatus = ClusterUserDefinedNetwork['status'];

/** A ClusterUserDefinedNetwork or a UserDefinedNetwork. */
export interface TenantNetwork {
  readonly kind: 'ClusterUserDefinedNetwork' | 'UserDefinedNetwork';
  readonly metadata: ObjectMeta;
  /** Its name in OVN, and in annotations (docs/design/field-facts.md, "Networks"). */
  readonly networkName: string;
  /** Which namespaces have it; absent for a UserDefinedNetwork, which is in its own. */
  readonly namespaceSelector?: LabelSelector;
  readonly topology: string;
  /** Absent where the part for its topology is missing. */
  readonly role?: string;
  /** MTU in bytes; absent for the default network's. */
  readonly mtu?: number;
  /** Subnets of its pods; those of a Layer3 network are divided among nodes. */
  readonly subnets: readonly DividedSubnet[];
  /** CIDR; empty for the defaults. */
  readonly joinSubnets: readonly string[];
  readonly transport?: string;
  /** Names of its Uplinks. */
  readonly uplinks: readonly string[];
  readonly status: NetworkStatus;
}

type Topologies = Pick<UserDefinedNetwork['spec'], 'topology' | 'layer2' | 'layer3'>;

function partOfTopology({ topology, layer2, layer3 }: Topologies) {
  const part = topology === 'Layer2' ? layer2 : layer3;
  const subnets = topology === 'Layer2' ? (layer2?.subnets ?? []).map((cidr) => ({ cidr })) : (layer3?.subnets ?? []);
  return {
    topology,
    ...(part && { role: part.role }),
    ...(part?.mtu !== undefined && { mtu: part.mtu }),
    subnets,
    joinSubnets: part?.joinSubnets ?? [],
  };
}

/** The network of a ClusterUserDefinedNetwork. */
export function clusterNetwork({ metadata, spec, status }: ClusterUserDefinedNetwork): TenantNetwork {
  const { network, namespaceSelector, uplinks = [] } = spec;
  return {
    kind: 'ClusterUserDefinedNetwork',
    metadata,
    networkName: CLUSTER_NETWORK_NAME_PREFIX + metadata.name,
    namespaceSelector,
    ...partOfTopology(network),
    ...(network.transport !== undefined && { transport: network.transport }),
    uplinks,
    status,
  };
}

/** The network of a UserDefinedNetwork. */
export function namespacedNetwork({ metadata, spec, status }: UserDefinedNetwork): TenantNetwork {
  return {
    kind: 'UserDefinedNetwork',
    metadata,
    networkName: `${metadata.namespace ?? 'default'}_${metadata.name}`,
    ...partOfTopology(spec),
    uplinks: [],
    status,
  };
}

/** A network as messages name it: `Kind/name` or `Kind/namespace/name`. */
export function objectOf({ kind, metadata: { namespace, name } }: Pick<TenantNetwork, 'kind' | 'metadata'>): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** A network as commands name it: a UserDefinedNetwork by its namespace too, as `namespace/name`. */
export function namespacedName({ kind, metadata: { namespace = 'default', name } }: TenantNetwork): string {
  return kind === 'UserDefinedNetwork' ? `${namespace}/${name}` : name;
}
