/** Obstacles to serving a Service of a network as it is written, whatever the node. */
import type { Service } from '../api/service.ts';
import { byName, distinct } from '../basics/names/ordering.ts';
import type { NetworkKey } from '../network/key.ts';
import { judgedClusterIps } from '../services/load-balancers.ts';
import type { LeftOut } from '../services/mirror.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { lacksLabel, serviceScope } from '../services/service-scope.ts';
import type { SharedWith } from '../services/shared-addresses.ts';
import type { OutsideFindings } from './service-warnings.ts';
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

/** Findings about a Service, whatever the node. */
export interface ServiceFindings {
  /** Endpoints that are not in the mirrors of its slices. */
  readonly leftOut: readonly LeftOut[];
  /** Its addresses that other Services have too. */
  readonly shared: SharedWith;
  /** Absent where it is not reached from outside of its network. */
  readonly outside: OutsideFindings | undefined;
}

function problemOf(
  service: Service,
  found: NamespaceNetwork & { kind: 'ours' },
  { leftOut, shared, outside }: ServiceFindings,
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
  const unreached = [
    ...(outside?.addresses ?? []).flatMap(({ address, refusal }) => (refusal === undefined ? [] : [address])),
    ...(outside?.taken ?? []),
  ];
  if (unreached.length > 0)
    return { reason: 'ServicesRefused', text: `cannot be reached at ${nameSample(unreached)}` } as const;
  return lacksLabel(service, found)
    ? ({ reason: 'ServicesNotServed', text: 'is not labelled yet' } as const)
    : undefined;
}

/** Judges a Service; undefined where it is not one that ovn-uplinks serves, or has no address. */
export function serviceInNetwork(
  service: Service,
  found: NamespaceNetwork,
  findings: ServiceFindings,
): ServiceInNetwork | undefined {
  if (found.kind !== 'ours' || serviceScope(service, found).kind !== 'served') return undefined;
  const problem = problemOf(service, found, findings);
  return { network: found.network.key, ...(problem && { problem }) };
}
