/**
 * Which load balancers do the Services have on a node? A Service is judged where it, its EndpointSlices, or the network of its namespace has changed.
 */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import type { Service } from '../api/service.ts';
import { MIRRORED_SERVICE_LABEL } from '../basics/conventions.ts';
import { listChanges } from '../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import type { NodePlace } from './endpoint-choice.ts';
import { type LoadBalancer, loadBalancersOf } from './load-balancers.ts';
import type { NamespaceNetwork } from './namespace-network.ts';
import { serviceScope } from './service-scope.ts';
import { keyOf, namespaceOf, ServicesByNamespace } from './services-by-namespace.ts';
import { SharedAddresses } from './shared-addresses.ts';
import { isMirror, serviceOfSource } from './slices.ts';

/** The Services of networks and their EndpointSlices, as the label of their proxy selects them. */
export interface ServedObjects {
  readonly services: readonly Service[];
  /** Those of Kubernetes and of users, and their mirrors. */
  readonly slices: readonly EndpointSlice[];
  /** Objects that exist and cannot be read, as `namespace/name`, in order. */
  readonly unreadable: { readonly services: readonly string[]; readonly slices: readonly string[] };
}

/** No objects. */
export const noServedObjects: ServedObjects = {
  services: [],
  slices: [],
  unreadable: { services: [], slices: [] },
};

/** The facts about a node and its networks by which Services are judged. */
export interface ServiceSurroundings {
  readonly node: NodePlace;
  /** CIDR. */
  readonly masqueradeSubnets: readonly string[];
  readonly networkOf: (namespace: string) => NamespaceNetwork;
}

/** The load balancers of a Service; undefined where those that are there stay as they are. */
export type DesiredLoadBalancers = readonly LoadBalancer[] | undefined;

const namespaceOfKey = (key: string) => key.slice(0, key.indexOf('/'));

/** The key of the Service that a slice is of; undefined for others. */
function serviceOf(slice: EndpointSlice): string | undefined {
  const name = isMirror(slice) ? slice.metadata.labels?.[MIRRORED_SERVICE_LABEL] : serviceOfSource(slice);
  return name === undefined ? undefined : `${namespaceOf(slice)}/${name}`;
}

/** The parts of the network of a namespace that count, as text. */
function textOf(found: NamespaceNetwork): string {
  if (found.kind !== 'ours') return JSON.stringify(found);
  const { key, networkName, subnets } = found.network;
  return JSON.stringify([key, networkName, subnets, found.networkId]);
}

const isSameNode = (left: NodePlace | undefined, right: NodePlace) =>
  left?.name === right.name && left.zone === right.zone;

const none: ReadonlySet<never> = new Set();

/** The Services of networks on a node. */
export class ServicesOnNode {
  readonly #services = new ServicesByNamespace();
  readonly #slicesOf = new Map<string, Set<EndpointSlice>>();
  readonly #addresses = new SharedAddresses();
  /** The networks of namespaces with Services, as texts. */
  readonly #networks = new Map<string, string>();
  readonly #desired = new Map<string, DesiredLoadBalancers>();
  #objects = noServedObjects;
  #node: NodePlace | undefined;
  #networkOf: ServiceSurroundings['networkOf'] | undefined;

  /** The keys of all Services. */
  get keys(): Iterable<string> {
    return this.#services.keys;
  }

  /** Their number. */
  get size(): number {
    return this.#services.size;
  }

  /** The load balancers of a Service; none of one that is not there. */
  desired(key: string): DesiredLoadBalancers {
    return this.#desired.has(key) ? this.#desired.get(key) : this.#isUnread(key) ? undefined : [];
  }

  /**
   * Takes objects and surroundings over.
   *
   * @returns the keys of the Services whose load balancers were judged again
   */
  take(objects: ServedObjects, surroundings: ServiceSurroundings): ReadonlySet<string> {
    const { node, networkOf } = surroundings;
    const again = new Set<string>();
    for (const key of this.#services.take(listChanges(this.#objects.services, objects.services))) again.add(key);
    this.#takeSlices(objects, again);
    this.#takeUnreadable(objects, again);
    if (!isSameNode(this.#node, node)) for (const key of this.#services.keys) again.add(key);
    if (networkOf !== this.#networkOf) this.#takeNetworks(networkOf, again);
    [this.#objects, this.#node, this.#networkOf] = [objects, node, networkOf];
    this.#takeAddresses(networkOf, again);
    for (const key of again) this.#judge(key, surroundings);
    return again;
  }

  #takeSlices({ slices }: ServedObjects, again: Set<string>): void {
    const { removed, added } = listChanges(this.#objects.slices, slices);
    for (const [changed, change] of [
      [removed, removeFrom],
      [added, addTo],
    ] as const)
      for (const slice of changed) {
        const key = serviceOf(slice);
        if (key === undefined) continue;
        change(this.#slicesOf, key, slice);
        again.add(key);
      }
  }

  /** Takes over what cannot be read. It takes nothing away: Services stay as they are, all of a namespace where it is a slice, which may be of any. */
  #takeUnreadable({ unreadable }: ServedObjects, again: Set<string>): void {
    const before = this.#objects.unreadable;
    if (before.services !== unreadable.services)
      for (const key of [...before.services, ...unreadable.services]) again.add(key);
    if (before.slices === unreadable.slices) return;
    const namespaces = new Set([...before.slices, ...unreadable.slices].map(namespaceOfKey));
    for (const namespace of namespaces) for (const key of this.#services.in(namespace)) again.add(key);
  }

  #takeNetworks(networkOf: ServiceSurroundings['networkOf'], again: Set<string>): void {
    for (const [namespace, keys] of this.#services.namespaces) {
      const text = textOf(networkOf(namespace));
      if (this.#networks.get(namespace) === text) continue;
      this.#networks.set(namespace, text);
      for (const key of keys) again.add(key);
    }
    for (const namespace of this.#networks.keys())
      if (this.#services.in(namespace).size === 0) this.#networks.delete(namespace);
  }

  /** Takes over the addresses of Services that are judged again. Others are too that have one of them. */
  #takeAddresses(networkOf: ServiceSurroundings['networkOf'], again: Set<string>): void {
    for (const key of [...again]) {
      const service = this.#services.get(key);
      const others = this.#addresses.set(key, service, service && networkOf(namespaceOf(service)));
      for (const other of others) again.add(other);
    }
  }

  #isUnread(key: string): boolean {
    const { services, slices } = this.#objects.unreadable;
    return services.includes(key) || slices.some((slice) => namespaceOfKey(slice) === namespaceOfKey(key));
  }

  #judge(key: string, surroundings: ServiceSurroundings): void {
    const service = this.#services.get(key);
    if (service === undefined) this.#desired.delete(key);
    else this.#desired.set(key, this.#isUnread(key) ? undefined : this.#judged(service, surroundings));
  }

  #judged(service: Service, { node, masqueradeSubnets, networkOf }: ServiceSurroundings): DesiredLoadBalancers {
    const scope = serviceScope(service, networkOf(namespaceOf(service)));
    if (scope.kind === 'undecided') return undefined;
    if (scope.kind !== 'served') return [];
    const slices = [...(this.#slicesOf.get(keyOf(service)) ?? none)];
    const [mirrors, sources] = [slices.filter(isMirror), slices.filter((slice) => !isMirror(slice))];
    return loadBalancersOf({
      slices: { service, sources, mirrors },
      network: scope.network,
      node,
      masqueradeSubnets,
      shared: this.#addresses.with(keyOf(service)),
    });
  }
}
