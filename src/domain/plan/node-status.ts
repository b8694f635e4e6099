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
    default:
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

function entriesOf(plan: NodePlan, outcomes: readonly Outcome[]): ReadonlyMap<string, readonly NetworkEntry[]> {
  const entries = new Map<string, NetworkEntry[]>();
  for (const row of plan.networks) {
    // What no uplink can carry at all is told by the network's own condition; nothing of it is on the node.
    if (row.failure !== undefined && !isNetworkReason(row.failure.reason)) continue;
    const ofUplink = entries.get(row.uplink) ?? [];
    ofUplink.push(entryOf(row, plan, outcomes));
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
 */
export function nodeStatus(plan: NodePlan, outcomes: readonly Outcome[] = []): readonly UplinkStateObject[] {
  const entries = entriesOf(plan, outcomes);
  return plan.uplinks.flatMap((onNode) => stateOf(onNode, plan, entries.get(onNode.uplink) ?? []));
}
