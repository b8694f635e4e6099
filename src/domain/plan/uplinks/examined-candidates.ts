/** Candidates, compared with each other, and why they cannot be programmed. */
import { nameOfNetwork, type NetworkKey } from '../../network/key.ts';
import { internalIpsOf } from '../../api/node.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import { entityPrefix } from '../../network/names/logical-network.ts';
import type { Network } from '../../network/network.ts';
import type { NetworkFailure, UplinkUnusable } from '../../network-readiness/network-check.ts';
import { networkFailure } from './network-checks.ts';
import { lastByObject } from '../../basics/incremental/by-identity.ts';
import { type Conflict, conflictsAmong, type Contender } from '../../routing-domain/conflict.ts';
import { subnetOverlaps } from '../../routing-domain/subnet-overlap.ts';
import type { UsedTwice } from '../../network/provision/used-subnets.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import { lastByReadParts } from '../../snapshot/read-parts.ts';
import type { Candidate } from './network-candidate.ts';
import type { NodeInput } from '../node-input.ts';
import type { NotCarried, UplinkOnNode } from '../node-plan.ts';
import { contenderAsFound, unreadableForDomain } from './unreadable.ts';

/** A candidate, and why it cannot be programmed. */
export interface Examined extends Candidate {
  readonly conflicts: readonly Conflict[];
  readonly failure: NotCarried | NetworkFailure | undefined;
  /** Its subnets that are parts of those of its uplink. */
  readonly withinUplink: readonly UsedTwice[];
}

/** Whether the interface of a network has to be moved, or its VRF differs from the desired one. */
function isMoved(dataplane: NetworkDataplane | undefined, node: NodeView): boolean {
  if (dataplane === undefined) return false;
  const { device, vrf } = dataplane;
  if (!vrf.enslaves) return node.link(device)?.master !== undefined;
  return node.link(device)?.master !== vrf.name || node.link(vrf.name)?.vrfTable !== vrf.table;
}

/** Why an uplink cannot carry the packets of a network that it is ready for without; undefined if it can. */
function tooNarrow(
  { key, mtu: required }: Network,
  uplink: UplinkOnNode | undefined,
  { defaultNetworkMtu }: NodeInput['settings'],
): UplinkUnusable | undefined {
  const { narrowest } = uplink?.facts ?? {};
  const bytes = required ?? defaultNetworkMtu;
  if (narrowest === undefined || narrowest.mtu >= bytes) return undefined;
  const failure = { reason: 'MTUInvalid', ...narrowest, required: bytes, network: nameOfNetwork(key) } as const;
  return { cause: 'discovery', failure };
}

const none: readonly never[] = [];

/** Why candidates cannot be programmed, as long as what was read for it is the same. */
const lastFailure = lastByReadParts<NetworkFailure | undefined>();

/** Conflicts of networks with each other, and overlaps of their subnets. */
interface Compared {
  readonly conflicts: ReturnType<typeof conflictsAmong>;
  /** Overlaps of subnets on one bridge. */
  readonly subnets: ReturnType<typeof subnetOverlaps>;
}

/** The last comparison: the same as long as all candidates are. */
const lastCompared = lastByObject<Compared>();

/** @param asFound networks that may have what is on the node */
function compared(
  asFound: readonly Contender[],
  candidates: readonly Candidate[],
  { ovn }: NodeInput['settings'],
): Compared {
  const carried = candidates.filter(({ notCarried }) => notCarried === undefined);
  const contenders = carried.map(({ network, bridge, vrf, decision: { domain } }) => ({
    network: network.key,
    domain,
    ...(vrf.name !== undefined && { vrf: vrf.name }),
    ...(bridge !== undefined && { bridge }),
    ...(ovn && { ovnPrefix: entityPrefix(network.networkName) }),
  }));
  const advertised = carried.flatMap(({ network, bridge, advertisedSubnets: subnets }) =>
    bridge !== undefined && subnets.length > 0 ? [{ network: network.key, bridge, subnets }] : [],
  );
  return { conflicts: conflictsAmong([...asFound, ...contenders]), subnets: subnetOverlaps(advertised) };
}

/**
 * Compares candidates with each other, and checks each of them.
 *
 * @param undecided networks that may have what is on the node, as far as it can be read
 */
export function examined(
  candidates: readonly Candidate[],
  undecided: readonly NetworkKey[],
  input: NodeInput,
): readonly Examined[] {
  const { view, node, object, settings } = input;
  const internalIps = internalIpsOf(object);
  const asFound = undecided.flatMap((network) => contenderAsFound(network, input) ?? []);
  const { conflicts, subnets } = lastCompared(settings, [...asFound, ...candidates], () =>
    compared(asFound, candidates, settings),
  );
  return candidates.map((candidate) => {
    const { network, uplink, logicalNetwork, notCarried, networkId, vrf, dataplane, unknownDatapath, overlaps } =
      candidate;
    if (notCarried !== undefined) return { ...candidate, conflicts: [], failure: notCarried, withinUplink: none };
    const ofNetwork = conflicts.get(network.key) ?? none;
    const ofSubnets = subnets.get(network.key) ?? none;
    const unreadable = unreadableForDomain(network, view);
    const failureOn = (present: NodeView) =>
      networkFailure({
        network,
        networkId,
        ...(logicalNetwork && { logicalNetwork }),
        vrf,
        conflicts: ofNetwork,
        usedTwice: overlaps.usedTwice,
        overlaps: ofSubnets,
        uplinkUnusable: uplink?.unusable ?? tooNarrow(network, uplink, settings),
        ipAddresses: uplink?.facts?.ipAddresses ?? none,
        dataplane,
        unreadable,
        unknownDatapath,
        internalIps,
        node: present,
      });
    // What a move displaces is found out once, for this and for the operations.
    const failure = isMoved(dataplane, node)
      ? failureOn(node)
      : lastFailure(candidate, [object, ofNetwork, ofSubnets, unreadable], node, failureOn);
    return { ...candidate, conflicts: ofNetwork, failure, withinUplink: overlaps.withinUplink };
  });
}
