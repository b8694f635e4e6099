/** Obstacles to serving a Service of a network as it is written, whatever the node. */
import type { Service } from '../api/service.ts';
import { byName, distinct } from '../basics/names/ordering.ts';
import type { NetworkKey } from '../network/key.ts';
import { judgedClusterIps } from '../services/load-balancers.ts';
import type { LeftOut } from '../services/mirror.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { lacksLabel, serviceScope } from '../services/service-scope.ts';
import { nameSample } from './node-sample.ts';
import type { ServicesReadyReason } from './provision-reasons.ts';

/** Problem of a Service. */
export interface ServiceProblem {
  readonly reason: Extract<ServicesReadyReason, 'EndpointsUnmapped' | 'ServicesRefused' | 'ServicesNotServed'>;
  /** For people, without the Service. */
  readonly text: string;
}

/** A Service that is served in a network, and what is wrong with it. */
export interface ServiceInNetwork {
  readonly network: NetworkKey;
  /** Absent where nothing is. */
  readonly problem?: ServiceProblem;
}

function problemOf(service: Service, found: NamespaceNetwork & { kind: 'ours' }, leftOut: readonly LeftOut[]) {
  const unmapped = distinct(leftOut.flatMap(({ endpoint, reason }) => (reason === 'NoAddress' ? [endpoint] : [])));
  if (unmapped.length > 0)
    return {
      reason: 'EndpointsUnmapped',
      text: `no address in the network: ${nameSample(unmapped.toSorted(byName))}`,
    } as const;
  const refused = judgedClusterIps(service, found.network).filter(({ refusal }) => refusal !== undefined);
  if (refused.length > 0) {
    const addresses = nameSample(refused.map(({ address }) => address));
    return { reason: 'ServicesRefused', text: `cannot be served at ${addresses}` } as const;
  }
  return lacksLabel(service, found)
    ? ({ reason: 'ServicesNotServed', text: 'is not labelled yet' } as const)
    : undefined;
}

/**
 * Judges a Service; undefined where it is not one that ovn-uplinks serves, or has no address.
 *
 * @param leftOut endpoints that are not in the mirrors of its slices
 */
export function serviceInNetwork(
  service: Service,
  found: NamespaceNetwork,
  leftOut: readonly LeftOut[],
): ServiceInNetwork | undefined {
  if (found.kind !== 'ours' || serviceScope(service, found).kind !== 'served') return undefined;
  const problem = problemOf(service, found, leftOut);
  return { network: found.network.key, ...(problem && { problem }) };
}
