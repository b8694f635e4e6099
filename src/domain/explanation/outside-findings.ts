import type { Service } from '../api/service.ts';
import { OutsideServices } from '../plan/cluster/joins/outside-services.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { networkOfServices } from '../plan/view/network-of-services.ts';
import { hasOutsideAddresses } from '../services/exposed-addresses.ts';
import { keyOf, namespaceOf } from '../services/services-by-namespace.ts';
import { serviceScope } from '../services/service-scope.ts';
import type { OutsideFindings } from '../status/service-warnings.ts';
import type { Fact } from './explanation.ts';

/** Finds at which addresses outside of its network a Service is reached; undefined where it has none. */
export function outsideFindings(service: Service, view: ClusterView): OutsideFindings | undefined {
  const services = new OutsideServices();
  services.take(view);
  for (const each of view.snapshot.services) {
    const scope = hasOutsideAddresses(each)
      ? serviceScope(each, networkOfServices(namespaceOf(each), view))
      : undefined;
    if (scope?.kind === 'served') services.set(keyOf(each), each, scope.network, view);
  }
  return services.findings(keyOf(service));
}

const sources = { 'load-balancer': 'status.loadBalancer', 'external-ips': 'spec.externalIPs' } as const;

/** The facts of how a Service is reached from outside, for people: its node ports, and the addresses that are not refused. */
export function outsideFacts({ spec }: Service, findings: OutsideFindings | undefined): readonly Fact[] {
  const hasNodePorts = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  const nodePorts = (spec.ports ?? []).flatMap(({ nodePort, protocol = 'TCP' }) =>
    hasNodePorts && nodePort !== undefined && nodePort > 0 ? [`${String(nodePort)}/${protocol}`] : [],
  );
  const reached = (findings?.addresses ?? []).filter(({ refusal }) => refusal === undefined);
  const policy = spec.externalTrafficPolicy === 'Local' ? 'Local: pods of the node that packets come to' : 'Cluster';
  return [
    ...(nodePorts.length === 0
      ? []
      : [`from outside at the addresses of uplinks, by node ports ${nodePorts.join(', ')}, with policy ${policy}`]),
    ...reached.map(
      ({ address, source }) =>
        `from outside at ${address} (${sources[source]}), by its own ports, with policy ${policy}`,
    ),
  ].map((text) => ({ depth: 0, text, sources: [] }));
}
