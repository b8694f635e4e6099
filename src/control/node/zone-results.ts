/** The result of each network that ovn-uplinks provides on the node, for the report of the node. */
import type { ReadinessOfNetworks } from '../../domain/plan/registration-to-store.ts';
import { zoneReason } from '../../domain/status/zone-sentence.ts';
import type { PlanProgress } from './network-results.ts';

/** Why networks are not ready on the node, by id. */
export function zoneReadiness({ nodePlan: { zones = [] }, failures, underWay }: PlanProgress): ReadinessOfNetworks {
  const results = zones.flatMap(
    ({ networkName, networkId, failure }): readonly (readonly [number, string | undefined])[] => {
      if (networkId === undefined) return [];
      if (failure !== undefined) return [[networkId, zoneReason(failure)]];
      if (failures.has(networkName)) return [[networkId, 'ProgrammingFailed']];
      return underWay.has(networkName) ? [] : [[networkId, undefined]];
    },
  );
  return new Map(results);
}
