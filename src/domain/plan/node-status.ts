import type { NetworkEntry } from '../api/uplink-state.ts';
import { boundedEntries, networkSentence } from '../status/network-entry.ts';
import { networkReasons } from '../status/reasons.ts';
import { overlapCondition, readyCondition } from '../status/ready.ts';
import { unsupportedSentence } from '../status/unsupported-sentence.ts';
import { type UplinkStateObject, uplinkStateObject } from '../status/uplink-state-object.ts';
import type { NetworkOnNode, NodePlan, UplinkOnNode } from './node-plan.ts';
import { type Outcome, verdictOf } from './outcome.ts';

/** What stands in a network's way on a node, for a person; empty where nothing does. */
export function networkMessage({ failure, network, uplink }: NetworkOnNode, { uplinks }: NodePlan): string {
  if (failure === undefined) return '';
  switch (failure.reason) {
    case 'UplinkUnsupportedGatewayMode':
    case 'UplinkUnsupportedTransport':
      return unsupportedSentence(failure);
    case 'UplinkNotFound':
      return `Uplink ${uplink} does not exist`;
    case 'UplinkNotFoundForNode':
      return `Uplink ${uplink} does not select this node`;
    case 'NetworkNotAllocated':
    case 'PrerequisiteMissing':
    case 'UplinkConfigurationConflict':
    case 'UplinkOverlapOnNode':
    case 'UplinkNotReadyForNode':
    case 'UplinkVRFAttachmentFailed':
    case 'AddressFamilyMissing':
    case 'UplinkBridgeMappingFailed':
      return networkSentence(
        failure,
        network,
        uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName ?? '',
      );
  }
}

function isNetworkReason(reason: string): boolean {
  return Object.hasOwn(networkReasons, reason);
}

/** Networks whose operations are not all done yet. */
export interface UnderWay {
  /** Their names. */
  readonly networks: ReadonlySet<string>;
  /** What was last said of networks, by name. It stands until there is more to say, if it is of the same VRF. */
  readonly before: ReadonlyMap<string, NetworkEntry>;
}

/** What the network's entry says: the reason that planning found, else what became of its operations. */
function entryOf(row: NetworkOnNode, plan: NodePlan, outcomes: readonly Outcome[]): NetworkEntry {
  const { network, vrf, failure } = row;
  const planned = failure && { reason: failure.reason, message: networkMessage(row, plan) };
  const notReady = planned ?? verdictOf(network, outcomes);
  return {
    name: network,
    ...(vrf !== undefined && { vrf }),
    ready: notReady === undefined ? 'True' : 'False',
    reason: notReady?.reason ?? 'Ready',
    message: notReady?.message ?? '',
  };
}

/** The entry, or what stands in its place while the network is worked on. */
function standingEntry(entry: NetworkEntry, underWay: UnderWay | undefined): readonly NetworkEntry[] {
  if (underWay?.networks.has(entry.name) !== true || entry.ready === 'False') return [entry];
  const former = underWay.before.get(entry.name);
  return former !== undefined && former.vrf === entry.vrf ? [former] : [];
}

function entriesOf(
  plan: NodePlan,
  outcomes: readonly Outcome[],
  underWay: UnderWay | undefined,
): ReadonlyMap<string, readonly NetworkEntry[]> {
  const entries = new Map<string, NetworkEntry[]>();
  for (const row of plan.networks) {
    // What no uplink can carry at all is told by the network's own condition; nothing of it is on the node.
    if (row.failure !== undefined && !isNetworkReason(row.failure.reason)) continue;
    const ofUplink = entries.get(row.uplink) ?? [];
    ofUplink.push(...standingEntry(entryOf(row, plan, outcomes), underWay));
    entries.set(row.uplink, ofUplink);
  }
  return entries;
}

function stateOf(onNode: UplinkOnNode, plan: NodePlan, entries: readonly NetworkEntry[]): readonly UplinkStateObject[] {
  const { hostInterfaceName, facts, unusable, stateNameTaken } = onNode;
  if (stateNameTaken) return [];
  if (unusable?.cause === 'overlap') {
    return [uplinkStateObject(onNode, plan.nodeName, overlapCondition(unusable.hostInterfaceNames))];
  }
  // Of a selector or a type that is not understood nothing can be said: what stands in the state stays until somebody can.
  if (hostInterfaceName === undefined || facts === undefined) return [];
  const failure = unusable?.cause === 'discovery' ? unusable.failure : undefined;
  const condition = readyCondition({ facts, ...(failure && { failure }) }, hostInterfaceName);
  const findings = { hostInterfaceName, facts, networks: boundedEntries(entries) };
  return [uplinkStateObject(onNode, plan.nodeName, condition, findings)];
}

/**
 * The UplinkStates that the node writes, by uplink name.
 *
 * @param outcomes operations of the plan that failed; without them, it is as if every operation had succeeded.
 * @param underWay networks of which nothing new is said yet; without it, all operations are over.
 */
export function nodeStatus(
  plan: NodePlan,
  outcomes: readonly Outcome[] = [],
  underWay?: UnderWay,
): readonly UplinkStateObject[] {
  const entries = entriesOf(plan, outcomes, underWay);
  return plan.uplinks.flatMap((onNode) => stateOf(onNode, plan, entries.get(onNode.uplink) ?? []));
}
