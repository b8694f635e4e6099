/**
 * The names of a headless Service without a selector: they lead to the pods that an annotation selects, with their addresses in the network
 * (docs/design/services.md, "Names").
 */
import type { Endpoint, SlicePort } from '../api/endpoint-slice.ts';
import type { Container, Pod } from '../api/pod.ts';
import type { Service } from '../api/service.ts';
import {
  HEADLESS_LABEL,
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  NAMES_SELECTOR_ANNOTATION,
  SERVICE_NAME_LABEL,
} from '../basics/conventions.ts';
import type { Network } from '../network/network.ts';
import type { Requirement } from '../selection/label-selector.ts';
import { type ParsedSelector, parseSelector } from '../selection/selector-text.ts';
import { isPodReady, podVerdict } from './mirror.ts';
import type { NamespaceNetwork } from './namespace-network.ts';
import { hasOtherProxy, isHeadless } from './service-scope.ts';
import { type DesiredSlice, type Family, type NamesPlace, namesSliceName, storedPort } from './slices.ts';

/** Whether the names of a Service lead to pods by its annotation. */
export type NamesScope =
  /** Not so: there are no slices of them. */
  | { readonly kind: 'none' }
  /** Not decided: slices that there are stay as they are. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'invalid'; readonly problem: Extract<ParsedSelector, { readonly parsed: false }>['problem'] }
  | { readonly kind: 'led'; readonly network: Network; readonly requirements: readonly Requirement[] };

/** Decides where the names of a Service lead. */
export function namesScope(service: Service, found: NamespaceNetwork): NamesScope {
  const { annotations, deletionTimestamp } = service.metadata;
  const text = annotations?.[NAMES_SELECTOR_ANNOTATION];
  const isMeant = isHeadless(service) && Object.keys(service.spec.selector ?? {}).length === 0;
  if (text === undefined || !isMeant || hasOtherProxy(service)) return { kind: 'none' };
  if (found.kind === 'none' || found.kind === 'of-others') return { kind: 'none' };
  if (found.kind === 'undecided' || found.networkId === undefined || deletionTimestamp !== undefined)
    return { kind: 'undecided' };
  const selector = parseSelector(text);
  return selector.parsed
    ? { kind: 'led', network: found.network, requirements: selector.requirements }
    : { kind: 'invalid', problem: selector.problem };
}

/** The families of the slices of a Service: both where it does not say. */
export function familiesOf({ spec: { ipFamilies } }: Service): readonly Family[] {
  return ([4, 6] as const).filter((family) => ipFamilies?.includes(`IPv${String(family)}`) ?? true);
}

/** A pod to which names lead. */
export interface NamedPod {
  readonly endpoint: Endpoint;
  readonly ports: readonly SlicePort[];
}

const protocolOf = ({ protocol = 'TCP' }: { readonly protocol?: string }) => protocol;

/** The containers that run as long as the pod does. */
function containersOf({ spec: { containers = [], initContainers = [] } }: Pod): readonly Container[] {
  return [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
}

/** The ports of a Service in a pod: those that it does not have are left out. */
function portsIn(pod: Pod, { spec: { ports = [] } }: Service): readonly SlicePort[] {
  return ports.flatMap(({ name, port: ofService, targetPort = ofService, appProtocol, ...rest }) => {
    const protocol = protocolOf(rest);
    const port =
      typeof targetPort === 'number'
        ? targetPort
        : containersOf(pod)
            .flatMap((container) => container.ports ?? [])
            .find((each) => each.name === targetPort && protocolOf(each) === protocol)?.containerPort;
    if (port === undefined) return [];
    const named = { ...(name !== undefined && { name }), ...(appProtocol !== undefined && { appProtocol }) };
    return [storedPort({ ...named, protocol, port })];
  });
}

/** A pod that a Service selects, as names lead to it in a family; undefined without an address in the network. */
export function namedPod(pod: Pod, service: Service, network: Network, family: Family): NamedPod | undefined {
  const verdict = podVerdict(pod, network, family);
  if (!('addresses' in verdict)) return undefined;
  const { name, namespace = 'default', uid, deletionTimestamp } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    endpoint: {
      addresses: [...verdict.addresses],
      conditions: { ready, serving, terminating },
      ...(hostname !== undefined && hostname !== '' && subdomain === service.metadata.name && { hostname }),
      targetRef: { kind: 'Pod', namespace, name, ...(uid !== undefined && { uid }) },
      ...(nodeName !== undefined && { nodeName }),
    },
    ports: portsIn(pod, service),
  };
}

/** The slice of a place with some pods of the same ports, by name. */
export function namesSlice(
  { metadata: { namespace = 'default', name, uid = '' } }: Service,
  place: NamesPlace,
  pods: readonly NamedPod[],
): DesiredSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name: namesSliceName(place),
      labels: {
        [MANAGED_BY_LABEL]: MIRROR_MANAGER,
        [SERVICE_NAME_LABEL]: name,
        [HEADLESS_LABEL]: '',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid }],
    },
    addressType: `IPv${String(place.family)}`,
    endpoints: pods.map(({ endpoint }) => endpoint),
    ports: pods[0]?.ports ?? [],
  };
}
