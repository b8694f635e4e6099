import type { NetworkEntry } from '../api/uplink-state.ts';
import { boundedEntries, networkSentence } from '../status/network-entry.ts';
import { networkReasons } from '../status/reasons.ts';
import { overlapCondition, readyCondition } from '../status/ready.ts';
import { unsupportedSentence } from '../status/unsupported-sentence.ts';
import { type UplinkStateObject, uplinkStateObject } from '../status/uplink-state-object.ts';
import type { NetworkOnNode, NodePlan, UplinkOnNode } from './node-plan.ts';

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

function entriesOf(plan: NodePlan): ReadonlyMap<string, readonly NetworkEntry[]> {
  const entries = new Map<string, NetworkEntry[]>();
  for (const network of plan.networks) {
    const { vrf, failure } = network;
    // What no uplink can carry at all is told by the network's own condition; nothing of it is on the node.
    if (failure !== undefined && !isNetworkReason(failure.reason)) continue;
    const ofUplink = entries.get(network.uplink) ?? [];
    ofUplink.push({
      name: network.network,
      ...(vrf !== undefined && { vrf }),
      ready: failure === undefined ? 'True' : 'False',
      reason: failure?.reason ?? 'Ready',
      message: networkMessage(network, plan),
    });
    entries.set(network.uplink, ofUplink);
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

/** The UplinkStates that the node writes once the plan is carried out, by uplink name. */
export function nodeStatus(plan: NodePlan): readonly UplinkStateObject[] {
  const entries = entriesOf(plan);
  return plan.uplinks.flatMap((onNode) => stateOf(onNode, plan, entries.get(onNode.uplink) ?? []));
}
