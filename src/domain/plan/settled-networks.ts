/**
 * Settles which networks are programmed on their uplinks and which are held, once each has been examined: what one network's failure does to others that share an
 * interface or a bridge with it.
 */
import { nameOfNetwork, type NetworkKey } from '../network/key.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { conflictsOf } from '../network-readiness/foreign-entities.ts';
import { conflictFailure, type NetworkFailure } from '../network-readiness/network-check.ts';
import { by } from '../basics/names/ordering.ts';
import { isHeld } from '../routing-domain/held.ts';
import { entryOf } from '../snapshot/ledger.ts';
import { networksOfOwners } from './node-dataplane.ts';
import type { NodeInput } from './node-input.ts';
import type { NetworkOnNode } from './node-plan.ts';
import { holdsMembership } from './retained/held-entities.ts';
import type { PlannedNetwork } from './parts/part.ts';
import type { DesiredEntity } from './parts/part.ts';
import { uplinkReason } from './parts/parts.ts';
import { type HeldNetworks, heldNetworks } from './retained/held-networks.ts';
import { type HeldNetwork, heldNetwork } from './retained/held-network.ts';
import { type Examined, examined } from './uplinks/examined-candidates.ts';
import { examinedTogether } from './uplinks/moving-together.ts';
import type { Candidate } from './uplinks/network-candidate.ts';
import { heldAsFound, undecidedNetworks } from './uplinks/unreadable.ts';

function onNode(network: Examined): NetworkOnNode {
  const { uplinkName, uplink, notCarried, bridge, decision, vrf, conflicts, failure } = network;
  const vlan = uplink?.facts?.vlan;
  const usability = uplink?.unusable === undefined ? 'ready' : 'not-ready';
  return {
    key: network.network.key,
    network: nameOfNetwork(network.network.key),
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

function heldOnUplinks(
  networks: readonly DecidedCandidate[],
  undecided: readonly NetworkKey[],
  input: NodeInput,
): readonly HeldNetwork[] {
  const { node } = input;
  const held = networks
    .filter(({ onNode }) => onNode.held)
    .map(({ network, ownVrf, vrf, uplink, bridge }) =>
      heldNetwork({
        network: network.key,
        networkName: network.networkName,
        ownVrf,
        vrf,
        device: uplink?.hostInterfaceName,
        bridge,
        node,
      }),
    );
  return [...held, ...undecided.map((network) => heldAsFound(network, input))].sort(by(({ network }) => network));
}

/** A network waits while a held one has their interface elsewhere: held networks are not changed for others either. */
function waitingForHeld(
  networks: readonly DecidedCandidate[],
  held: readonly HeldNetwork[],
  { node }: NodeInput,
): readonly DecidedCandidate[] {
  return networks.map((network) => {
    if (network.failure !== undefined || network.dataplane === undefined) return network;
    const { device, vrf } = network.dataplane;
    const expected = vrf.enslaves ? vrf.name : undefined;
    const membership = entryOf(node.snapshot.ledger, 'membership', device);
    if (membership === undefined || membership.vrf === expected) return network;
    if (node.link(device)?.master !== membership.vrf) return network;
    const holder = held.find((each) => holdsMembership(each, membership))?.network;
    if (holder === undefined) return network;
    const failure: NetworkFailure = {
      reason: 'UplinkVRFAttachmentFailed',
      cause: 'other-master',
      device,
      master: membership.vrf,
      ...(expected !== undefined && { vrf: expected }),
      heldNetwork: holder,
    };
    return decided({ ...network, failure });
  });
}

/** Networks on their uplinks, and the entities that the programmed ones need together. */
interface Sharing {
  readonly networks: readonly DecidedCandidate[];
  readonly programmed: readonly NetworkDataplane[];
  readonly shared: readonly DesiredEntity[];
}

/**
 * Networks whose shared entities would replace those of other programs are not programmed. The entities of the remaining ones are then computed without
 * them.
 */
function sharing(networks: readonly DecidedCandidate[], input: NodeInput): Sharing {
  const { node, parts } = input;
  const programmed = networks.flatMap(({ onNode, dataplane }) =>
    onNode.failure === undefined && dataplane !== undefined ? [dataplane] : [],
  );
  const shared = parts.uplink.flatMap((part) => part.shared?.(programmed, input) ?? []);
  const conflicts = conflictsOf(shared, node);
  if (conflicts.length === 0) return { networks, programmed, shared };
  const failures = new Map<NetworkKey, NetworkFailure>();
  for (const [conflict, owners] of conflicts) {
    for (const network of networksOfOwners(owners, programmed).networks) {
      if (!failures.has(network)) failures.set(network, conflictFailure(uplinkReason(conflict.wanted.kind), conflict));
    }
  }
  const rest = networks.map((network) => {
    const failure = network.onNode.failure === undefined ? failures.get(network.network.key) : undefined;
    return failure === undefined ? network : decided({ ...network, failure });
  });
  return sharing(rest, input);
}

/** Networks, once it is settled which are held. */
export interface SettledNetworks extends Sharing {
  /** The parts of networks that are held. */
  readonly held: HeldNetworks;
}

/**
 * Settles which networks are programmed and which are held.
 *
 * @param provided networks that ovn-uplinks provides
 * @param candidates networks on their uplinks
 */
export function settledNetworks(
  provided: readonly PlannedNetwork[],
  candidates: readonly Candidate[],
  input: NodeInput,
): SettledNetworks {
  const undecided = undecidedNetworks(input);
  const alone = examinedTogether(examined(candidates, undecided, input), input).map(decided);
  const outcome = sharing(waitingForHeld(alone, heldOnUplinks(alone, undecided, input), input), input);
  return { ...outcome, held: heldNetworks(provided, heldOnUplinks(outcome.networks, undecided, input), input) };
}
