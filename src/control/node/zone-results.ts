/** The result of each network that ovn-uplinks provides on the node, for the report of the node. */
import { partKey } from '../../domain/network/part.ts';
import type { NotReady } from '../../domain/network/allocation/node-report.ts';
import { operationVerdict } from '../../domain/plan/operation-failure.ts';
import type { ReadinessOfNetworks } from '../../domain/plan/registration/registration-to-store.ts';
import { zoneNotReady, zoneReasonOf } from '../../domain/status/zone-sentence.ts';
import type { PlanProgress } from './network-results.ts';

/** Why networks are not ready on the node, by id. */
export function zoneReadiness({ nodePlan: { zones = [] }, failures, underWay }: PlanProgress): ReadinessOfNetworks {
  const results = zones.flatMap(
    ({ object, networkId, failure }): readonly (readonly [number, NotReady | undefined])[] => {
      if (networkId === undefined) return [];
      if (failure !== undefined) return [[networkId, zoneNotReady(failure)]];
      const part = partKey({ network: object, part: 'network' });
      const failed = failures.get(part);
      if (failed !== undefined) {
        const { reason, message } = operationVerdict(failed);
        return [[networkId, { reason: zoneReasonOf(reason), message }]];
      }
      return underWay.has(part) ? [] : [[networkId, undefined]];
    },
  );
  return new Map(results);
}
