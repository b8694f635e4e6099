/**
 * Warnings about Services of networks: what users have written that does not lead into the network. Each stands as long as it is so.
 */
import type { ObjectWarning } from '../api/object-warning.ts';
import type { Service } from '../api/service.ts';
import { NAMES_SELECTOR_ANNOTATION } from '../basics/conventions.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { LeftOut } from '../services/mirror.ts';
import type { NamespaceNetwork } from '../services/namespace-network.ts';
import { hasOtherProxy, isHeadless, serviceScope } from '../services/service-scope.ts';
import { nameSample } from './node-sample.ts';

/** The most seconds of affinity that OVN has (ovn-nb(5), affinity_timeout). */
const LONGEST_AFFINITY = 65_535;

/** The reasons of warnings about Services, which Events have. */
export const serviceReasons = [
  'AffinityShortened',
  'EndpointOutsideNetwork',
  'HeadlessLeadsElsewhere',
  'HostNetworkEndpoint',
] as const;

type Reason = (typeof serviceReasons)[number];

/** A Service with what was found about its endpoints. */
export interface WarnedService {
  readonly service: Service;
  readonly found: NamespaceNetwork;
  /** Endpoints that are not in the mirrors of its slices, in any order. */
  readonly leftOut: readonly LeftOut[];
}

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

function textsOf({ service, found, leftOut }: WarnedService): Texts {
  if (found.kind !== 'ours' || hasOtherProxy(service) || service.metadata.deletionTimestamp !== undefined) return [];
  const { key } = found.network;
  if (isHeadless(service)) return headlessTexts(service);
  if (serviceScope(service, found).kind !== 'served') return [];
  return [...hostNetworkTexts(leftOut, key), ...outsideTexts(leftOut, key), ...affinityTexts(service)];
}

/** The warnings about a Service, one of a reason. Of one that is not ours, or of which that is not decided, there are none. */
export function serviceWarnings(warned: WarnedService): readonly ObjectWarning[] {
  const { namespace = 'default', name, uid = '' } = warned.service.metadata;
  return textsOf(warned).map(([reason, message]) => ({ kind: 'Service', namespace, name, uid, reason, message }));
}
