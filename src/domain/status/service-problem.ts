/** Obstacles to serving a Service of a network as it is written, whatever the node. */
import type { Service } from '../api/service.ts';
import { byName, distinct } from '../basics/names/ordering.ts';
import type { NetworkKey } from '../network/key.ts';
import { judgedClusterIps } from '../services/load-balancers.ts';
import type { LeftOut } from '../services/mirror.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { lacksLabel, serviceScope } from '../services/service-scope.ts';
import type { SharedWith } from '../services/shared-addresses.ts';
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

function problemOf(
  service: Service,
  found: NamespaceNetwork & { kind: 'ours' },
  leftOut: readonly LeftOut[],
  shared: SharedWith,
) {
  const unmapped = distinct(leftOut.flatMap(({ endpoint, reason }) => (reason === 'NoAddress' ? [endpoint] : [])));
  if (unmapped.length > 0)
    return {
      reason: 'EndpointsUnmapped',
      text: `no address in the network: ${nameSample(unmapped.toSorted(byName))}`,
    } as const;
  const addresses = judgedClusterIps(service, found.network, (address) => shared.has(address));
  const refused = addresses.filter(({ refusal }) => refusal !== undefined);
  if (refused.length > 0) {
    const text = `cannot be served at ${nameSample(refused.map(({ address }) => address))}`;
    return { reason: 'ServicesRefused', text } as const;
  }
  return lacksLabel(service, found)
    ? ({ reason: 'ServicesNotServed', text: 'is not labelled yet' } as const)
    : undefined;
}

/**
 * Judges a Service; undefined where it is not one that ovn-uplinks serves, or has no address.
 *
 * @param leftOut endpoints that are not in the mirrors of its slices
 * @param shared its addresses that other Services have too
 */
export function serviceInNetwork(
  service: Service,
  found: NamespaceNetwork,
  leftOut: readonly LeftOut[],
  shared: SharedWith,
): ServiceInNetwork | undefined {
  if (found.kind !== 'ours' || serviceScope(service, found).kind !== 'served') return undefined;
  const problem = problemOf(service, found, leftOut, shared);
  return { network: found.network.key, ...(problem && { problem }) };
}
