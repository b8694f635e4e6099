import type { NetworkKey } from '../network/key.ts';
import { type PartKey, uplinkPart } from '../network/part.ts';
import type { NetworkEntry } from '../api/uplink-state.ts';
import { boundedEntries, networkSentence } from '../status/network-entry.ts';
import { networkReasons } from '../status/reasons.ts';
import { overlapCondition, readyCondition } from '../status/ready.ts';
import { unsupportedSentence } from '../status/sentences/unsupported-sentence.ts';
import { type UplinkStateObject, uplinkStateObject } from '../status/uplink-state-object.ts';
import type { NetworkOnNode, NodePlan, NotCarried, UplinkOnNode } from './node-plan.ts';
import { type OperationFailure, uplinkVerdict } from './operation-failure.ts';

function notCarriedSentence(failure: NotCarried, uplink: string): string {
  switch (failure.reason) {
    case 'UplinkUnsupportedGatewayMode':
    case 'UplinkUnsupportedTransport':
      return unsupportedSentence(failure);
    case 'UplinkNotFound':
      return `Uplink ${uplink} does not exist`;
    case 'UplinkNotFoundForNode':
      return `Uplink ${uplink} does not select this node`;
  }
}

/** Reasons of `NotCarried`. */
const notCarriedReasons: Readonly<Record<NotCarried['reason'], true>> = {
  UplinkUnsupportedGatewayMode: true,
  UplinkUnsupportedTransport: true,
  UplinkNotFound: true,
  UplinkNotFoundForNode: true,
};

function isNotCarried(failure: NonNullable<NetworkOnNode['failure']>): failure is NotCarried {
  return Object.hasOwn(notCarriedReasons, failure.reason);
}

/** Why a network is not programmed on a node, as text; empty if it is. */
export function networkMessage({ failure, network, uplink }: NetworkOnNode, { uplinks }: NodePlan): string {
  if (failure === undefined) return '';
  if (isNotCarried(failure)) return notCarriedSentence(failure, uplink);
  const device = uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName ?? '';
  return networkSentence(failure, network, device);
}

function isNetworkReason(reason: string): boolean {
  return Object.hasOwn(networkReasons, reason);
}

/** Parts of networks whose operations are not all done yet. */
export interface InProgress {
  /** The parts of networks that pending operations are for (`partsOf`). */
  readonly parts: ReadonlySet<PartKey>;
  /** The previous entries of networks, by name: kept while operations are pending, if the VRF is the same. */
  readonly before: ReadonlyMap<string, NetworkEntry>;
}

/** The entry of a network: the reason that planning found, else the result of its operations. */
function entryOf(row: NetworkOnNode, plan: NodePlan, failures: readonly OperationFailure[]): NetworkEntry {
  const { key, network, vrf, failure } = row;
  const planned = failure && { reason: failure.reason, message: networkMessage(row, plan) };
  const notReady = planned ?? uplinkVerdict(key, failures);
  return {
    name: network,
    ...(vrf !== undefined && { vrf }),
    ready: notReady === undefined ? 'True' : 'False',
    reason: notReady?.reason ?? 'Ready',
    message: notReady?.message ?? '',
  };
}

/** The entry, or the previous one while operations of the network are pending. */
function currentEntry(
  network: NetworkKey,
  entry: NetworkEntry,
  inProgress: InProgress | undefined,
): readonly NetworkEntry[] {
  if (inProgress?.parts.has(uplinkPart(network)) !== true || entry.ready === 'False') return [entry];
  const former = inProgress.before.get(entry.name);
  return former !== undefined && former.vrf === entry.vrf ? [former] : [];
}

function entriesOf(
  plan: NodePlan,
  failures: readonly OperationFailure[],
  inProgress: InProgress | undefined,
): ReadonlyMap<string, readonly NetworkEntry[]> {
  const entries = new Map<string, NetworkEntry[]>();
  for (const row of plan.networks) {
    // A network that no uplink can carry is reported in its own condition.
    if (row.failure !== undefined && !isNetworkReason(row.failure.reason)) continue;
    const ofUplink = entries.get(row.uplink) ?? [];
    ofUplink.push(...currentEntry(row.key, entryOf(row, plan, failures), inProgress));
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
  // With an unknown selector or type the state is left unchanged.
  if (hostInterfaceName === undefined || facts === undefined) return [];
  const failure = unusable?.cause === 'discovery' ? unusable.failure : undefined;
  const condition = readyCondition({ facts, ...(failure && { failure }) }, hostInterfaceName);
  const findings = { hostInterfaceName, facts, networks: boundedEntries(entries) };
  return [uplinkStateObject(onNode, plan.nodeName, condition, findings)];
}

/**
 * The UplinkStates that the node writes, by uplink name.
 *
 * @param failures operations of the plan that failed; absent: all have succeeded
 * @param inProgress networks with pending operations, whose entries are kept; absent: all operations are done
 */
export function nodeStatus(
  plan: NodePlan,
  failures: readonly OperationFailure[] = [],
  inProgress?: InProgress,
): readonly UplinkStateObject[] {
  const entries = entriesOf(plan, failures, inProgress);
  return plan.uplinks.flatMap((onNode) => stateOf(onNode, plan, entries.get(onNode.uplink) ?? []));
}
