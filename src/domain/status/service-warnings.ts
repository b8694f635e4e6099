/**
 * Warnings about Services of networks: what users have written that does not lead into the network. Each stands as long as it is so.
 */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import type { ObjectWarning } from '../api/object-warning.ts';
import type { Service } from '../api/service.ts';
import {
  MANAGED_BY_LABEL,
  NAMES_SELECTOR_ANNOTATION,
  SELECTOR_MANAGER,
  SERVICE_NAME_LABEL,
} from '../basics/conventions.ts';
import { isCidr } from '../basics/addresses/ip-address.ts';
import { byName, distinct } from '../basics/names/ordering.ts';
import type { Network } from '../network/network.ts';
import type { JudgedOutsideAddress } from '../services/exposed-addresses.ts';
import { judgedClusterIps } from '../services/load-balancers.ts';
import type { LeftOut } from '../services/mirror.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { namesScope } from '../services/names.ts';
import { hasOtherProxy, isHeadless, serviceScope } from '../services/service-scope.ts';
import type { SharedWith } from '../services/shared-addresses.ts';
import { nameSample } from './node-sample.ts';
import { selectorSentence } from './sentences/selector-sentence.ts';
import { refusedAddressSentence, refusedOutsideSentence } from './sentences/service-sentence.ts';

/** The most seconds of affinity that OVN has (ovn-nb(5), affinity_timeout). */
const LONGEST_AFFINITY = 65_535;

/** The reasons of warnings about Services, which Events have. */
export const serviceReasons = [
  'AddressInUse',
  'AddressRefused',
  'AffinityShortened',
  'EndpointOutsideNetwork',
  'HeadlessLeadsElsewhere',
  'HostNetworkEndpoint',
  'SelectorInvalid',
  'SourceRangesInvalid',
] as const;

type Reason = (typeof serviceReasons)[number];

/** A Service with what was found about its endpoints. */
export interface WarnedService {
  readonly service: Service;
  readonly found: NamespaceNetwork;
  /** Endpoints that are not in the mirrors of its slices, or to which its names do not lead, in any order. */
  readonly leftOut: readonly LeftOut[];
  /** Its addresses that other Services of the network have too. */
  readonly shared: SharedWith;
  /** Its addresses outside of the network, and its ports there that an older Service has; none where it is absent. */
  readonly outside?: OutsideFindings;
  /** The slices of the Service that are not ours. */
  readonly slices: readonly EndpointSlice[];
}

/** Findings about a Service as it is reached from outside of its network. */
export interface OutsideFindings {
  readonly addresses: readonly JudgedOutsideAddress[];
  /** Ports that another Service has, as `ADDRESS PORT/PROTOCOL`. */
  readonly taken: readonly string[];
}

const nothingOutside: OutsideFindings = { addresses: [], taken: [] };

type Texts = readonly (readonly [reason: Reason, message: string])[];

/** Names of endpoints, each once; undefined without any. */
function namesOf(leftOut: readonly LeftOut[], reason: LeftOut['reason']): string | undefined {
  const names = distinct(leftOut.filter((each) => each.reason === reason).map(({ endpoint }) => endpoint));
  return names.length === 0 ? undefined : nameSample(names);
}

function hostNetworkTexts(leftOut: readonly LeftOut[], network: string): Texts {
  const names = namesOf(leftOut, 'HostNetworkEndpoint');
  if (names === undefined) return [];
  const message = `not in ${network} but in the network of the node: ${names}; the Service does not lead there; run such pods without hostNetwork`;
  return [['HostNetworkEndpoint', message]];
}

function outsideTexts(leftOut: readonly LeftOut[], network: string): Texts {
  const names = namesOf(leftOut, 'EndpointOutsideNetwork');
  if (names === undefined) return [];
  const message = `in no subnet of ${network}: ${names}; the Service does not lead there; an EndpointSlice may have addresses of the network only`;
  return [['EndpointOutsideNetwork', message]];
}

/** The warning about addresses that other Services have: a ClusterIP is none's then, and a port outside is that of the oldest. */
function inUseTexts({ shared, outside: { taken } = nothingOutside }: WarnedService, network: string): Texts {
  const texts: string[] = [];
  if (shared.size > 0) {
    const addresses = [...shared].map(([address, others]) => `${address} of ${nameSample(others)}`).join(', ');
    texts.push(
      `has addresses that other Services of ${network} have too: ${addresses}; none of them is served there; delete all but one of them, and create them again`,
    );
  }
  if (taken.length > 0)
    texts.push(
      `is not reached at ${nameSample(taken)}: an older Service has it; give it another address, or another port`,
    );
  return texts.length === 0 ? [] : [['AddressInUse', texts.join('; ')]];
}

/** The warning about addresses that are refused. */
function refusedTexts({ service, outside: { addresses } = nothingOutside }: WarnedService, network: Network): Texts {
  const within = judgedClusterIps(service, network).flatMap(({ address, refusal }) =>
    refusal === undefined ? [] : [`${address}: ${refusedAddressSentence(refusal)}`],
  );
  const outside = addresses.flatMap(({ address, refusal }) =>
    refusal === undefined || refusal === 'ranges-invalid' ? [] : [`${address}: ${refusedOutsideSentence(refusal)}`],
  );
  const texts = [
    ...(within.length === 0
      ? []
      : [`is not served at ${within.join('; ')}; delete it, and create it again, with other addresses`]),
    ...(outside.length === 0 ? [] : [`is not reached at ${nameSample(outside)}; it needs an address that nobody has`]),
  ];
  return texts.length === 0 ? [] : [['AddressRefused', texts.join('; ')]];
}

/** The warning that it is not known from where addresses may be reached. */
function rangesTexts({ outside: { addresses } = nothingOutside, service }: WarnedService): Texts {
  const refused = addresses.filter(({ refusal }) => refusal === 'ranges-invalid').map(({ address }) => address);
  if (refused.length === 0) return [];
  const wrong = (service.spec.loadBalancerSourceRanges ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '' && !isCidr(text))
    .map((text) => JSON.stringify(text));
  const message = `is not reached at ${nameSample(refused)}: loadBalancerSourceRanges has ${nameSample(wrong)}, which is no subnet; write subnets, for example 192.0.2.0/24, or 192.0.2.9/32 for one address`;
  return [['SourceRangesInvalid', message]];
}

/** The warning that names lead to no other pods than before, as their selector is not understood. */
function selectorTexts({ service, found }: WarnedService): Texts {
  const scope = namesScope(service, found);
  if (scope.kind !== 'invalid') return [];
  const { problem } = scope;
  const text =
    problem.kind === 'not-understood'
      ? `${JSON.stringify(problem.text)} is no requirement of a label selector`
      : selectorSentence(problem);
  const message = `annotation ${NAMES_SELECTOR_ANNOTATION}: ${text}; the names of the Service lead to the pods that they led to before; write it as kubectl takes selectors, for example app=db`;
  return [['SelectorInvalid', message]];
}

/** Whether kube-controller-manager has made a slice, which it leaves where its Service has no selector any more. */
function isOfSelector({ metadata: { labels }, endpoints }: EndpointSlice): boolean {
  return labels?.[MANAGED_BY_LABEL] === SELECTOR_MANAGER && (endpoints ?? []).length > 0;
}

/** The warning that names lead to addresses that a former selector has found as well. */
function formerTexts({ service, found, slices }: WarnedService): Texts {
  const { namespace = 'default', name } = service.metadata;
  const left = slices.filter(isOfSelector).map((slice) => slice.metadata.name);
  if (left.length === 0 || !['led', 'invalid'].includes(namesScope(service, found).kind)) return [];
  const selector = `${SERVICE_NAME_LABEL}=${name},${MANAGED_BY_LABEL}=${SELECTOR_MANAGER}`;
  const message = `the name leads to addresses of pods in the default network too, which no pod of the namespace reaches: ${nameSample(left.sort(byName))} of a former spec.selector; delete them: kubectl delete endpointslices --namespace=${namespace} --selector=${selector}`;
  return [['HeadlessLeadsElsewhere', message]];
}

function headlessTexts({ metadata: { name }, spec }: Service): Texts {
  const labels = Object.entries(spec.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  if (labels.length === 0) return [];
  const message = `the name leads to addresses of pods in the default network, which no pod of the namespace reaches; delete Service ${name}, and create it without spec.selector and with the annotation ${NAMES_SELECTOR_ANNOTATION}: ${labels.join(',')}`;
  return [['HeadlessLeadsElsewhere', message]];
}

function affinityTexts({ spec: { sessionAffinity, sessionAffinityConfig } }: Service): Texts {
  const { timeoutSeconds } = sessionAffinityConfig?.clientIP ?? {};
  if (sessionAffinity !== 'ClientIP' || timeoutSeconds === undefined || timeoutSeconds <= LONGEST_AFFINITY) return [];
  const message = `timeoutSeconds is ${String(timeoutSeconds)}, more than ${String(LONGEST_AFFINITY)}; a client that pauses for longer than these may reach another endpoint`;
  return [['AffinityShortened', message]];
}

function textsOf(warned: WarnedService): Texts {
  const { service, found, leftOut } = warned;
  if (found.kind !== 'ours' || hasOtherProxy(service) || service.metadata.deletionTimestamp !== undefined) return [];
  const { key } = found.network;
  if (isHeadless(service))
    return [
      ...headlessTexts(service),
      ...formerTexts(warned),
      ...hostNetworkTexts(leftOut, key),
      ...selectorTexts(warned),
    ];
  if (serviceScope(service, found).kind !== 'served') return [];
  return [
    ...hostNetworkTexts(leftOut, key),
    ...outsideTexts(leftOut, key),
    ...affinityTexts(service),
    ...inUseTexts(warned, key),
    ...refusedTexts(warned, found.network),
    ...rangesTexts(warned),
  ];
}

/** The warnings about a Service, one of a reason. Of one that is not ours, or of which that is not decided, there are none. */
export function serviceWarnings(warned: WarnedService): readonly ObjectWarning[] {
  const { namespace = 'default', name, uid = '' } = warned.service.metadata;
  return textsOf(warned).map(([reason, message]) => ({ kind: 'Service', namespace, name, uid, reason, message }));
}
