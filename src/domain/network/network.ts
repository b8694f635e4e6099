/**
 * A network: requested by an administrator for several namespaces, or by a tenant for one. It is read once from its object, and says who provides it.
 */
import type { DividedSubnet } from './allocation/pod-subnets.ts';
import { familyOf } from '../basics/addresses/ip-address.ts';
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { LabelSelector } from '../api/label-selector.ts';
import type { ObjectMeta } from '../api/object-meta.ts';
import type { UserDefinedNetwork } from '../api/user-defined-network.ts';
import { METADATA_NAME_LABEL } from '../basics/conventions.ts';
import { lazyByObject, lazyByObjectAndKey } from '../basics/incremental/by-identity.ts';
import { type ClusterSettings, type EgressSetting, egressUplink, type ProvidedNetworks } from '../snapshot/settings.ts';
import { clusterNetworkName, keyOfNetwork, namespacedNetworkName, type NetworkKey } from './key.ts';

/** The way out of a network: none, by its uplinks, or by the node (docs/design/node-egress.md). */
export type NetworkExit = 'none' | 'uplink' | 'node';

/** The settings that decide what a network is, beside its object. */
export type NetworkSettings = Pick<ClusterSettings, 'providedNetworks' | 'egress'>;

/** Properties of all networks. */
interface NetworkProperties {
  /** Identifies it everywhere but in OVN. */
  readonly key: NetworkKey;
  readonly kind: 'ClusterUserDefinedNetwork' | 'UserDefinedNetwork';
  readonly metadata: ObjectMeta;
  /** Its name in OVN, bridge mappings and annotations (docs/design/field-facts.md, "Networks"). */
  readonly networkName: string;
  /** Its labels; its name counts as one whether or not it has been set yet. */
  readonly labels: Readonly<Record<string, string>>;
  /** Which namespaces have it; absent for a UserDefinedNetwork, which is in its own. */
  readonly namespaceSelector?: LabelSelector;
  /** Absent where the part for its topology is missing. */
  readonly role?: string;
  /** MTU in bytes; absent for the default network's. */
  readonly mtu?: number;
  /** Address families of its subnets, IPv4 first. */
  readonly families: readonly (4 | 6)[];
  /** Subnets of its gateway and cluster routers, CIDR; empty for the defaults. */
  readonly joinSubnets: readonly string[];
  readonly transport?: string;
  /** Names of its Uplinks: its own, or the one that all networks leave by which name none. */
  readonly uplinks: readonly string[];
  readonly exit: NetworkExit;
  /** The setting `--egress` where that decides, as its object names no Uplink; absent where its own one counts, or where it has no way out. */
  readonly exitBySetting?: Exclude<EgressSetting, 'none'>;
  /** Whether ovn-uplinks provides it, or another implementation does (docs/design/networks.md). */
  readonly providedBy: 'us' | 'others';
  readonly status: ClusterUserDefinedNetwork['status'];
}

/** The topology of a network, and the subnets of its pods. */
type Topology =
  /** A subnet on each node, a part of these, and routing between them. */
  | { readonly topology: 'Layer3'; readonly subnets: readonly DividedSubnet[] }
  /** One segment for all nodes. */
  | { readonly topology: 'Layer2'; readonly subnets: readonly Pick<DividedSubnet, 'cidr'>[] }
  /** One that this version does not know. */
  | { readonly topology: 'other'; readonly topologyName: string; readonly subnets: readonly [] };

/** A network. */
export type Network = NetworkProperties & Topology;

type Topologies = Pick<UserDefinedNetwork['spec'], 'topology' | 'layer2' | 'layer3'>;

function topologyOf({ topology, layer2, layer3 }: Topologies): Topology {
  if (topology === 'Layer3') return { topology, subnets: layer3?.subnets ?? [] };
  if (topology === 'Layer2') return { topology, subnets: (layer2?.subnets ?? []).map((cidr) => ({ cidr })) };
  return { topology: 'other', topologyName: topology, subnets: [] };
}

function propertiesOf({ topology, layer2, layer3 }: Topologies) {
  const part = topology === 'Layer2' ? layer2 : layer3;
  return {
    ...(part && { role: part.role }),
    ...(part?.mtu !== undefined && { mtu: part.mtu }),
    joinSubnets: part?.joinSubnets ?? [],
  };
}

function familiesOf(subnets: Topology['subnets']): Network['families'] {
  const families = new Set(subnets.map(({ cidr }) => familyOf(cidr)));
  return ([4, 6] as const).filter((family) => families.has(family));
}

function providerOf(uplinks: readonly string[], provided: ProvidedNetworks): Network['providedBy'] {
  const isOurs = provided === 'all' || (provided === 'with-uplinks' && uplinks.length > 0);
  return isOurs ? 'us' : 'others';
}

const leavingByNode = lazyByObject((network: Network): Network => ({
  ...network,
  exit: 'node',
  exitBySetting: 'node',
}));

const leavingByUplink = lazyByObjectAndKey((network: Network, uplink: string): Network => ({
  ...network,
  uplinks: [uplink],
  exit: 'uplink',
  exitBySetting: `uplink=${uplink}`,
}));

/** Whether a network has the way out that the setting names: only where its object could name an Uplink, and does not. */
function hasExitOfSetting({ exit, providedBy, role, transport }: Network): boolean {
  return exit === 'none' && providedBy === 'us' && role === 'Primary' && transport !== 'EVPN';
}

/** The network with the way out that it has by the settings, which nothing else decides: the same object for the same network. */
function withExit(network: Network, { egress }: NetworkSettings): Network {
  if (egress === 'none' || !hasExitOfSetting(network)) return network;
  const uplink = egressUplink(egress);
  return uplink === undefined ? leavingByNode(network) : leavingByUplink(network, uplink);
}

const asClusterNetwork = lazyByObjectAndKey(
  ({ metadata, spec, status }: ClusterUserDefinedNetwork, provided: ProvidedNetworks): Network => {
    const { network, namespaceSelector, uplinks = [] } = spec;
    const topology = topologyOf(network);
    return {
      key: keyOfNetwork({ kind: 'ClusterUserDefinedNetwork', metadata }),
      kind: 'ClusterUserDefinedNetwork',
      metadata,
      networkName: clusterNetworkName(metadata.name),
      labels: { ...metadata.labels, [METADATA_NAME_LABEL]: metadata.name },
      namespaceSelector,
      ...propertiesOf(network),
      ...topology,
      families: familiesOf(topology.subnets),
      ...(network.transport !== undefined && { transport: network.transport }),
      uplinks,
      exit: uplinks.length > 0 ? 'uplink' : 'none',
      providedBy: providerOf(uplinks, provided),
      status,
    };
  },
);

/** The network of a ClusterUserDefinedNetwork: the same for the same object. */
export function clusterNetwork(object: ClusterUserDefinedNetwork, settings: NetworkSettings): Network {
  return withExit(asClusterNetwork(object, settings.providedNetworks), settings);
}

const asNamespacedNetwork = lazyByObjectAndKey(
  ({ metadata, spec, status }: UserDefinedNetwork, provided: ProvidedNetworks): Network => {
    const topology = topologyOf(spec);
    return {
      key: keyOfNetwork({ kind: 'UserDefinedNetwork', metadata }),
      kind: 'UserDefinedNetwork',
      metadata,
      networkName: namespacedNetworkName(metadata),
      labels: { ...metadata.labels, [METADATA_NAME_LABEL]: metadata.name },
      ...propertiesOf(spec),
      ...topology,
      families: familiesOf(topology.subnets),
      uplinks: [],
      exit: 'none',
      providedBy: providerOf([], provided),
      status,
    };
  },
);

/** The network of a UserDefinedNetwork: the same for the same object. */
export function namespacedNetwork(object: UserDefinedNetwork, settings: NetworkSettings): Network {
  return withExit(asNamespacedNetwork(object, settings.providedNetworks), settings);
}
