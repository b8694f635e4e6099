/**
 * Which Services does ovn-uplinks serve?
 *
 * The label `service.kubernetes.io/service-proxy-name` of a Service says which proxy serves it (Kubernetes, well-known labels): kube-proxy and those that take
 * its place leave others alone. Services of a network get it from the cluster manager; one with another value is that proxy's (docs/design/services.md, "Whose a Service is").
 */
import type { Service } from '../api/service.ts';
import { SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../basics/conventions.ts';
import type { Network } from '../network/network.ts';
import type { NamespaceNetwork, UndecidedNetwork } from './namespace-network.ts';

/** Whose a Service is, and what follows. */
export type ServiceScope =
  /** It is in the default network. */
  | { readonly kind: 'default-network' }
  /** It is in a network of another implementation. */
  | { readonly kind: 'of-others'; readonly network: string }
  | { readonly kind: 'other-proxy'; readonly proxy: string }
  /** Not decided: its mirrors stay as they are. */
  | { readonly kind: 'undecided'; readonly why: UndecidedNetwork | 'no-id' }
  /** It has no address in the cluster, by which it could be served. */
  | { readonly kind: 'without-address'; readonly isHeadless: boolean }
  | { readonly kind: 'served'; readonly network: Network; readonly networkId: number };

/** The address of a Service that says itself that it has none. */
const HEADLESS = 'None';

const proxyOf = ({ metadata }: Service) => metadata.labels?.[SERVICE_PROXY_LABEL];

/** Whether a Service is another proxy's. */
export function hasOtherProxy(service: Service): boolean {
  return ![undefined, SERVICE_PROXY].includes(proxyOf(service));
}

/** Whether a Service says itself that it has no address: its names lead to its endpoints. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.includes(HEADLESS) === true;
}

/** Decides whether ovn-uplinks serves a Service. */
export function serviceScope(service: Service, found: NamespaceNetwork): ServiceScope {
  if (found.kind === 'none') return { kind: 'default-network' };
  if (found.kind === 'of-others') return found;
  const proxy = proxyOf(service);
  if (proxy !== undefined && proxy !== SERVICE_PROXY) return { kind: 'other-proxy', proxy };
  const { type, clusterIPs = [] } = service.spec;
  if (isHeadless(service)) return { kind: 'without-address', isHeadless: true };
  if (type === 'ExternalName' || clusterIPs.length === 0) return { kind: 'without-address', isHeadless: false };
  if (found.kind === 'undecided') return found;
  const { network, networkId } = found;
  return networkId === undefined ? { kind: 'undecided', why: 'no-id' } : { kind: 'served', network, networkId };
}

/** Whether a Service is to get the label: all of a network do, as one without an address may get one later. */
export function lacksLabel(service: Service, { kind }: NamespaceNetwork): boolean {
  return kind === 'ours' && proxyOf(service) === undefined && service.metadata.deletionTimestamp === undefined;
}
