/**
 * Settles which networks are programmed on their uplinks and which are held, once each has been examined: what one network's failure does to others that share an
 * interface or a bridge with it.
 */
import { type BridgeEntity, bridgeEntities } from '../../dataplane/bridge-dataplane.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import { clusterNetworkKey } from '../../network/key.ts';
import { conflictsOnBridges } from '../../network-readiness/foreign-entities.ts';
import type { NetworkFailure } from '../../network-readiness/network-check.ts';
import { by } from '../../basics/names/ordering.ts';
import { isHeld } from '../../routing-domain/held.ts';
import { entryOf } from '../../snapshot/ledger.ts';
import { networksOfOwners } from '../node-dataplane.ts';
import type { NodeInput } from '../node-input.ts';
import type { NetworkOnNode } from '../node-plan.ts';
import { keepsMembership } from '../retained/held-entities.ts';
import { type KeptNetwork, keptNetwork } from '../retained/kept-network.ts';
import { type Examined, examined } from './examined-candidates.ts';
import { examinedTogether } from './moving-together.ts';
import type { Candidate } from './network-candidate.ts';
import { keptAsFound, undecidedNetworks } from './unreadable.ts';

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

/** Networks on their uplinks, once it is settled which are held. */
export interface SettledNetworks extends OnBridges {
  /** Networks whose uplinks are held, with those of which it is not known whether the node should have them. */
  readonly kept: readonly KeptNetwork[];
}

/** Settles which of some networks on their uplinks are held. */
export function settledNetworks(candidates: readonly Candidate[], input: NodeInput): SettledNetworks {
  const undecided = undecidedNetworks(input);
  const alone = examinedTogether(examined(candidates, undecided, input), input).map(decided);
  const outcome = onBridges(waitingForHeld(alone, keptNetworks(alone, undecided, input), input), input);
  return { ...outcome, kept: keptNetworks(outcome.networks, undecided, input) };
}
