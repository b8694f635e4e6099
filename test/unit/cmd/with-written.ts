import type { ClusterSnapshot, Condition, Preview } from '../../../src/domain/index.ts';

const written = (condition: Condition) => ({ ...condition, lastTransitionTime: '2026-11-21T08:00:00Z' });

/** The cluster once everything is written that a preview says: as API server and writers leave it, with times of transition. */
export function withWritten(before: ClusterSnapshot, { cluster, after }: Preview): ClusterSnapshot {
  const uplinks = new Map(cluster.uplinks.map((plan) => [plan.name, plan]));
  const networks = new Map(cluster.networks.map((plan) => [plan.name, plan]));
  const deleted = new Set(cluster.deletions);
  return {
    ...before,
    uplinks: before.uplinks.map((object) => {
      const plan = uplinks.get(object.metadata.name);
      if (plan === undefined) return object;
      return {
        ...object,
        metadata: { ...object.metadata, finalizers: [...plan.finalizers] },
        status: { conditions: [written(plan.condition)] },
      };
    }),
    clusterUserDefinedNetworks: before.clusterUserDefinedNetworks.map((object) => {
      const plan = networks.get(object.metadata.name);
      return plan === undefined ? object : { ...object, status: { conditions: [written(plan.condition)] } };
    }),
    uplinkStates: after.uplinkStates
      .filter(({ metadata }) => !deleted.has(metadata.name))
      .map((state) => ({
        ...state,
        status: {
          ...state.status,
          conditions: (state.status?.conditions ?? []).map((condition) => ({
            lastTransitionTime: '2026-11-21T08:00:00Z',
            ...condition,
          })),
        },
      })),
  };
}
