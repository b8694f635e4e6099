/** The networks that ovn-uplinks provides on a node, apart from their uplinks (docs/design/networks.md, "Zones"). */
import { type NodeOfEgress, waysOn } from '../../dataplane/egress/egress-on-node.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import type { Network } from '../../network/network.ts';
import { type UnsupportedPart, unsupportedPart } from '../../network/unsupported.ts';
import { usedByUplink, type UsedSubnet } from '../../network/provision/used-subnets.ts';
import { lastByReadParts } from '../../snapshot/read-parts.ts';
import type { NodeInput } from '../node-input.ts';
import { needsOf } from '../parts/needs.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import { providedIn } from '../view/provided-networks.ts';
import {
  type NetworkInCluster,
  networkInCluster,
  providedNetwork,
  type Rivals,
  rivalsAmong,
  type UplinkAddresses,
} from './provided-network.ts';

function unsupportedNetwork({ key, networkName }: Network, unsupported: UnsupportedPart): PlannedNetwork {
  const failure: LogicalNetworkFailure = { cause: 'unsupported', unsupported };
  return { onNode: { object: key, networkName, podSubnets: [], failure }, others: [], mtu: 0, needs: [] };
}

/** A network that is active on the node. */
function plannedNetwork(
  network: Network,
  ofUplinks: readonly UsedSubnet[],
  inCluster: NetworkInCluster,
  input: Pick<NodeInput, 'node' | 'settings' | 'parts'> & Pick<NodeOfEgress, 'ways'>,
): PlannedNetwork {
  const { key, networkName, exitBySetting, mtu = input.settings.defaultNetworkMtu } = network;
  const { networkId, activeNodes } = inCluster;
  const others = activeNodes.filter((name) => name !== input.node.snapshot.nodeName);
  const id = { object: key, networkName, ...(networkId !== undefined && { networkId }) };
  const onNode = { ...id, ...(exitBySetting !== undefined && { exit: exitBySetting }) };
  const failed = (failure: LogicalNetworkFailure, podSubnets: readonly string[] = []): PlannedNetwork => ({
    onNode: { ...id, podSubnets, failure },
    others,
    mtu,
    needs: [],
  });
  const provided = providedNetwork(network, ofUplinks, inCluster, input);
  if ('failure' in provided) return failed(provided.failure);
  const { podSubnets } = provided.addressed.addresses;
  const needs = needsOf(provided, input.parts.network);
  if ('failure' in needs) return failed(needs.failure, podSubnets);
  const { egress } = provided;
  if (egress === undefined) return { onNode: { ...onNode, podSubnets }, others, mtu, needs };
  const { failure: egressFailure } = egress;
  const leaving = { ...onNode, podSubnets, ...(egressFailure && { egressFailure }) };
  return { onNode: leaving, others, mtu, egress, needs };
}

/** Of networks that do not leave by the node. */
const noWays: NodeOfEgress['ways'] = { 4: [], 6: [] };

const lastPlanned = lastByReadParts<PlannedNetwork>();

/** Plans a network that is active on the node: the same object as long as nothing that it follows from has changed. */
function planned(network: Network, rivals: Rivals, uplinkAddresses: UplinkAddresses, input: NodeInput): PlannedNetwork {
  const { settings, parts } = input;
  const inCluster = networkInCluster(network, rivals, input);
  const addresses = network.uplinks.map(uplinkAddresses);
  const ways = network.exit === 'node' ? waysOn(input.node.snapshot.routes, settings) : noWays;
  const inputs: readonly unknown[] = [settings, parts, ways, ...addresses, ...Object.values<unknown>({ ...inCluster })];
  return lastPlanned(network, inputs, input.node, (node) => {
    const ofUplinks = network.uplinks.flatMap((uplink) => usedByUplink(uplink, uplinkAddresses(uplink)));
    return plannedNetwork(network, ofUplinks, inCluster, { node, settings, parts, ways });
  });
}

/** Plans the networks that ovn-uplinks has to provide on the node, by their names in OVN; none if it does not program OVN. */
export function providedOnNode(input: NodeInput, uplinkAddresses: UplinkAddresses): readonly PlannedNetwork[] {
  const { view, object, settings } = input;
  if (settings.providedNetworks === 'none' || !settings.ovn) return [];
  const provided = providedIn(view.snapshot, view.settings);
  const rivals = rivalsAmong(provided, input);
  return provided
    .filter((network) => view.isActive(network, object.metadata.name))
    .map((network) => {
      const unsupported = unsupportedPart(network);
      return unsupported === undefined
        ? planned(network, rivals, uplinkAddresses, input)
        : unsupportedNetwork(network, unsupported);
    });
}
