import type { NodePlan } from '../plan/node-plan.ts';
import { networkMessage } from '../plan/node-status.ts';
import type { ReportedNetwork } from '../plan/reported-node.ts';
import type { Verdict } from './explanation.ts';

/** The verdict on a network that is active nowhere near. */
const inactive: Verdict = {
  active: false,
  held: false,
  reason: 'NotActive',
  message: 'the network is not active on this node',
};

/** The verdict on a network, by the plan of its node. */
export function plannedVerdict(plan: NodePlan, network: string): Verdict {
  const row = plan.networks.find((candidate) => candidate.network === network);
  if (row === undefined) return inactive;
  const { bridge, vlan, vrf, held, failure } = row;
  return {
    active: true,
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
  'UplinkConfigurationConflict',
  'UplinkOverlapOnNode',
  'UplinkNotReadyForNode',
]);

/** The verdict on a network of a node that nobody looked at, by what the node reported. */
export function reportedVerdict(networks: readonly ReportedNetwork[], network: string): Verdict {
  const row = networks.find((candidate) => candidate.network === network);
  if (row === undefined) return inactive;
  const { bridge, vrf, reason, message } = row;
  return {
    active: true,
    ...(bridge !== undefined && { bridge }),
    ...(vrf !== undefined && { vrf }),
    held: holding.has(reason),
    reason: reason ?? 'Ready',
    message,
  };
}

/** A verdict in a few words. */
export function verdictText({ active, bridge, vlan, vrf, held, reason }: Verdict): string {
  if (!active) return 'not active';
  const where = bridge === undefined ? [] : [`bridge ${bridge}${vlan === undefined ? '' : ` VLAN ${vlan}`}`];
  const state = reason === 'Ready' ? 'ready' : `${held ? 'held' : 'not ready'}: ${reason}`;
  return [vrf === undefined ? 'default routing domain' : `VRF ${vrf}`, ...where, state].join(', ');
}
