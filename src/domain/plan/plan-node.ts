/**
 * Decides everything about one node: what each uplink is there, which networks it carries, and why some are not programmed.
 */
import { internalIpsOf } from '../api/node.ts';
import { addressingOf } from '../dataplane/addressing.ts';
import { type BridgeEntity, bridgeEntities } from '../dataplane/bridge-dataplane.ts';
import { routeEntity } from '../entities/route.ts';
import { type KeptNetwork, keptNetwork } from './retained/kept-network.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { viewNode } from '../snapshot/node-view.ts';
import { lastWaysOut } from '../network-readiness/last-way-out.ts';
import { conflictsOnBridges } from '../network-readiness/foreign-entities.ts';
import type { NetworkFailure } from '../network-readiness/network-check.ts';
import { takenDownWith } from '../network-readiness/taken-down-with.ts';
import { sourcesThatLeave } from '../network-readiness/sources-that-leave.ts';
import { by, distinct } from '../basics/names/ordering.ts';
import { restored, restoredBeside, withSettledLedger } from '../entities/ownership/restored.ts';
import { clusterNetworkKey } from '../network/key.ts';
import { isHeld } from '../routing-domain/held.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { viewCluster } from './view/cluster-view.ts';
import { heldEntities, keepsMembership } from './retained/held-entities.ts';
import { type Examined, examined } from './uplinks/examined-candidates.ts';
import { narrowTunnelWarnings } from './warnings/narrow-tunnels.ts';
import { hiddenHostsWarnings } from './warnings/hidden-hosts.ts';
import { candidate, defaultDomainAddresses } from './uplinks/network-candidate.ts';
import { networksOfOwners, nodeDataplane } from './node-dataplane.ts';
import type { NetworkOnNode, NodePlan } from './node-plan.ts';
import { nodeRegistration } from './registration/node-registration.ts';
import { nodeWarnings } from './warnings/node-warnings.ts';
import { reservedBridges } from './view/reserved-bridges.ts';
import type { NodeInput } from './node-input.ts';
import { stayingMembersOf } from './retained/staying-members.ts';
import { keptAsFound, undecidedNetworks } from './uplinks/unreadable.ts';
import { uplinkOnNode } from './uplinks/uplink-on-node.ts';
import { sortedWarnings } from './view/warning.ts';
import { heldNetworks } from './retained/held-networks.ts';
import { reachedChassis } from './networks/peer-nodes.ts';
import { tunnelsOnNode } from './networks/tunnels-on-node.ts';
import { zonesOnNode } from './networks/zones-on-node.ts';

/** Networks without another failure are checked together: interfaces that are harmless alone may not be harmless together. */
function examinedTogether(networks: readonly Examined[], { node, object }: NodeInput): readonly Examined[] {
  const isMoving = ({ failure, dataplane }: Examined): boolean =>
    failure === undefined && dataplane?.vrf.enslaves === true && node.link(dataplane.device)?.master === undefined;
  const targets = networks
    .filter(isMoving)
    .flatMap(({ dataplane }) => (dataplane === undefined ? [] : [[dataplane.device, dataplane.vrf.table] as const]));
  if (targets.length === 0) return networks;
  const moving = targets.map(([device]) => device);
  const carriers = moving.flatMap((device) => takenDownWith(device, node).map(({ name }) => [name, device] as const));
  const bound = lastWaysOut(new Map(carriers), internalIpsOf(object), node);
  const leaving = sourcesThatLeave(new Map(targets), node);
  const failureOf = ({ device, vrf }: NetworkDataplane): NetworkFailure | undefined => {
    const lastWayOut = bound.get(device);
    if (lastWayOut !== undefined) {
      return { reason: 'UplinkVRFAttachmentFailed', cause: 'cuts-node-off', device, vrf: vrf.name, by: lastWayOut };
    }
    const source = leaving.get(device);
    if (source === undefined) return undefined;
    const { route, ...by } = source;
    return { reason: 'UplinkVRFAttachmentFailed', cause: 'cannot-be-put-back', device, entity: routeEntity(route), by };
  };
  return networks.map((network) => {
    const failure = isMoving(network) ? network.dataplane && failureOf(network.dataplane) : undefined;
    return failure === undefined ? network : { ...network, failure };
  });
}

function onNode(network: Examined): NetworkOnNode {
  const { uplinkName, uplink, notCarried, bridge, decision, vrf, conflicts, failure } = network;
  const vlan = uplink?.facts?.vlan;
  const usability = uplink?.unusable === undefined ? 'ready' : 'not-ready';
  return {
    network: network.network.metadata.name,
    uplink: uplinkName,
    ...(bridge !== undefined && { bridge }),
    ...(notCarried === undefined && vlan !== undefined && { vlan }),
    routingDomain: decision,
    ...(vrf.name !== undefined && vrf.enslaves && { vrf: vrf.name }),
    held: isHeld({
      uplink: notCarried === undefined ? usability : 'not-selected',
      inConflict: conflicts.length > 0,
      waiting: failure !== undefined,
    }),
    ...(failure && { failure }),
  };
}

/** A candidate and the decisions about it. */
interface DecidedCandidate extends Examined {
  readonly onNode: NetworkOnNode;
}

function decided(network: Examined): DecidedCandidate {
  return { ...network, onNode: onNode(network) };
}

function keptNetworks(
  networks: readonly DecidedCandidate[],
  undecided: readonly string[],
  input: NodeInput,
): readonly KeptNetwork[] {
  const { node } = input;
  const held = networks
    .filter(({ onNode }) => onNode.held)
    .map(({ network, ownVrf, vrf, uplink, bridge }) =>
      keptNetwork({
        network: network.metadata.name,
        networkName: network.networkName,
        ownVrf,
        vrf,
        device: uplink?.hostInterfaceName,
        bridge,
        node,
      }),
    );
  return [...held, ...undecided.map((network) => keptAsFound(network, input))].sort(by(({ network }) => network));
}

/** A network waits while a held one has their interface elsewhere: held networks are not changed for others either. */
function waitingForHeld(
  networks: readonly DecidedCandidate[],
  kept: readonly KeptNetwork[],
  { node }: NodeInput,
): readonly DecidedCandidate[] {
  return networks.map((network) => {
    if (network.failure !== undefined || network.dataplane === undefined) return network;
    const { device, vrf } = network.dataplane;
    const expected = vrf.enslaves ? vrf.name : undefined;
    const membership = entryOf(node.snapshot.ledger, 'membership', device);
    if (membership === undefined || membership.vrf === expected) return network;
    if (node.link(device)?.master !== membership.vrf) return network;
    const heldNetwork = kept.find((each) => keepsMembership(each, membership))?.network;
    if (heldNetwork === undefined) return network;
    const failure: NetworkFailure = {
      reason: 'UplinkVRFAttachmentFailed',
      cause: 'other-master',
      device,
      master: membership.vrf,
      ...(expected !== undefined && { vrf: expected }),
      heldNetwork,
    };
    return decided({ ...network, failure });
  });
}

/** Networks, and the entities that the programmed ones share on their bridges. */
interface OnBridges {
  readonly networks: readonly DecidedCandidate[];
  readonly programmed: readonly NetworkDataplane[];
  readonly entities: readonly BridgeEntity[];
}

/**
 * Networks whose entities would replace those of other programs on their bridges are not programmed. The entities of the remaining ones are then
 * computed without them.
 */
function onBridges(networks: readonly DecidedCandidate[], input: NodeInput): OnBridges {
  const { node, settings } = input;
  const programmed = networks.flatMap(({ onNode, dataplane }) =>
    onNode.failure === undefined && dataplane !== undefined ? [dataplane] : [],
  );
  const entities = bridgeEntities(programmed, settings, node);
  const conflicts = conflictsOnBridges(entities, node);
  if (conflicts.length === 0) return { networks, programmed, entities };
  const failures = new Map<string, NetworkFailure>();
  for (const [conflict, owners] of conflicts) {
    for (const network of networksOfOwners(owners, programmed).networks) {
      if (!failures.has(network)) failures.set(network, conflict);
    }
  }
  const rest = networks.map((network) => {
    const failure =
      network.onNode.failure === undefined ? failures.get(clusterNetworkKey(network.network.metadata.name)) : undefined;
    return failure === undefined ? network : decided({ ...network, failure });
  });
  return onBridges(rest, input);
}

/** Plans one node, with the node as it will be once what awaits that is restored. */
function planned(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
  restoredNode: NodeSnapshot,
): NodePlan {
  const view = viewCluster(cluster, settings);
  const object = view.nodes.byName.get(node.nodeName);
  if (object === undefined) {
    const warning = {
      object: `Node/${node.nodeName}`,
      message: 'the cluster has no such node; nothing is changed on it',
    };
    const dataplane = { programmed: [], kept: [], desired: [], stays: [], isUnknown: true } as const;
    return { nodeName: node.nodeName, uplinks: [], networks: [], dataplane, warnings: [warning] };
  }
  const input: NodeInput = {
    view,
    object,
    node: viewNode(restoredNode),
    reservedBridges: reservedBridges(object, settings),
    settings,
    addressing: addressingOf(settings),
  };
  const uplinks = new Map(
    distinct([...view.uplinkNames, ...view.unreadable('uplinks')]).flatMap((name) => {
      const uplink = uplinkOnNode(input, name);
      return uplink === undefined ? [] : [[name, uplink] as const];
    }),
  );
  const active = view.networks.filter((network) => view.isActive(network, node.nodeName));
  const defaultAddresses = defaultDomainAddresses(input, active, uplinks);
  const zones = zonesOnNode(input, (name) => uplinks.get(name)?.facts?.ipAddresses ?? []);
  const zoneOf = new Map(zones.map(({ onNode }) => [onNode.networkName, onNode]));
  const candidates = active
    .flatMap((network) =>
      distinct(network.uplinks).map((name) =>
        candidate(input, network, name, uplinks.get(name), defaultAddresses, zoneOf.get(network.networkName)),
      ),
    )
    .sort(by(({ network, uplinkName }) => `${network.metadata.name} ${uplinkName}`));
  const undecided = undecidedNetworks(input);
  const alone = examinedTogether(examined(candidates, undecided, input), input).map(decided);
  const outcome = onBridges(waitingForHeld(alone, keptNetworks(alone, undecided, input), input), input);
  const networks = outcome.networks.map((network) => network.onNode);
  const { programmed, entities } = outcome;
  const kept = keptNetworks(outcome.networks, undecided, input);
  const settled = withSettledLedger(node);
  const isHeld = heldEntities(heldNetworks(zones, kept, input), settled, object);
  const dataplane = nodeDataplane(
    programmed,
    [...entities, ...tunnelsOnNode(zones, input, isHeld), ...zones.flatMap(({ desired }) => desired)],
    { kept, isHeld },
    settled,
  );
  const registration = nodeRegistration(zones, reachedChassis(input), input);
  return {
    nodeName: node.nodeName,
    uplinks: [...uplinks.values()],
    networks,
    ...(settings.providedNetworks !== 'none' && { zones: zones.map(({ onNode }) => onNode) }),
    ...(registration && { registration }),
    dataplane,
    warnings: sortedWarnings([
      ...nodeWarnings(object, { view, networks, dataplane, node, restoredNode: input.node, settings }),
      ...narrowTunnelWarnings(zones, node),
      ...hiddenHostsWarnings(outcome.networks, node.nodeName),
    ]),
  };
}

/**
 * Plans one node.
 *
 * @param cluster objects of the cluster; pods and states of other nodes are not read
 * @param node the present node, whose name is that of its Node object
 * @returns the plan; for a node that the cluster does not have, the node as it is. Never throws: an object that is not understood degrades only
 * itself.
 */
export function planNode(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings): NodePlan {
  const restoredNode = restored(node);
  const plan = planned(cluster, node, settings, restoredNode);
  // Which networks are held, so that default routes in the main table stay there, is known only now.
  const beside = restoredBeside(stayingMembersOf(plan.dataplane), node);
  return beside === restoredNode ? plan : planned(cluster, node, settings, beside);
}
