import type { NetworkKey } from '../network/key.ts';
import type { Network } from '../network/network.ts';
import type { NodePlan } from '../plan/node-plan.ts';
import { networkMessage } from '../plan/node-status.ts';
import type { ReportedNetwork } from '../plan/cluster/reported-node.ts';
import { reportedDomainText, routingDomainText } from '../status/routing-domain-text.ts';
import type { NetworkVerdict, ReadinessVerdict } from './explanation.ts';

/** The verdict on a network that is not active on the node. */
export const inactive: NetworkVerdict = {
  active: false,
  routingDomain: 'default',
  held: false,
  reason: 'NotActive',
  message: 'the network is not active on this node',
};

/** The verdict on a network that is active and has no uplinks. @param isProvided whether ovn-uplinks provides it */
export function withoutUplinks({ exit }: Pick<Network, 'exit'>, isProvided: boolean): NetworkVerdict {
  const provided = exit === 'node' ? ': its pods leave by their nodes' : '';
  const message = `the network has no uplinks${isProvided ? provided : ': nothing is done for it'}`;
  return { active: true, routingDomain: 'default', held: false, reason: 'NoUplinks', message };
}

/** The verdict on a network with uplinks, by the plan of its node. */
export function plannedVerdict(plan: NodePlan, network: NetworkKey): NetworkVerdict {
  const row = plan.networks.find((candidate) => candidate.key === network);
  if (row === undefined) return inactive;
  const { bridge, vlan, vrf, held, failure, routingDomain } = row;
  return {
    active: true,
    routingDomain: routingDomainText(routingDomain.domain),
    ...(bridge !== undefined && { bridge }),
    ...(vlan !== undefined && { vlan }),
    ...(vrf !== undefined && { vrf }),
    held,
    reason: failure?.reason ?? 'Ready',
    message: networkMessage(row, plan),
  };
}

/** Reasons for which a network is left as it is. */
const holding: ReadonlySet<string | undefined> = new Set([
  'NetworkNotAllocated',
  'PrerequisiteMissing',
  'UplinkConfigurationConflict',
  'UplinkOverlapOnNode',
  'UplinkNotReadyForNode',
  'UplinkVRFAttachmentFailed',
  'AddressFamilyMissing',
  'SubnetsOverlap',
  'UplinkBridgeMappingFailed',
  'GatewayRouterFailed',
]);

/** Whether a network with a reason is left as it is. */
export function isHolding(reason: string | undefined): boolean {
  return holding.has(reason);
}

/** The verdict on a network of a node that was not observed, from its states. */
export function reportedVerdict(networks: readonly ReportedNetwork[], network: NetworkKey): NetworkVerdict {
  const row = networks.find((candidate) => candidate.key === network);
  if (row === undefined) return inactive;
  const { bridge, vrf, reason, message } = row;
  return {
    active: true,
    routingDomain: reportedDomainText(vrf),
    ...(bridge !== undefined && { bridge }),
    ...(vrf !== undefined && { vrf }),
    held: isHolding(reason),
    reason: reason ?? 'Ready',
    message,
  };
}

/** The readiness of a provided network in a few words. */
export function readinessText({ reason }: ReadinessVerdict): string {
  return reason === 'NetworkReady' ? 'network ready' : `network not ready: ${reason}`;
}

/** A verdict in a few words. */
export function verdictText({ active, bridge, vlan, routingDomain, held, reason }: NetworkVerdict): string {
  if (!active) return 'not active';
  if (reason === 'NoUplinks') return 'no uplinks';
  const where = bridge === undefined ? [] : [`bridge ${bridge}${vlan === undefined ? '' : ` VLAN ${vlan}`}`];
  const state = reason === 'Ready' ? 'ready' : `${held ? 'held' : 'not ready'}: ${reason}`;
  const domain = routingDomain === 'default' ? 'default routing domain' : routingDomain;
  return [domain, ...where, state].join(', ');
}
