/**
 * Which load balancers do the Services have on a node? A Service is judged where it, its EndpointSlices, or the network of its namespace has changed.
 */
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import type { Service } from '../api/service.ts';
import { MIRRORED_SERVICE_LABEL } from '../basics/conventions.ts';
import { listChanges } from '../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';
import type { NodePlace } from './endpoint-choice.ts';
import type { ExposedPort } from '../dataplane/pipeline/bridge-input.ts';
import type { UplinkWay } from '../dataplane/uplink-ways.ts';
import { hasOutsideAddresses } from './exposed-addresses.ts';
import { ExposedClaims } from './exposed-claims.ts';
import { type HealthCheck, healthCheckOf } from './health-checks.ts';
import type { DesiredLoadBalancers } from './load-balancer-changes.ts';
import { loadBalancersOf } from './load-balancers.ts';
import type { NamespaceNetwork } from './namespace-network.ts';
import { type OutsideSurroundings, servedOutside, type ServedOutside } from './served-outside.ts';
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
  readonly outside: OutsideSurroundings;
}

/** The ports of a Service that are reached from the wire, and the way there. */
export interface ExposedService {
  readonly way: UplinkWay;
  readonly ports: readonly ExposedPort[];
}

/** A Service on a node. */
export interface DesiredService {
  readonly loadBalancers: DesiredLoadBalancers;
  /** Its ports on the wire; `undecided` where those that are there stay as they are, `none` for none. */
  readonly exposed: ExposedService | 'undecided' | 'none';
  /** Its health check; `undecided` where what is answered stays as it is. */
  readonly healthCheck: HealthCheck | 'undecided' | 'none';
}

const absent: DesiredService = {
  loadBalancers: { balancers: [], undecided: [] },
  exposed: 'none',
  healthCheck: 'none',
};

const undecided: DesiredService = {
  loadBalancers: { balancers: [], undecided: ['switch', 'router'] },
  exposed: 'undecided',
  healthCheck: 'undecided',
};

const namespaceOfKey = (key: string) => key.slice(0, key.indexOf('/'));

/** The key of the Service that a slice is of; undefined for others. */
function serviceOf(slice: EndpointSlice): string | undefined {
  const name = isMirror(slice) ? slice.metadata.labels?.[MIRRORED_SERVICE_LABEL] : serviceOfSource(slice);
  return name === undefined ? undefined : `${namespaceOf(slice)}/${name}`;
}

/** The parts of the network of a namespace that count, as text, with its way from the wire. */
function textOf(found: NamespaceNetwork, { wayOf }: OutsideSurroundings): string {
  if (found.kind !== 'ours') return JSON.stringify(found);
  const { key, networkName, subnets, joinSubnets } = found.network;
  return JSON.stringify([key, networkName, subnets, joinSubnets, found.networkId, wayOf(networkName)]);
}

/** The part of a port that flows are made from. */
const exposedPart = ({ servicePort: _, ...port }: ServedOutside['ports'][number]): ExposedPort => port;

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
  readonly #claims = new ExposedClaims();
  readonly #outside = new Map<string, ServedOutside>();
  readonly #desired = new Map<string, DesiredService>();
  #objects = noServedObjects;
  #node: NodePlace | undefined;
  #networkOf: ServiceSurroundings['networkOf'] | undefined;
  #around: OutsideSurroundings | undefined;

  /** The keys of all Services. */
  get keys(): Iterable<string> {
    return this.#services.keys;
  }

  /** Their number. */
  get size(): number {
    return this.#services.size;
  }

  /** Load balancers and ports of a Service on the node; none of one that is not there. */
  desired(key: string): DesiredService {
    return this.#desired.get(key) ?? (this.#isUnread(key) ? undecided : absent);
  }

  /**
   * Takes objects and surroundings over.
   *
   * @returns the keys of the Services whose load balancers were judged again
   */
  take(objects: ServedObjects, surroundings: ServiceSurroundings): ReadonlySet<string> {
    const { node, networkOf, outside } = surroundings;
    const again = new Set<string>();
    for (const key of this.#services.take(listChanges(this.#objects.services, objects.services))) again.add(key);
    this.#takeSlices(objects, again);
    this.#takeUnreadable(objects, again);
    if (!isSameNode(this.#node, node)) for (const key of this.#services.keys) again.add(key);
    if (networkOf !== this.#networkOf || outside.wayOf !== this.#around?.wayOf) this.#takeNetworks(surroundings, again);
    if (outside.used !== this.#around?.used) this.#takeUsed(again);
    [this.#objects, this.#node, this.#networkOf, this.#around] = [objects, node, networkOf, outside];
    this.#takeAddresses(networkOf, again);
    this.#takePorts(surroundings, again);
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

  #takeNetworks({ networkOf, outside }: ServiceSurroundings, again: Set<string>): void {
    for (const [namespace, keys] of this.#services.namespaces) {
      const text = textOf(networkOf(namespace), outside);
      if (this.#networks.get(namespace) === text) continue;
      this.#networks.set(namespace, text);
      for (const key of keys) again.add(key);
    }
    for (const namespace of this.#networks.keys())
      if (this.#services.in(namespace).size === 0) this.#networks.delete(namespace);
  }

  /** Takes over which subnets the cluster uses, by which addresses outside have owners. */
  #takeUsed(again: Set<string>): void {
    for (const key of this.#services.keys) {
      const service = this.#services.get(key);
      if (service !== undefined && hasOutsideAddresses(service)) again.add(key);
    }
  }

  /** Takes over the ports outside of Services that are judged again. Others are too that ask for one of them. */
  #takePorts(surroundings: ServiceSurroundings, again: Set<string>): void {
    for (const key of [...again]) {
      // What cannot be read keeps the ports that it has.
      if (this.#isUnread(key)) continue;
      const service = this.#services.get(key);
      const found = service && this.#takeOutside(key, service, surroundings);
      const others = this.#claims.set(key, found && service, found?.link ?? '', found?.ports ?? []);
      for (const other of others) again.add(other);
    }
  }

  /** Takes over how a Service is reached from outside. @returns nothing if it is not served */
  #takeOutside(key: string, service: Service, { networkOf, outside }: ServiceSurroundings): ServedOutside | undefined {
    const scope = serviceScope(service, networkOf(namespaceOf(service)));
    if (scope.kind !== 'served') {
      this.#outside.delete(key);
      return undefined;
    }
    const found = servedOutside(service, scope.network, outside);
    this.#outside.set(key, found);
    return found;
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
    else this.#desired.set(key, this.#isUnread(key) ? undecided : this.#judged(service, surroundings));
  }

  #judged(service: Service, { node, masqueradeSubnets, networkOf }: ServiceSurroundings): DesiredService {
    const scope = serviceScope(service, networkOf(namespaceOf(service)));
    if (scope.kind === 'undecided') return undecided;
    const found = this.#outside.get(keyOf(service));
    if (scope.kind !== 'served' || found === undefined) return absent;
    const { way, link } = found;
    const ports = found.ports.filter((port) => this.#claims.holder(link, port) === keyOf(service));
    const isOnWire = typeof way === 'object';
    const ofService = [...(this.#slicesOf.get(keyOf(service)) ?? none)];
    const [mirrors, sources] = [ofService.filter(isMirror), ofService.filter((slice) => !isMirror(slice))];
    const [slices, { network }] = [{ service, sources, mirrors }, scope];
    const balancers = loadBalancersOf({
      slices,
      network,
      node,
      masqueradeSubnets,
      shared: this.#addresses.with(keyOf(service)),
      outside: ports,
      isOnWire,
    });
    const healthCheck = healthCheckOf({ slices, network, node, way }) ?? 'none';
    if (isOnWire)
      return {
        loadBalancers: { balancers, undecided: [] },
        exposed: ports.length === 0 ? 'none' : { way, ports: ports.map(exposedPart) },
        healthCheck,
      };
    // What there is on the wire stays as it is as long as the way there is not known.
    const isUnknown = way === 'unknown';
    return {
      loadBalancers: { balancers, undecided: isUnknown ? ['router'] : [] },
      exposed: isUnknown ? 'undecided' : 'none',
      healthCheck,
    };
  }
}
