/**
 * Which Services do pods of networks reach by the default network? DNS, the Kubernetes API and Services that the administrator allows: by a route to each
 * address, and by ports that pass the lock. Everything else, Services of their network included, goes by their network (docs/design/services.md, "What goes where").
 */
import { API_SERVICE, SERVICE_NAME_LABEL, SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../basics/conventions.ts';
import { canonicalAddress, familyOf } from '../basics/addresses/ip-address.ts';
import { groupBy } from '../basics/names/grouping.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import { type AllowedService, type ClusterSettings, type ServiceName, textOfService } from '../snapshot/settings.ts';
import type { LockSurroundings, ReachableService } from './interface-lock.ts';
import { reachableServices, type ServiceWithEndpoints } from './reachable-services.ts';

/** Services that pods reach, and faults of them. */
export interface DefaultServices {
  /** Addresses and ports that pass the lock. */
  readonly services: readonly ReachableService[];
  /** Destinations of routes, without prefix length. */
  readonly addresses: readonly string[];
  /** Reasons for which new pods have to wait, for people: they would not find DNS or the Kubernetes API as long as they run. */
  readonly missing: readonly string[];
  /** Allowed Services that are not reached, and why. */
  readonly unreached: readonly { readonly service: string; readonly why: string }[];
}

/** Destinations that pods of a node may reach by the default network. */
export interface PodSurroundings extends LockSurroundings, Pick<DefaultServices, 'addresses' | 'missing'> {}

/** The settings that say it. */
export type DefaultServiceSettings = Pick<ClusterSettings, 'dnsService' | 'dnsAddresses' | 'defaultServices'>;

/** A Service that is looked for; undefined where there is none. */
export type FoundService = ServiceWithEndpoints | 'unreadable' | undefined;

const DNS_PORT = 53;

/** The names of the Services that it follows from, each once. */
export function namesOfDefaultServices({
  dnsService,
  defaultServices,
}: DefaultServiceSettings): readonly ServiceName[] {
  const all = [API_SERVICE, dnsService, ...defaultServices];
  return [...groupBy(all, textOfService).values()].flatMap(([first]) =>
    first === undefined ? [] : [{ namespace: first.namespace, name: first.name }],
  );
}

const isRead = (found: FoundService): found is ServiceWithEndpoints => found !== undefined && found !== 'unreadable';

/** The own addresses of a Service. */
function clusterIps({ service: { spec } }: ServiceWithEndpoints): readonly string[] {
  return (spec.clusterIPs ?? []).filter((address) => familyOf(address) !== undefined).map(canonicalAddress);
}

/** Why a Service that has to be there is not reached; undefined if it is. */
function missingService(name: ServiceName, found: FoundService): string | undefined {
  const service = `Service ${textOfService(name)}`;
  if (found === undefined) return `${service} does not exist`;
  if (found === 'unreadable') return `${service} cannot be read`;
  return clusterIps(found).length > 0 ? undefined : `${service} has no ClusterIP`;
}

function missingDns(found: FoundService, { dnsService, dnsAddresses }: DefaultServiceSettings) {
  const problem = dnsAddresses.length > 0 ? undefined : missingService(dnsService, found);
  if (problem === undefined) return [];
  return [`${problem}, so pods would have no way to DNS; --dns-service names another one, --dns-addresses addresses`];
}

function missingApi(found: FoundService): readonly string[] {
  const problem = missingService(API_SERVICE, found);
  return problem === undefined ? [] : [`${problem}, so pods would have no way to the Kubernetes API`];
}

/** Where an allowed Service is reached, or why it is not. */
function allowed(
  { port, ...name }: AllowedService,
  found: FoundService,
): Pick<DefaultServices, 'services' | 'addresses'> | { readonly why: string } {
  const problem = missingService(name, found);
  if (!isRead(found) || problem !== undefined) return { why: problem ?? '' };
  if (found.service.metadata.labels?.[SERVICE_PROXY_LABEL] === SERVICE_PROXY)
    return { why: `Service ${textOfService(name)} is one of the network of its namespace, not of the default network` };
  const services = reachableServices(found, port);
  if (services.length > 0) return { services, addresses: clusterIps(found) };
  const which = port === undefined ? 'port' : `port ${String(port)}`;
  return { why: `Service ${textOfService(name)} has no ${which} of TCP or UDP` };
}

/** Services that pods reach. @param find a Service by its name */
export function defaultServicesOf(
  find: (name: ServiceName) => FoundService,
  settings: DefaultServiceSettings,
): DefaultServices {
  const { dnsService, dnsAddresses, defaultServices } = settings;
  const [api, dns] = [find(API_SERVICE), find(dnsService)];
  const others = defaultServices.map((each) => ({ service: textOfService(each), ...allowed(each, find(each)) }));
  const reached = others.flatMap((each) => ('why' in each ? [] : [each]));
  const atAddresses = dnsAddresses.flatMap((address) =>
    (['udp', 'tcp'] as const).map((protocol): ReachableService => ({ protocol, address, port: DNS_PORT })),
  );
  return {
    services: [
      ...(isRead(api) ? reachableServices(api) : []),
      ...(isRead(dns) ? reachableServices(dns, DNS_PORT) : []),
      ...atAddresses,
      ...reached.flatMap(({ services }) => services),
    ],
    addresses: [
      ...new Set([
        ...[api, dns].flatMap((each) => (isRead(each) ? clusterIps(each) : [])),
        ...dnsAddresses,
        ...reached.flatMap(({ addresses }) => addresses),
      ]),
    ],
    missing: [...missingApi(api), ...missingDns(dns, settings)],
    unreached: others.flatMap((each) => ('why' in each ? [each] : [])),
  };
}

/** Services that pods which are created now reach, by the objects of a cluster. */
export function defaultServicesIn(
  { services, endpointSlices, unreadable = [] }: Pick<ClusterSnapshot, 'services' | 'endpointSlices' | 'unreadable'>,
  settings: DefaultServiceSettings,
): DefaultServices {
  return defaultServicesOf(({ namespace, name }) => {
    const isThere = (metadata: { readonly namespace?: string }) => (metadata.namespace ?? 'default') === namespace;
    const service = services.find(({ metadata }) => isThere(metadata) && metadata.name === name);
    const slices = endpointSlices.filter(
      ({ metadata }) => isThere(metadata) && metadata.labels?.[SERVICE_NAME_LABEL] === name,
    );
    if (service !== undefined) return { service, slices };
    const isUnreadable = unreadable.some((each) => each.kind === 'services' && isThere(each) && each.name === name);
    return isUnreadable ? 'unreadable' : undefined;
  }, settings);
}
