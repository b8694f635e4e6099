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
import { lazyByContent } from '../../basics/incremental/interned.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { byName } from '../../basics/names/ordering.ts';
import { isReporting, nodeReportName, reportedNetworks, storedReport } from '../../network/allocation/node-report.ts';
import { entityPrefix } from '../../network/names/logical-network.ts';
import { vrfOfNetwork } from '../../network/names/vrf.ts';
import type { Network } from '../../network/network.ts';
import { firstUsedTwice, usedByUplink } from '../../network/provision/used-subnets.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import { annotationOf, podSubnetsIn } from '../../selection/node-network.ts';
import type { NodeInput } from '../node-input.ts';
import type { ProvidedNetwork } from '../parts/part.ts';
import { clusterSubnets } from '../view/cluster-subnets.ts';
import { disputedNodeId } from '../view/node-id-disputes.ts';
import { peersIn } from '../view/peer-nodes.ts';

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

/** A subnet of the network that its pods or nodes use for something else too. */
function overlap(
  network: Network,
  uplinkAddresses: UplinkAddresses,
  { view: { snapshot, settings } }: NodeInput,
): LogicalNetworkFailure | undefined {
  const ofUplinks = network.uplinks.flatMap((uplink) => usedByUplink(uplink, uplinkAddresses(uplink)));
  const usedTwice = firstUsedTwice(network, ofUplinks, clusterSubnets(snapshot.nodes, settings));
  return usedTwice && { cause: 'subnets-overlap', usedTwice };
}

/**
 * The node may not use the id of a network: it has not reported it. Its claim is read after that, as claims and the report are read together
 * (docs/design/networks.md, "Ids").
 */
function unreported(
  networkId: number,
  { view: { snapshot, settings }, object }: NodeInput,
): LogicalNetworkFailure | undefined {
  const reported = reportedNetworks(storedReport(object, snapshot.configMaps, settings.namespace));
  if (isReporting(object) && reported?.has(networkId) === true) return undefined;
  const report = `ConfigMap/${settings.namespace}/${nodeReportName(object.metadata.name)}`;
  return { cause: 'not-reported', networkId, report };
}

function objectsOf(networks: readonly Network[]): readonly string[] {
  return networks.map(({ key }) => key).toSorted(byName);
}

/** Other networks have the names of its entities, or its VRF. */
function rivalry(
  { networkName }: Network,
  vrf: ReturnType<typeof vrfOfNetwork>,
  { byPrefix, byVrf }: Rivals,
): LogicalNetworkFailure | undefined {
  const prefix = entityPrefix(networkName);
  const equallyNamed = byPrefix.get(prefix) ?? [];
  if (equallyNamed.length > 1) return { cause: 'equal-names', networks: objectsOf(equallyNamed), prefix };
  const ofVrf = byVrf.get(vrf.name) ?? [];
  return ofVrf.length > 1 ? { cause: 'equal-vrfs', networks: objectsOf(ofVrf), vrf: vrf.name } : undefined;
}

/** Decides about a network that is active on the node: what its parts are planned from, or why it cannot be there. */
export function providedNetwork(
  network: Network,
  rivals: Rivals,
  uplinkAddresses: UplinkAddresses,
  input: NodeInput,
): ProvidedNetwork | { readonly failure: LogicalNetworkFailure } {
  const { view, object, settings } = input;
  const { networkName, subnets, joinSubnets, mtu = settings.defaultNetworkMtu } = network;
  const { name } = object.metadata;
  const overlapping = overlap(network, uplinkAddresses, input);
  if (overlapping !== undefined) return { failure: overlapping };
  const [networkId, nodeId] = [view.networkId(network), view.nodeId(object)];
  if (networkId === undefined) return { failure: { cause: 'no-network-id' } };
  if (nodeId === undefined) {
    const annotated = disputedNodeId(object, view);
    return { failure: { cause: 'no-node-id', node: name, ...(annotated && { annotated }) } };
  }
  const vrf = vrfOfNetwork(network, networkId);
  const failure = unreported(networkId, input) ?? rivalry(network, vrf, rivals);
  if (failure !== undefined) return { failure };
  const allocatedSubnets = podSubnetsIn(annotationOf(object, NODE_SUBNETS_ANNOTATION), networkName);
  const node = { name, id: nodeId, allocatedSubnets };
  const addressed = addressedOn([{ networkName, networkId, subnets, joinSubnets }, node]);
  if ('exhausted' in addressed) return { failure: { cause: 'exhausted', node: name, ...addressed } };
  const reachable = peersIn(view);
  const peers = view.activeNodes(network).flatMap((other) => (other === name ? [] : (reachable.get(other) ?? [])));
  return { addressed, mtu, vrf, peers, host: input.node };
}
