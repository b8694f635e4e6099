/**
 * Which Services are labelled, which EndpointSlices mirrored, and what is wrong with which Services? A Service is judged where it, or the network of its namespace, has changed; a
 * mirror where its source, its Service, one of its pods or itself has; and what is wrong with a Service where it or one of these mirrors is judged.
 */
import type { EndpointSlice } from '../../../api/endpoint-slice.ts';
import type { ObjectWarning } from '../../../api/object-warning.ts';
import type { Pod } from '../../../api/pod.ts';
import type { Service } from '../../../api/service.ts';
import { lazyByObject } from '../../../basics/incremental/by-identity.ts';
import { isSameList, type ListChanges, listChanges } from '../../../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../../../basics/names/pairs.ts';
import { podsByNamespace } from '../../../selection/indexes.ts';
import { type DesiredMirror, type LeftOut, leftOutOf, mirrorOf, podsOfSlice } from '../../../services/mirror.ts';
import type { NamespaceNetwork } from '../../../services/namespace-network.ts';
import { lacksLabel, serviceScope } from '../../../services/service-scope.ts';
import { addressesOutside } from '../../../services/outside-addresses.ts';
import { isManaged, isMirror, mirrorName, serviceOfSource, sourceOfMirror } from '../../../services/slices.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import { nameSample } from '../../../status/node-sample.ts';
import { serviceInNetwork } from '../../../status/service-problem.ts';
import { serviceReasons, serviceWarnings } from '../../../status/service-warnings.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { Warning } from '../../view/warning.ts';
import type { MeantObject, ServicesPlan } from '../services-plan.ts';
import { NamedServices } from './named-services.ts';
import { Pending } from './pending.ts';
import { ServedServices } from './served-services.ts';
import { decisionOn, keyIn, keyOf, meant, namespaceOf, type SliceDecision, withoutSlice } from './slice-decisions.ts';

/** Key of the mirror of a slice. */
const mirrorKey = (source: EndpointSlice) => keyIn(namespaceOf(source), mirrorName(source.metadata.name));

const none: ReadonlySet<string> = new Set();
const noPods: readonly Pod[] = [];

const podsByName = lazyByObject(
  (pods: readonly Pod[]): ReadonlyMap<string, Pod> => new Map(pods.map((pod) => [pod.metadata.name, pod])),
);

/** The part of a network of a namespace that counts for its Services, as text. */
function textOf(found: NamespaceNetwork | undefined): string {
  if (found?.kind !== 'ours') return found === undefined ? '' : JSON.stringify(found);
  const { key, metadata, networkName, subnets } = found.network;
  return JSON.stringify([key, metadata.name, networkName, subnets, found.networkId]);
}

/** Changes by which Services are judged again. */
export interface ServiceChanges {
  /** Names of the namespaces whose network may be another one. */
  readonly namespaces: Iterable<string>;
  readonly networkOf: (namespace: string) => NamespaceNetwork;
}

/** The keys of what is judged again. */
interface Again {
  readonly services: Set<string>;
  readonly mirrors: Set<string>;
  /** Services about which there may be other warnings. */
  readonly warned: Set<string>;
}

/** A decision about a mirror: nothing where it stays as it is. */
interface MirrorDecision extends SliceDecision<DesiredMirror> {
  readonly warning?: Warning;
  readonly leftOut?: readonly LeftOut[];
}

const asItIs: MirrorDecision = {};

function takenWarning(mirror: EndpointSlice, source: EndpointSlice): Warning {
  return {
    object: `EndpointSlice/${keyOf(mirror)}`,
    message: `has the name of the mirror of EndpointSlice ${source.metadata.name} and is not managed by ovn-uplinks; it is not overwritten, and what that one has is not served`,
  };
}

/** The decision about a mirror that should not be there. */
function withoutMirror(stored: EndpointSlice | undefined): MirrorDecision {
  return stored !== undefined && isMirror(stored) ? withoutSlice(stored) : asItIs;
}

/** A Service with addresses outside the subnets of Services. */
interface OutsideService {
  readonly service: string;
  readonly addresses: readonly string[];
}

/** One warning for all of them: it is a setting of the cluster that is wrong. */
const outsideWarnings = lazyByObject((services: readonly OutsideService[]): readonly Warning[] => {
  if (services.length === 0) return [];
  const named = services.map(({ service, addresses }) => `${addresses.join(', ')} of ${service}`);
  return [
    {
      object: 'Services',
      message: `ClusterIPs are in no subnet of Services: ${nameSample(named)}; they are served, but what no Service has there is not refused in networks, and leaves them; name the subnet with --service-cidr, for agents and the cluster manager`,
    },
  ];
});

interface PendingWrites {
  readonly unlabelled: Pending<MeantObject>;
  readonly mirrors: Pending<DesiredMirror>;
  readonly obsolete: Pending<MeantObject>;
  readonly taken: Pending<Warning>;
  readonly outside: Pending<OutsideService>;
  /** By Service and reason. */
  readonly warned: Pending<ObjectWarning>;
}

const noneLeftOut: readonly LeftOut[] = [];

const noServices: ServicesPlan = {
  unlabelled: [],
  mirrors: [],
  obsoleteMirrors: [],
  names: [],
  obsoleteNames: [],
  warnings: [],
};

/** The Services of networks, and the mirrors of what is behind them. */
export class MirroredServices {
  readonly #services = new Map<string, Service>();
  readonly #slices = new Map<string, EndpointSlice>();
  /** The networks of namespaces that were asked for. */
  readonly #networks = new Map<string, NamespaceNetwork>();
  readonly #servicesIn = new Map<string, Set<string>>();
  /** Keys of mirrors, whether or not they exist, with that of their source. */
  readonly #sources = new Map<string, string>();
  readonly #sourcesIn = new Map<string, Set<string>>();
  readonly #mirrorsIn = new Map<string, Set<string>>();
  readonly #mirrorsOfService = new Map<string, Set<string>>();
  readonly #mirrorsOfPod = new Map<string, Set<string>>();
  readonly names: NamedServices;
  readonly served = new ServedServices();
  /** By mirror; absent where there are none. */
  readonly #leftOut = new Map<string, readonly LeftOut[]>();
  readonly #pending: PendingWrites;
  #plan: ServicesPlan;
  #judged = 0;

  /** @param former the Services before all are judged anew, with which equal writes are shared */
  constructor(former?: MirroredServices) {
    const earlier = former === undefined ? undefined : former.#pending;
    this.#pending = {
      unlabelled: new Pending(earlier?.unlabelled),
      mirrors: new Pending(earlier?.mirrors),
      obsolete: new Pending(earlier?.obsolete),
      taken: new Pending(earlier?.taken),
      outside: new Pending(earlier?.outside),
      warned: new Pending(earlier?.warned),
    };
    this.names = new NamedServices(former?.names);
    this.#plan = former?.plan ?? noServices;
  }

  /** Number of Services, mirrors, slices of names, and warnings about a Service that were judged so far; laws hold it against the table of docs/design/cluster-plan.md. */
  get decisions(): number {
    return this.#judged + this.names.decisions;
  }

  /** Everything that is to be written; one object as long as its parts do not change. */
  get plan(): ServicesPlan {
    const before = this.#plan;
    const { unlabelled, mirrors, obsolete, warned } = this.#pending;
    const next: ServicesPlan = {
      unlabelled: unlabelled.list,
      mirrors: mirrors.list,
      obsoleteMirrors: obsolete.list,
      names: this.names.pending,
      obsoleteNames: this.names.obsolete,
      warnings: warned.list,
    };
    if (!isSameList(Object.values(before), Object.values(next))) this.#plan = next;
    return this.#plan;
  }

  /** About slices of others that have the name of a mirror, and about addresses outside the subnets of Services. */
  get warnings(): readonly Warning[] {
    const { taken, outside } = this.#pending;
    return [...taken.list, ...outsideWarnings(outside.list)];
  }

  /** Takes the differences of two snapshots over. */
  take(former: ClusterSnapshot, view: ClusterView, { namespaces, networkOf }: ServiceChanges): void {
    const again: Again = { services: new Set(), mirrors: new Set(), warned: new Set() };
    const { snapshot } = view;
    const slices = listChanges(former.endpointSlices, snapshot.endpointSlices);
    const pods = listChanges(former.pods, snapshot.pods);
    this.#takeServices(listChanges(former.services, snapshot.services), again);
    this.#takeSlices(slices, again);
    this.#takePods(pods, again);
    this.#takeNamespaces(namespaces, networkOf, again);
    const found = (namespace: string) => this.#networkOf(namespace, networkOf);
    const names = { view, services: again.services, slices, pods, networkOf: found };
    const onHost = this.names.take({ ...names, serviceOf: (key) => this.#services.get(key) });
    for (const key of again.services) this.#judgeService(key, view, found);
    for (const key of again.mirrors) this.#judgeMirror(key, view, found);
    const warned = new Set([...again.warned, ...again.services, ...onHost, ...this.#servicesOf(again.mirrors)]);
    for (const key of warned) this.#judgeProblems(key, found);
    this.#judged += again.services.size + again.mirrors.size + warned.size;
  }

  #takeServices({ removed, added }: ListChanges<Service>, again: Again): void {
    for (const service of removed) {
      this.#services.delete(keyOf(service));
      removeFrom(this.#servicesIn, namespaceOf(service), keyOf(service));
    }
    for (const service of added) {
      this.#services.set(keyOf(service), service);
      addTo(this.#servicesIn, namespaceOf(service), keyOf(service));
    }
    for (const service of [...removed, ...added]) {
      again.services.add(keyOf(service));
      for (const mirror of this.#mirrorsOfService.get(keyOf(service)) ?? []) again.mirrors.add(mirror);
    }
  }

  #takeSlices({ removed, added }: ListChanges<EndpointSlice>, { mirrors, warned }: Again): void {
    for (const slice of removed) {
      this.#slices.delete(keyOf(slice));
      this.#relate(slice, removeFrom);
    }
    for (const slice of added) {
      this.#slices.set(keyOf(slice), slice);
      this.#relate(slice, addTo);
    }
    for (const slice of [...removed, ...added]) {
      const key = keyOf(slice);
      if (isMirror(slice) || this.#sources.has(key)) mirrors.add(key);
      const service = serviceOfSource(slice);
      if (service === undefined) continue;
      mirrors.add(mirrorKey(slice));
      warned.add(keyIn(namespaceOf(slice), service));
    }
  }

  /** Adds a slice to what it belongs to, or removes it. */
  #relate(slice: EndpointSlice, change: typeof addTo<string, string>): void {
    const namespace = namespaceOf(slice);
    if (isMirror(slice)) change(this.#mirrorsIn, namespace, keyOf(slice));
    const service = serviceOfSource(slice);
    if (service === undefined) return;
    const mirror = mirrorKey(slice);
    change(this.#sourcesIn, namespace, mirror);
    change(this.#mirrorsOfService, keyIn(namespace, service), mirror);
    for (const pod of podsOfSlice(slice)) change(this.#mirrorsOfPod, keyIn(namespace, pod), mirror);
    if (change === addTo) this.#sources.set(mirror, keyOf(slice));
    else this.#sources.delete(mirror);
  }

  #takePods({ removed, added }: ListChanges<Pod>, { mirrors }: Again): void {
    for (const pods of [removed, added])
      for (const pod of pods) for (const mirror of this.#mirrorsOfPod.get(keyOf(pod)) ?? []) mirrors.add(mirror);
  }

  #takeNamespaces(namespaces: Iterable<string>, networkOf: ServiceChanges['networkOf'], again: Again): void {
    for (const namespace of new Set(namespaces)) {
      const before = this.#networks.get(namespace);
      if (before === undefined) continue;
      const [services, sources, mirrors] = [this.#servicesIn, this.#sourcesIn, this.#mirrorsIn].map(
        (sets) => sets.get(namespace) ?? none,
      );
      const after = networkOf(namespace);
      if ([services, sources, mirrors].every((keys) => keys === none)) this.#networks.delete(namespace);
      else this.#networks.set(namespace, after);
      if (textOf(before) === textOf(after)) continue;
      for (const key of services ?? none) again.services.add(key);
      for (const keys of [sources, mirrors]) for (const key of keys ?? none) again.mirrors.add(key);
    }
  }

  #networkOf(namespace: string, networkOf: ServiceChanges['networkOf']): NamespaceNetwork {
    const known = this.#networks.get(namespace);
    if (known !== undefined) return known;
    const found = networkOf(namespace);
    this.#networks.set(namespace, found);
    return found;
  }

  #judgeService(key: string, { settings }: ClusterView, networkOf: ServiceChanges['networkOf']): void {
    const service = this.#services.get(key);
    const found = service && networkOf(namespaceOf(service));
    const isUnlabelled = service !== undefined && found !== undefined && lacksLabel(service, found);
    this.#pending.unlabelled.set(key, isUnlabelled ? meant(service) : undefined);
    const isServed = service !== undefined && found !== undefined && serviceScope(service, found).kind === 'served';
    const addresses = isServed ? addressesOutside(service, settings.serviceCidrs) : [];
    this.#pending.outside.set(key, addresses.length === 0 ? undefined : { service: key, addresses });
  }

  /** The Services of the sources of some mirrors. */
  *#servicesOf(mirrors: ReadonlySet<string>): Iterable<string> {
    for (const mirror of mirrors) {
      const source = this.#slices.get(this.#sources.get(mirror) ?? '');
      if (source !== undefined) yield keyIn(namespaceOf(source), serviceOfSource(source) ?? '');
    }
  }

  /** Judges what is wrong with a Service. */
  #judgeProblems(key: string, networkOf: ServiceChanges['networkOf']): void {
    const service = this.#services.get(key);
    const mirrors = [...(this.#mirrorsOfService.get(key) ?? none)];
    const slices = mirrors.flatMap((mirror) => this.#slices.get(this.#sources.get(mirror) ?? '') ?? []);
    const unserved = mirrors.flatMap((mirror) => this.#leftOut.get(mirror) ?? noneLeftOut);
    this.served.set(key, service && serviceInNetwork(service, networkOf(namespaceOf(service)), unserved));
    const leftOut = [
      ...unserved,
      ...[...this.names.onHost(key)].map((pod): LeftOut => ({ endpoint: `pod ${pod}`, reason: 'HostNetworkEndpoint' })),
    ];
    const warnings = service
      ? serviceWarnings({ service, found: networkOf(namespaceOf(service)), leftOut, slices })
      : [];
    for (const reason of serviceReasons)
      this.#pending.warned.set(
        `${key} ${reason}`,
        warnings.find((warning) => warning.reason === reason),
      );
  }

  #judgeMirror(key: string, view: ClusterView, networkOf: ServiceChanges['networkOf']): void {
    const { pending, obsolete, warning, leftOut = noneLeftOut } = this.#mirrorDecision(key, view, networkOf);
    if (leftOut.length === 0) this.#leftOut.delete(key);
    else this.#leftOut.set(key, leftOut);
    this.#pending.mirrors.set(key, pending);
    this.#pending.obsolete.set(key, obsolete);
    this.#pending.taken.set(key, warning);
  }

  #mirrorDecision(key: string, view: ClusterView, networkOf: ServiceChanges['networkOf']): MirrorDecision {
    const stored = this.#slices.get(key);
    const source = this.#slices.get(this.#sources.get(key) ?? '');
    if (source === undefined) {
      const name = stored && sourceOfMirror(stored);
      const isUnread =
        stored !== undefined &&
        name !== undefined &&
        view.unreadable('endpointSlices').has(keyIn(namespaceOf(stored), name));
      return isUnread ? asItIs : withoutMirror(stored);
    }
    const namespace = namespaceOf(source);
    const service = this.#services.get(keyIn(namespace, serviceOfSource(source) ?? ''));
    if (service === undefined) return asItIs;
    const scope = serviceScope(service, networkOf(namespace));
    if (scope.kind === 'undecided') return asItIs;
    if (scope.kind !== 'served') return withoutMirror(stored);
    const unread = view.unreadable('pods');
    if (unread.size > 0 && podsOfSlice(source).some((pod) => unread.has(keyIn(namespace, pod)))) return asItIs;
    const pods = podsByName(podsByNamespace(view.snapshot.pods).get(namespace) ?? noPods);
    const { network, networkId } = scope;
    const input = { source, network, networkId, pod: (name: string) => pods.get(name) };
    const leftOut = leftOutOf(input);
    if (stored !== undefined && !isManaged(stored)) return { warning: takenWarning(stored, source), leftOut };
    return { ...decisionOn(mirrorOf(input), stored), leftOut };
  }
}
