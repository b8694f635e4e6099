/** The result of each network that ovn-uplinks provides on the node, for the report of the node. */
import { partKey } from '../../domain/network/part.ts';
import type { NotReady } from '../../domain/network/allocation/node-report.ts';
import { networkVerdict } from '../../domain/plan/operation-failure.ts';
import type { ReadinessOfNetworks } from '../../domain/plan/registration/registration-to-store.ts';
import type { ZoneFailure } from '../../domain/dataplane/zone/zone-failure.ts';
import { zoneReason } from '../../domain/plan/parts/parts.ts';
import { zoneSentence } from '../../domain/status/zone-sentence.ts';
import type { PlanProgress } from './network-results.ts';

/** Why a network is not programmed on the node. */
function notProgrammed(failure: ZoneFailure): NotReady {
  const reason = zoneReason(failure);
  // The report itself is what is missing.
  return failure.cause === 'not-reported' ? { reason } : { reason, message: zoneSentence(failure) };
}

/** Why networks are not ready on the node, by id. */
export function zoneReadiness({ nodePlan: { zones = [] }, failures, underWay }: PlanProgress): ReadinessOfNetworks {
  const results = zones.flatMap(
    ({ object, networkId, failure }): readonly (readonly [number, NotReady | undefined])[] => {
      if (networkId === undefined) return [];
      if (failure !== undefined) return [[networkId, notProgrammed(failure)]];
      const part = partKey({ network: object, part: 'network' });
      const failed = failures.get(part);
      if (failed !== undefined) {
        return [[networkId, networkVerdict(failed)]];
      }
      return underWay.has(part) ? [] : [[networkId, undefined]];
    },
  );
  return new Map(results);
}
