/** Explains which endpoints a Service has on a node, and the load balancers that follow. */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import type { Node } from '../api/node.ts';
import type { ServicePort } from '../api/service.ts';
import type { Network } from '../network/network.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import {
  type EndpointUse,
  endpointJudge,
  type JudgedEndpoint,
  type NodePlace,
  placeOf,
} from '../services/endpoint-choice.ts';
import {
  judgedClusterIps,
  type JudgedClusterIp,
  type LoadBalancer,
  loadBalancersOf,
} from '../services/load-balancers.ts';
import type { ServiceSlices } from '../services/placed-endpoints.ts';
import { isMirror } from '../services/slices.ts';
import { refusedAddressSentence, useSentence } from '../status/sentences/service-sentence.ts';
import type { Fact } from './explanation.ts';
import { endpointName } from './endpoint-name.ts';
import { explainHealthCheck, type ExplainedHealthCheck, healthCheckFacts } from './health-check-on-node.ts';
import { sharedAddresses } from './shared-addresses.ts';

/** An endpoint for a port of a Service, and whether it is used. */
export interface ExplainedChoice {
  /** Name of its slice, or of the mirror of one that is not known. */
  readonly slice: string;
  readonly endpoint: string;
  readonly address?: string;
  readonly ports: readonly number[];
  readonly use: EndpointUse;
}

/** A port of a Service at one of its addresses. */
export interface ExplainedPort {
  readonly clusterIP: string;
  readonly port: number;
  readonly protocol: string;
  readonly endpoints: readonly ExplainedChoice[];
}

/** A Service on a node. */
export interface ServiceOnNode {
  readonly node: NodePlace;
  /** Whether its network is there. */
  readonly isActive: boolean;
  readonly clusterIPs: readonly JudgedClusterIp[];
  readonly ports: readonly ExplainedPort[];
  readonly loadBalancers: readonly LoadBalancer[];
  /** Absent where it has none. */
  readonly healthCheck?: ExplainedHealthCheck;
}

function explainedChoice({ slice, endpoint, address, ports, use }: JudgedEndpoint): ExplainedChoice {
  return { slice, endpoint: endpointName(endpoint), ...(address !== undefined && { address }), ports, use };
}

/** Explains a Service of a network on a node. */
export function serviceOnNode(
  service: ServiceSlices['service'],
  network: Network,
  node: Node,
  view: ClusterView,
): ServiceOnNode {
  const { snapshot, settings } = view;
  const { masqueradeSubnets } = settings;
  const place = placeOf(node);
  const isIn = (isKind: boolean) => (slice: EndpointSlice) => isMirror(slice) === isKind;
  const slices: ServiceSlices = {
    service,
    sources: snapshot.endpointSlices.filter(isIn(false)),
    mirrors: snapshot.endpointSlices.filter(isIn(true)),
  };
  const shared = sharedAddresses(service, view);
  const clusterIPs = judgedClusterIps(service, network, (address) => shared.has(address));
  const portsAt = ({ address, family }: JudgedClusterIp): readonly ExplainedPort[] => {
    const judge = endpointJudge({ slices, network, family, node: place });
    return (service.spec.ports ?? []).map((port: ServicePort) => ({
      clusterIP: address,
      port: port.port,
      protocol: port.protocol ?? 'TCP',
      endpoints: judge(port).map(explainedChoice),
    }));
  };
  const healthCheck = explainHealthCheck(slices, network, place, view);
  return {
    node: place,
    isActive: view.isActive(network, place.name),
    clusterIPs,
    ports: clusterIPs.filter(({ refusal }) => refusal === undefined).flatMap(portsAt),
    loadBalancers: loadBalancersOf({ slices, network, node: place, masqueradeSubnets, shared }),
    ...(healthCheck && { healthCheck }),
  };
}

function choiceText({ endpoint, address, ports, use }: ExplainedChoice): string {
  const at = address === undefined ? '' : ` at ${address}`;
  const numbers = ports.length === 0 ? '' : `, port ${ports.join(' and ')}`;
  return `${endpoint}${at}${numbers}: ${use === 'used' ? use : `${use}: ${useSentence(use)}`}`;
}

function balancerFacts({ name, vips, options }: LoadBalancer): readonly Fact[] {
  const optionTexts = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return [
    { depth: 1, text: `load balancer ${name}: ${optionTexts.join(', ')}`, sources: [] },
    ...Object.entries(vips).map(([vip, endpoints]): Fact => {
      const to = endpoints === '' ? 'refused, as it has no endpoint' : endpoints.replaceAll(',', ', ');
      return { depth: 2, text: `${vip} → ${to}`, sources: [] };
    }),
  ];
}

/** The facts of a Service on a node, for people. */
export function factsOnNode(
  { node, isActive, clusterIPs, ports, loadBalancers, healthCheck }: ServiceOnNode,
  namespace: string,
): readonly Fact[] {
  const zone = node.zone === undefined ? 'in no zone' : `in zone ${node.zone}`;
  const activity = isActive ? '' : '; the network is not active there, so that these load balancers are not';
  return [
    { depth: 0, text: `on node ${node.name}, ${zone}${activity}`, sources: [`Node/${node.name}`] },
    ...clusterIPs.flatMap(({ address, refusal }): readonly Fact[] =>
      refusal === undefined
        ? []
        : [{ depth: 1, text: `${address} is not served: ${refusedAddressSentence(refusal)}`, sources: [] }],
    ),
    ...ports.flatMap(({ clusterIP, port, protocol, endpoints }): readonly Fact[] => [
      { depth: 1, text: `port ${String(port)}/${protocol} of ${clusterIP}`, sources: [] },
      ...endpoints.map((each): Fact => ({
        depth: 2,
        text: choiceText(each),
        sources: [`EndpointSlice/${namespace}/${each.slice}`],
      })),
    ]),
    ...loadBalancers.flatMap(balancerFacts),
    ...(healthCheck ? healthCheckFacts(healthCheck) : []),
  ];
}
