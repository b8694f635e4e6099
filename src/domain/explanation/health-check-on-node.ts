/** Explains what a node answers to health checks of a Service. */
import type { Service } from '../api/service.ts';
import { TCP_IN_VRFS_SETTING } from '../basics/conventions.ts';
import type { Network } from '../network/network.ts';
import { reportedNetworks } from '../plan/cluster/reported-node.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { networkOfServices } from '../plan/view/network-of-services.ts';
import type { NodePlace } from '../services/endpoint-choice.ts';
import {
  type HealthCheck,
  healthCheckOf,
  healthCheckPortOf,
  heldHealthChecks,
  isHealthy,
} from '../services/health-checks.ts';
import type { ServiceSlices } from '../services/placed-endpoints.ts';
import { keyOf, namespaceOf } from '../services/services-by-namespace.ts';
import { serviceScope } from '../services/service-scope.ts';
import { takenHealthCheckSentence } from '../status/sentences/health-check-sentence.ts';
import type { Fact } from './explanation.ts';

/** The answer of a node to health checks of a Service, as far as objects say it. */
export interface ExplainedHealthCheck extends Pick<HealthCheck, 'port' | 'localEndpoints' | 'isReached'> {
  readonly status: 200 | 503;
  /** NAMESPACE/NAME of an older Service that has the port; absent where it is its own. */
  readonly holder?: string;
  /** The VRF of the uplink, by the report of the node; absent in the default one. */
  readonly vrf?: string;
}

/** Without an Uplink for the node nothing comes from the wire. What else there is of its way there the agent alone knows. */
const withoutUplink: ReadonlySet<string | undefined> = new Set(['UplinkNotFound', 'UplinkNotFoundForNode']);

/** Explains the health check of a Service on a node; undefined where it has none. */
export function explainHealthCheck(
  { service, ...slices }: ServiceSlices,
  network: Network,
  node: NodePlace,
  view: ClusterView,
): ExplainedHealthCheck | undefined {
  const port = healthCheckPortOf(service);
  if (port === undefined) return undefined;
  const reports = reportedNetworks(view, node.name).filter(({ key }) => key === network.key);
  const way = reports.some(({ reason }) => !withoutUplink.has(reason)) ? 'unknown' : 'none';
  const checkOf = (each: Service): readonly HealthCheck[] => {
    const scope = serviceScope(each, networkOfServices(namespaceOf(each), view));
    if (scope.kind !== 'served') return [];
    const found = healthCheckOf({ slices: { service: each, ...slices }, network: scope.network, node, way });
    return found === undefined ? [] : [found];
  };
  const all = view.snapshot.services.filter((each) => healthCheckPortOf(each) === port).flatMap(checkOf);
  const check = all.find(({ key }) => key === keyOf(service));
  if (check === undefined) return undefined;
  const holder = heldHealthChecks(all).taken.find((each) => each.check === check)?.holder;
  const vrf = reports.find((each) => each.vrf !== undefined)?.vrf;
  return {
    port,
    status: isHealthy(check) ? 200 : 503,
    localEndpoints: check.localEndpoints,
    isReached: check.isReached,
    ...(holder && { holder: holder.key }),
    ...(vrf !== undefined && { vrf }),
  };
}

/** The facts of a health check, for people. */
export function healthCheckFacts({
  port,
  status,
  localEndpoints,
  isReached,
  holder,
  vrf,
}: ExplainedHealthCheck): readonly Fact[] {
  const fact = (depth: number, text: string): Fact => ({ depth, text, sources: [] });
  if (holder !== undefined) return [fact(1, takenHealthCheckSentence(port, `Service ${holder}`))];
  const why = isReached
    ? ''
    : ', serviceProxyHealthy false, as nothing comes from the wire to the network on this node';
  const where = `in VRF ${vrf ?? ''}, at the addresses of the uplink, only where ${TCP_IN_VRFS_SETTING} is 1 on the node: the log of its agent has HealthCheckUnreachable where it is not`;
  return [
    fact(1, `health checks at port ${String(port)}: ${String(status)}, localEndpoints ${String(localEndpoints)}${why}`),
    ...(vrf === undefined ? [] : [fact(2, where)]),
  ];
}
