import type { Endpoint, EndpointSlice } from '../api/endpoint-slice.ts';
import type { Node } from '../api/node.ts';
import type { Service } from '../api/service.ts';
import { NAMES_SELECTOR_ANNOTATION, SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../basics/conventions.ts';
import { by } from '../basics/names/ordering.ts';
import { type ClusterView, viewCluster } from '../plan/view/cluster-view.ts';
import { podsByNamespace } from '../selection/indexes.ts';
import { meetsAll } from '../selection/label-selector.ts';
import {
  endpointVerdict,
  type LeftOutReason,
  leftOutOf,
  type MirrorInput,
  podsOfSlice,
  podVerdict,
} from '../services/mirror.ts';
import { familiesOf, namesScope } from '../services/names.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { lacksLabel, type ServiceScope, serviceScope } from '../services/service-scope.ts';
import { familyOfSlice, isManaged, mirrorName, placeOfName, serviceOfSource } from '../services/slices.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { serviceWarnings, type WarnedService } from '../status/service-warnings.ts';
import { leftOutSentence, scopeSentence } from '../status/sentences/service-sentence.ts';
import { endpointName } from './endpoint-name.ts';
import { networkOfServices } from '../plan/view/network-of-services.ts';
import type { Fact } from './explanation.ts';
import { factsOnNode, type ServiceOnNode, serviceOnNode } from './service-on-node.ts';
import { outsideFacts, outsideFindings } from './outside-findings.ts';
import { sharedAddresses } from './shared-addresses.ts';

/** An endpoint of a Service, with its address in the network, or why it has none there. */
export interface ExplainedEndpoint {
  readonly slice: string;
  /** The pod, or the address that a user has written. */
  readonly endpoint: string;
  readonly address?: string;
  readonly reason?: LeftOutReason;
}

/** Why a Service is served in a network or not, and by which endpoints. */
export interface ServiceExplanation {
  readonly namespace: string;
  readonly service: string;
  readonly scope: ServiceScope['kind'];
  readonly network?: string;
  readonly endpoints: readonly ExplainedEndpoint[];
  /** Absent if no node is asked for, or if the Service is not served. */
  readonly onNode?: ServiceOnNode;
  readonly facts: readonly Fact[];
}

const namespaceOf = ({ metadata: { namespace = 'default' } }: Service | EndpointSlice) => namespace;

function labelFact(service: Service, found: NamespaceNetwork): Fact {
  const { namespace = 'default', name, labels } = service.metadata;
  const proxy = labels?.[SERVICE_PROXY_LABEL];
  const text =
    proxy !== undefined
      ? `has the label ${SERVICE_PROXY_LABEL}=${proxy}`
      : lacksLabel(service, found)
        ? `is to be labelled ${SERVICE_PROXY_LABEL}=${SERVICE_PROXY} by the cluster manager; if that persists, its log says why`
        : `does not have the label ${SERVICE_PROXY_LABEL}: kube-proxy, or what takes its place, serves it`;
  return { depth: 0, text, sources: [`Service/${namespace}/${name}`] };
}

function explainedEndpoint(endpoint: Endpoint, input: MirrorInput): ExplainedEndpoint {
  const verdict = endpointVerdict(endpoint, input);
  const named = { slice: input.source.metadata.name, endpoint: endpointName(endpoint) };
  return 'addresses' in verdict
    ? { ...named, address: verdict.addresses.join(', ') }
    : { ...named, reason: verdict.reason };
}

/** The slices of a Service, by name. */
function slicesOf(service: Service, { endpointSlices }: ClusterSnapshot): readonly EndpointSlice[] {
  return endpointSlices
    .filter((slice) => namespaceOf(slice) === namespaceOf(service) && serviceOfSource(slice) === service.metadata.name)
    .sort(by(({ metadata }) => metadata.name));
}

function endpointFact({ endpoint, address, reason }: ExplainedEndpoint): Fact {
  const text = `${endpoint}: ${reason === undefined ? (address ?? '') : `${reason}: ${leftOutSentence(reason)}`}`;
  return { depth: 1, text, sources: [] };
}

function sliceFacts(source: EndpointSlice, endpoints: readonly ExplainedEndpoint[], snapshot: ClusterSnapshot) {
  const [namespace, name] = [namespaceOf(source), source.metadata.name];
  const mirror = snapshot.endpointSlices.find(
    (slice) => namespaceOf(slice) === namespace && slice.metadata.name === mirrorName(name),
  );
  const fact: Fact = {
    depth: 0,
    text: `EndpointSlice ${name} has ${mirror === undefined ? 'no mirror yet' : `the mirror ${mirror.metadata.name}`}`,
    sources: [`EndpointSlice/${namespace}/${name}`],
  };
  return [fact, ...endpoints.map(endpointFact)];
}

/** The warning about a Service for one reason after the other, as its Events have them. */
const warningFacts = (warned: WarnedService): readonly Fact[] =>
  serviceWarnings(warned).map(({ reason, message }) => ({ depth: 0, text: `${reason}: ${message}`, sources: [] }));

/** The pods to which the names of a Service lead, in the slices of these that there are. */
function explainedNames(
  service: Service,
  found: NamespaceNetwork,
  { snapshot }: ClusterView,
  facts: readonly Fact[],
): Pick<ServiceExplanation, 'endpoints' | 'facts'> {
  const [namespace, { name }] = [namespaceOf(service), service.metadata];
  const scope = namesScope(service, found);
  const warnings = warningFacts({
    service,
    found,
    leftOut: [],
    shared: new Map(),
    slices: slicesOf(service, snapshot),
  });
  if (scope.kind !== 'led') return { endpoints: [], facts: [...facts, ...warnings] };
  const { network, requirements } = scope;
  const slices = snapshot.endpointSlices.filter(
    (slice) =>
      namespaceOf(slice) === namespace && isManaged(slice) && placeOfName(slice.metadata.name)?.service === name,
  );
  const selected = (podsByNamespace(snapshot.pods).get(namespace) ?? [])
    .filter(({ metadata }) => meetsAll(metadata.labels ?? {}, requirements))
    .sort(by(({ metadata }) => metadata.name));
  const endpoints = familiesOf(service).flatMap((family) =>
    selected.map((pod): ExplainedEndpoint => {
      const verdict = podVerdict(pod, network, family);
      const slice = slices.find(
        (each) => familyOfSlice(each) === family && podsOfSlice(each).includes(pod.metadata.name),
      );
      const named = { slice: slice?.metadata.name ?? '', endpoint: `Pod/${pod.metadata.name}` };
      return 'addresses' in verdict
        ? { ...named, address: verdict.addresses.join(', ') }
        : { ...named, reason: verdict.reason };
    }),
  );
  const led: Fact = {
    depth: 0,
    text: `annotation ${NAMES_SELECTOR_ANNOTATION}: ${String(selected.length)} pods selected, ${String(slices.length)} EndpointSlices written`,
    sources: [`Service/${namespace}/${name}`],
  };
  return { endpoints, facts: [...facts, led, ...endpoints.map(endpointFact), ...warnings] };
}

/** A Service, by its names, and a node on which it is to be explained. */
export interface ExplainedService {
  readonly namespace: string;
  readonly name: string;
  readonly node?: Node;
}

/** Explains a Service; undefined if the cluster has no such Service. */
export function explainService(
  cluster: ClusterSnapshot,
  settings: ClusterSettings,
  { namespace, name, node }: ExplainedService,
): ServiceExplanation | undefined {
  const service = cluster.services.find((each) => namespaceOf(each) === namespace && each.metadata.name === name);
  if (service === undefined) return undefined;
  const view = viewCluster(cluster, settings);
  const found = networkOfServices(namespace, view);
  const scope = serviceScope(service, found);
  const facts: readonly Fact[] = [
    { depth: 0, text: scopeSentence(scope), sources: [`Namespace/${namespace}`] },
    labelFact(service, found),
  ];
  const explained = { namespace, service: name, scope: scope.kind };
  if (scope.kind !== 'served') return { ...explained, ...explainedNames(service, found, view, facts) };
  const { network, networkId } = scope;
  const pods = podsByNamespace(cluster.pods).get(namespace) ?? [];
  const pod = (podName: string) => pods.find(({ metadata }) => metadata.name === podName);
  const slices = slicesOf(service, cluster).map((source) => ({
    source,
    endpoints: (source.endpoints ?? []).map((each) => explainedEndpoint(each, { source, network, networkId, pod })),
  }));
  const onNode = node && serviceOnNode(service, network, node, view);
  const leftOut = slices.flatMap(({ source }) => leftOutOf({ source, network, networkId, pod }));
  const outside = outsideFindings(service, view);
  return {
    ...explained,
    network: network.key,
    endpoints: slices.flatMap(({ endpoints }) => endpoints),
    ...(onNode && { onNode }),
    facts: [
      ...facts,
      ...slices.flatMap(({ source, endpoints }) => sliceFacts(source, endpoints, cluster)),
      ...outsideFacts(service, outside),
      ...(onNode ? factsOnNode(onNode, namespace) : []),
      ...warningFacts({
        service,
        found,
        leftOut,
        shared: sharedAddresses(service, view),
        ...(outside && { outside }),
        slices: slices.map(({ source }) => source),
      }),
    ],
  };
}

/** A verdict in a few words. */
export function serviceVerdictText({ scope, network, endpoints }: ServiceExplanation): string {
  if (network === undefined) return scope;
  const there = endpoints.filter(({ address }) => address !== undefined).length;
  return `served in ${network}, ${String(there)} of ${String(endpoints.length)} endpoints in it`;
}
