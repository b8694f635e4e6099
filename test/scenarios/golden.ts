import type { NetworkOnNode, NodePlan, Preview, Warning } from '../../src/domain/index.ts';
import { networkMessage } from '../../src/domain/plan/node-status.ts';

interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const sentence = ({ type, status, reason, message }: AnyCondition) =>
  `${type}=${status} ${reason}${message === '' ? '' : `: ${message}`}`;

function network(row: NetworkOnNode, plan: NodePlan) {
  const message = networkMessage(row, plan);
  return {
    network: row.network,
    uplink: row.uplink,
    ...(row.bridge !== undefined && { bridge: row.bridge }),
    ...(row.vlan !== undefined && { vlan: row.vlan }),
    domain: row.vrf === undefined ? row.routingDomain.domain.kind : `VRF ${row.vrf}`,
    ...(row.held && { held: true }),
    verdict: `${row.failure?.reason ?? 'Ready'}${message === '' ? '' : `: ${message}`}`,
  };
}

const warning = ({ object, path, message }: Warning) => `${[object, path].filter(Boolean).join(' ')}: ${message}`;

/** What a scenario shows: everything that would be said, in the order in which a person reads it; what is empty is left out. */
export function goldenOf({ nodes, states, cluster }: Preview): Record<string, unknown> {
  const warnings = [...nodes.flatMap((plan) => plan.warnings), ...cluster.warnings].map(warning);
  const sections: Record<string, unknown> = {
    networksOnNode: nodes.flatMap((plan) => plan.networks.map((row) => network(row, plan))),
    uplinkStates: states.map(({ metadata, status: { uplinkName, nodeName, networks, conditions, ...found } }) => ({
      name: metadata.name,
      ...(metadata.name !== `${uplinkName}.${nodeName}` && { uplinkName, nodeName, labels: metadata.labels }),
      ...found,
      condition: conditions.map(sentence).join(' '),
      ...(networks !== undefined &&
        networks.length > 0 && { networks: networks.map(({ name, ready, reason }) => `${name}=${ready} ${reason}`) }),
    })),
    uplinks: cluster.uplinks.map(({ name, finalizers, condition }) => ({
      name,
      condition: sentence(condition),
      ...(finalizers.length > 0 && { finalizers }),
    })),
    networks: cluster.networks.map(({ name, condition }) => ({ name, condition: sentence(condition) })),
    deletions: cluster.deletions,
    warnings,
  };
  return Object.fromEntries(Object.entries(sections).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}
