/** The result of each network that ovn-uplinks provides on the node, for the report of the node. */
import { partKey } from '../../domain/network/part.ts';
import type { NotReady } from '../../domain/network/allocation/node-report.ts';
import { networkVerdict } from '../../domain/plan/operation-failure.ts';
import type { ReadinessOfNetworks } from '../../domain/plan/registration/registration-to-store.ts';
import type { EgressFailure } from '../../domain/dataplane/egress/egress-failure.ts';
import { egressSentence } from '../../domain/status/sentences/egress-sentence.ts';
import type { LogicalNetworkFailure } from '../../domain/dataplane/logical-network/logical-network-failure.ts';
import { egressReason, logicalNetworkReason } from '../../domain/plan/parts/parts.ts';
import { logicalNetworkSentence } from '../../domain/status/sentences/logical-network-sentence.ts';
import type { PlanProgress } from './network-results.ts';

/** Why a network is not programmed on the node. */
function notProgrammed(failure: LogicalNetworkFailure): NotReady {
  const reason = logicalNetworkReason(failure);
  // The report itself is what is missing.
  return failure.cause === 'not-reported' ? { reason } : { reason, message: logicalNetworkSentence(failure) };
}

/** Why a network does not get out by the node. */
function notGettingOut(failure: EgressFailure): NotReady {
  return { reason: egressReason(failure), message: egressSentence(failure) };
}

/** Why networks are not ready on the node, by id. */
export function readinessOfNetworks({
  nodePlan: { zones = [] },
  failures,
  underWay,
}: PlanProgress): ReadinessOfNetworks {
  const results = zones.flatMap(
    ({ object, networkId, failure, egressFailure }): readonly (readonly [number, NotReady | undefined])[] => {
      if (networkId === undefined) return [];
      if (failure !== undefined) return [[networkId, notProgrammed(failure)]];
      const part = partKey({ network: object, part: 'network' });
      const failed = failures.get(part);
      if (failed !== undefined) {
        return [[networkId, networkVerdict(failed)]];
      }
      if (underWay.has(part)) return [];
      return [[networkId, egressFailure === undefined ? undefined : notGettingOut(egressFailure)]];
    },
  );
  return new Map(results);
}
