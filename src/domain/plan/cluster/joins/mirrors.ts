/**
 * Which EndpointSlices are mirrored? A mirror is judged where its source, its Service, one of its pods, the network of its namespace or itself has changed.
 */
import type { EndpointSlice } from '../../../api/endpoint-slice.ts';
import type { Pod } from '../../../api/pod.ts';
import type { Service } from '../../../api/service.ts';
import { lazyByObject } from '../../../basics/incremental/by-identity.ts';
import type { ListChanges } from '../../../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../../../basics/names/pairs.ts';
import { podsByNamespace } from '../../../selection/indexes.ts';
import { type DesiredMirror, type LeftOut, leftOutOf, mirrorOf, podsOfSlice } from '../../../services/mirror.ts';
import type { NamespaceNetwork } from '../../../services/namespace-network.ts';
import { serviceScope } from '../../../services/service-scope.ts';
import { isManaged, isMirror, mirrorName, serviceOfSource, sourceOfMirror } from '../../../services/slices.ts';
import { keyIn, keyOf, namespaceOf } from '../../../services/services-by-namespace.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { Warning } from '../../view/warning.ts';
import type { MeantObject } from '../services-plan.ts';
import { Pending } from './pending.ts';
import { decisionOn, type SliceDecision, withoutSlice } from './slice-decisions.ts';

/** The differences of two snapshots, and what they are about. */
export interface MirrorsChanges {
  readonly view: ClusterView;
  /** Keys of Services that are judged again. */
  readonly services: ReadonlySet<string>;
  /** Names of the namespaces that have another network. */
  readonly namespaces: Iterable<string>;
  readonly slices: ListChanges<EndpointSlice>;
  readonly pods: ListChanges<Pod>;
  readonly serviceOf: (key: string) => Service | undefined;
  readonly networkOf: (namespace: string) => NamespaceNetwork;
}

/** Key of the mirror of a slice. */
const mirrorKey = (source: EndpointSlice) => keyIn(namespaceOf(source), mirrorName(source.metadata.name));

const none: ReadonlySet<string> = new Set();
const noPods: readonly Pod[] = [];
const noneLeftOut: readonly LeftOut[] = [];

const podsByName = lazyByObject(
  (pods: readonly Pod[]): ReadonlyMap<string, Pod> => new Map(pods.map((pod) => [pod.metadata.name, pod])),
);

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

/** The mirrors of the EndpointSlices of Services. */
export class Mirrors {
  readonly #slices = new Map<string, EndpointSlice>();
  /** Keys of mirrors, whether or not they exist, with that of their source. */
  readonly #sources = new Map<string, string>();
  readonly #sourcesIn = new Map<string, Set<string>>();
  readonly #mirrorsIn = new Map<string, Set<string>>();
  readonly #mirrorsOfService = new Map<string, Set<string>>();
  readonly #mirrorsOfPod = new Map<string, Set<string>>();
  /** By mirror; absent where there are none. */
  readonly #leftOut = new Map<string, readonly LeftOut[]>();
  readonly #pending: Pending<DesiredMirror>;
  readonly #obsolete: Pending<MeantObject>;
  readonly #taken: Pending<Warning>;
  /** Number of mirrors that were judged so far. */
  decisions = 0;

  /** @param former the mirrors before all are judged anew, with which equal writes are shared */
  constructor(former?: Mirrors) {
    const earlier =
      former === undefined ? undefined : { pending: former.#pending, obsolete: former.#obsolete, taken: former.#taken };
    this.#pending = new Pending(earlier?.pending);
    this.#obsolete = new Pending(earlier?.obsolete);
    this.#taken = new Pending(earlier?.taken);
  }

  /** The mirrors to create or to change. */
  get pending(): readonly DesiredMirror[] {
    return this.#pending.list;
  }

  /** The mirrors to delete. */
  get obsolete(): readonly MeantObject[] {
    return this.#obsolete.list;
  }

  /** About slices of others that have the name of a mirror. */
  get warnings(): readonly Warning[] {
    return this.#taken.list;
  }

  /** Whether a namespace has slices of Services, or mirrors. */
  areIn(namespace: string): boolean {
    return this.#sourcesIn.has(namespace) || this.#mirrorsIn.has(namespace);
  }

  /** The slices of a Service that are mirrored, or would be. */
  sourcesOf(service: string): readonly EndpointSlice[] {
    return [...(this.#mirrorsOfService.get(service) ?? none)].flatMap((mirror) => this.#sourceOf(mirror) ?? []);
  }

  /** The endpoints of a Service that are in none of its mirrors, for reasons that do not pass by themselves. */
  leftOutOf(service: string): readonly LeftOut[] {
    return [...(this.#mirrorsOfService.get(service) ?? none)].flatMap(
      (mirror) => this.#leftOut.get(mirror) ?? noneLeftOut,
    );
  }

  /**
   * Takes the differences over.
   *
   * @returns keys of the Services whose slices, or the mirrors of these, were judged
   */
  take(changes: MirrorsChanges): ReadonlySet<string> {
    const [again, services] = [new Set<string>(), new Set<string>()];
    this.#takeSlices(changes.slices, again, services);
    for (const pod of [...changes.pods.removed, ...changes.pods.added])
      for (const mirror of this.#mirrorsOfPod.get(keyOf(pod)) ?? none) again.add(mirror);
    for (const service of changes.services)
      for (const mirror of this.#mirrorsOfService.get(service) ?? none) again.add(mirror);
    for (const namespace of changes.namespaces)
      for (const keys of [this.#sourcesIn, this.#mirrorsIn])
        for (const mirror of keys.get(namespace) ?? none) again.add(mirror);
    for (const mirror of again) {
      this.#judge(mirror, changes);
      const source = this.#sourceOf(mirror);
      if (source !== undefined) services.add(keyIn(namespaceOf(source), serviceOfSource(source) ?? ''));
    }
    this.decisions += again.size;
    return services;
  }

  #sourceOf(mirror: string): EndpointSlice | undefined {
    return this.#slices.get(this.#sources.get(mirror) ?? '');
  }

  /** Takes slices over. @param again takes the keys of mirrors to judge; @param services takes those of the Services of the slices */
  #takeSlices({ removed, added }: ListChanges<EndpointSlice>, again: Set<string>, services: Set<string>): void {
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
      if (isMirror(slice) || this.#sources.has(key)) again.add(key);
      const service = serviceOfSource(slice);
      if (service === undefined) continue;
      again.add(mirrorKey(slice));
      services.add(keyIn(namespaceOf(slice), service));
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

  #judge(key: string, changes: MirrorsChanges): void {
    const { pending, obsolete, warning, leftOut = noneLeftOut } = this.#decision(key, changes);
    if (leftOut.length === 0) this.#leftOut.delete(key);
    else this.#leftOut.set(key, leftOut);
    this.#pending.set(key, pending);
    this.#obsolete.set(key, obsolete);
    this.#taken.set(key, warning);
  }

  #decision(key: string, { view, serviceOf, networkOf }: MirrorsChanges): MirrorDecision {
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
    const service = serviceOf(keyIn(namespace, serviceOfSource(source) ?? ''));
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
