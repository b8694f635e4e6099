/**
 * Whether a network that ovn-uplinks provides can be on a node, apart from what is on the node: it and the node have ids, and nothing that it is given there
 * is another network's (docs/design/networks.md, "Ids").
 */
import {
  addressesOnNode,
  type NoAddresses,
  type LogicalNetwork,
  type NumberedNode,
} from '../../dataplane/logical-network/node-addresses.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import type { AddressedNetwork } from '../../dataplane/logical-network/logical-network-rows.ts';
import { NODE_SUBNETS_ANNOTATION } from '../../basics/conventions.ts';
import { lastByObject } from '../../basics/incremental/by-identity.ts';
import { lazyByContent } from '../../basics/incremental/interned.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { byName } from '../../basics/names/ordering.ts';
import { isReporting, nodeReportName, reportedNetworks, storedReport } from '../../network/allocation/node-report.ts';
import { entityPrefix } from '../../network/names/logical-network.ts';
import { vrfOfNetwork } from '../../network/names/vrf.ts';
import type { Network } from '../../network/network.ts';
import { firstUsedTwice, type SubnetIndex, type UsedSubnet } from '../../network/provision/used-subnets.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import { annotationOf, podSubnetsIn } from '../../selection/node-network.ts';
import type { NodeInput } from '../node-input.ts';
import type { ProvidedNetwork } from '../parts/part.ts';
import { egressOnNode, type NodeOfEgress } from '../../dataplane/egress/egress-on-node.ts';
import { deniedDestinations } from '../view/denied-destinations.ts';
import { clusterSubnets } from '../view/cluster-subnets.ts';
import { disputedNodeId } from '../view/node-id-disputes.ts';
import { type PeerNode, peersIn } from '../view/peer-nodes.ts';

/** The addresses of an uplink on the node, CIDR, by its name; none where they are not known. */
export type UplinkAddresses = (uplink: string) => readonly string[];

/** Networks of which only one can be programmed, by what they have in common. */
export interface Rivals {
  readonly byPrefix: ReadonlyMap<string, readonly Network[]>;
  readonly byVrf: ReadonlyMap<string, readonly Network[]>;
}

/** The rivals among networks that ovn-uplinks provides. */
export function rivalsAmong(networks: readonly Network[], { view }: Pick<NodeInput, 'view'>): Rivals {
  const supported = networks.filter((network) => unsupportedPart(network) === undefined);
  return {
    byPrefix: groupBy(supported, ({ networkName }) => entityPrefix(networkName)),
    byVrf: groupBy(supported, (network) => {
      const id = view.networkId(network);
      // Without an id, it has none.
      return id === undefined ? '' : vrfOfNetwork(network, id).name;
    }),
  };
}

/** A network on a node, as far as the cluster says. Each value is the same object as long as it is equal, but for the rivals and a wrong id: these are rare. */
export interface NetworkInCluster {
  /** The subnets that the cluster uses for something else. */
  readonly used: SubnetIndex;
  /** Names of all nodes that it is on. */
  readonly activeNodes: readonly string[];
  readonly networkId: number | undefined;
  readonly nodeId: number | undefined;
  /** The fault of the id in the annotation of the node, if it has none. */
  readonly annotated: ReturnType<typeof disputedNodeId>;
  /** Whether the node has reported that it uses the id. */
  readonly isReported: boolean;
  /** The networks with equal names of entities, and with the same VRF, if there are others. */
  readonly equallyNamed: readonly Network[];
  readonly ofVrf: readonly Network[];
  /** The annotation with the subnets of pods on the node. */
  readonly nodeSubnets: string;
  readonly peers: readonly PeerNode[];
  /** Whether the subnets of the pods of the default network are known. */
  readonly isDefaultNetworkKnown: boolean;
}

const noNetworks: readonly Network[] = [];

function rivalsOf(rivals: ReadonlyMap<string, readonly Network[]>, name: string): readonly Network[] {
  const found = rivals.get(name) ?? noNetworks;
  return found.length > 1 ? found : noNetworks;
}

const lastPeers = lastByObject<readonly PeerNode[]>();

/** The other nodes that a network is on, as far as they can be reached. */
function peersOf(network: Network, { view, object }: NodeInput): readonly PeerNode[] {
  const { name } = object.metadata;
  const [active, reachable] = [view.activeNodes(network), peersIn(view)];
  return lastPeers(active, [reachable, name], () =>
    active.flatMap((other) => (other === name ? [] : (reachable.get(other) ?? []))),
  );
}

/**
 * Whether the node has reported the id of a network, and may use it. Its claim is read after that, as claims and the report are read together
 * (docs/design/networks.md, "Ids").
 */
function isReported(networkId: number, { view: { snapshot, settings }, object }: NodeInput): boolean {
  const reported = reportedNetworks(storedReport(object, snapshot.configMaps, settings.namespace));
  return isReporting(object) && reported?.has(networkId) === true;
}

/** Finds out what the cluster says about a network on the node. */
export function networkInCluster(network: Network, { byPrefix, byVrf }: Rivals, input: NodeInput): NetworkInCluster {
  const { view, object } = input;
  const [networkId, nodeId] = [view.networkId(network), view.nodeId(object)];
  return {
    used: clusterSubnets(view.snapshot.nodes, view.settings),
    activeNodes: view.activeNodes(network),
    networkId,
    nodeId,
    annotated: nodeId === undefined ? disputedNodeId(object, view) : undefined,
    isReported: networkId !== undefined && isReported(networkId, input),
    equallyNamed: rivalsOf(byPrefix, entityPrefix(network.networkName)),
    ofVrf: networkId === undefined ? noNetworks : rivalsOf(byVrf, vrfOfNetwork(network, networkId).name),
    nodeSubnets: annotationOf(object, NODE_SUBNETS_ANNOTATION),
    peers: peersOf(network, input),
    isDefaultNetworkKnown: deniedDestinations(view.snapshot.nodes, view.settings).isDefaultNetworkKnown,
  };
}

/** Number of networks whose addresses are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

/** The addresses of a network on the node: the same object for the same network and node. */
const addressedOn = lazyByContent(
  ([network, node]: readonly [LogicalNetwork, NumberedNode]): AddressedNetwork | NoAddresses => {
    const addresses = addressesOnNode(network, node);
    return 'exhausted' in addresses ? addresses : { network, node, addresses };
  },
  CACHED_NETWORKS,
);

function objectsOf(networks: readonly Network[]): readonly string[] {
  return networks.map(({ key }) => key).toSorted(byName);
}

/** Other networks have the names of its entities, or its VRF. */
function rivalry(
  { networkName }: Network,
  vrf: ReturnType<typeof vrfOfNetwork>,
  { equallyNamed, ofVrf }: NetworkInCluster,
): LogicalNetworkFailure | undefined {
  const prefix = entityPrefix(networkName);
  if (equallyNamed.length > 0) return { cause: 'equal-names', networks: objectsOf(equallyNamed), prefix };
  return ofVrf.length > 0 ? { cause: 'equal-vrfs', networks: objectsOf(ofVrf), vrf: vrf.name } : undefined;
}

/**
 * Decides about a network that is active on the node: what its parts are planned from, or why it cannot be there.
 *
 * @param ofUplinks the subnets of its uplinks
 */
export function providedNetwork(
  network: Network,
  ofUplinks: readonly UsedSubnet[],
  inCluster: NetworkInCluster,
  { node: host, settings, ways }: Pick<NodeInput, 'node' | 'settings'> & Pick<NodeOfEgress, 'ways'>,
): ProvidedNetwork | { readonly failure: LogicalNetworkFailure } {
  const { networkName, subnets, joinSubnets, mtu = settings.defaultNetworkMtu } = network;
  const { networkId, nodeId, annotated, peers } = inCluster;
  const { nodeName: name } = host.snapshot;
  // Its pods or nodes would use a subnet for something else too.
  const usedTwice = firstUsedTwice(network, ofUplinks, inCluster.used);
  if (usedTwice !== undefined) return { failure: { cause: 'subnets-overlap', usedTwice } };
  if (networkId === undefined) return { failure: { cause: 'no-network-id' } };
  if (nodeId === undefined) {
    return { failure: { cause: 'no-node-id', node: name, ...(annotated !== undefined && { annotated }) } };
  }
  if (!inCluster.isReported) {
    const report = `ConfigMap/${settings.namespace}/${nodeReportName(name)}`;
    return { failure: { cause: 'not-reported', networkId, report } };
  }
  const vrf = vrfOfNetwork(network, networkId);
  const failure = rivalry(network, vrf, inCluster);
  if (failure !== undefined) return { failure };
  const allocatedSubnets = podSubnetsIn(inCluster.nodeSubnets, networkName);
  const addressed = addressedOn([
    { networkName, networkId, subnets, joinSubnets },
    { name, id: nodeId, allocatedSubnets },
  ]);
  if ('exhausted' in addressed) return { failure: { cause: 'exhausted', node: name, ...addressed } };
  const egress =
    network.exit === 'node'
      ? egressOnNode(addressed.network, vrf.name, inCluster.isDefaultNetworkKnown, {
          node: host.snapshot,
          settings,
          ways,
        })
      : undefined;
  const { serviceCidrs: serviceSubnets } = settings;
  return { addressed, mtu, vrf, serviceSubnets, peers, host, ...(egress && { egress }) };
}
