/**
 * To which pods do the names of headless Services lead, and in which EndpointSlices are these? All slices of a Service are judged where it or the network of its namespace has
 * changed; otherwise those in which a pod has changed, comes or goes, and those that have changed themselves.
 */
import type { EndpointSlice } from '../../../api/endpoint-slice.ts';
import type { Pod } from '../../../api/pod.ts';
import type { Service } from '../../../api/service.ts';
import { lazyByObject } from '../../../basics/incremental/by-identity.ts';
import type { ListChanges } from '../../../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../../../basics/names/pairs.ts';
import { podsByNamespace } from '../../../selection/indexes.ts';
import { meetsAll } from '../../../selection/label-selector.ts';
import { podsOfSlice } from '../../../services/mirror.ts';
import type { NamespaceNetwork } from '../../../services/namespace-network.ts';
import { familiesOf, namedPod, namesScope, type NamesScope, namesSlice } from '../../../services/names.ts';
import { SliceChain } from '../../../services/slice-chain.ts';
import {
  type DesiredSlice,
  type Family,
  familyOfSlice,
  isManaged,
  type NamesPlace,
  namesSliceName,
  placeOfName,
} from '../../../services/slices.ts';
import { hasEnded } from '../../../selection/active-nodes.ts';
import { keyIn, keyOf, namespaceOf } from '../../../services/services-by-namespace.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { MeantObject } from '../services-plan.ts';
import { Pending } from './pending.ts';
import { decisionOn, withoutSlice } from './slice-decisions.ts';

/** A Service whose names lead to pods. */
interface Led {
  readonly service: Service;
  readonly scope: Extract<NamesScope, { readonly kind: 'led' }>;
  readonly chains: ReadonlyMap<Family, SliceChain>;
  /** Names of selected pods in the network of their node. */
  readonly onHost: Set<string>;
}

/** The differences of two snapshots, and what they are about. */
export interface NamesChanges {
  readonly view: ClusterView;
  /** Keys of Services that are judged again. */
  readonly services: ReadonlySet<string>;
  readonly slices: ListChanges<EndpointSlice>;
  readonly pods: ListChanges<Pod>;
  readonly serviceOf: (key: string) => Service | undefined;
  readonly networkOf: (namespace: string) => NamespaceNetwork;
}

const none: readonly never[] = [];
const noNames: ReadonlySet<string> = new Set();

/** The namespaces of some keys. */
const namespacesIn = lazyByObject(
  (keys: ReadonlySet<string>): ReadonlySet<string> => new Set([...keys].map((key) => key.split('/')[0] ?? '')),
);

/** The Services of which slices of names cannot be read. */
const servicesIn = lazyByObject(
  (keys: ReadonlySet<string>): ReadonlySet<string> =>
    new Set(
      [...keys].flatMap((key) => {
        const [namespace = '', name = ''] = key.split('/');
        const place = placeOfName(name);
        return place === undefined ? [] : [keyIn(namespace, place.service)];
      }),
    ),
);

/** The pods of a stored slice, as a chain takes them. */
function namesIn(slice: EndpointSlice, { family }: NamesPlace): readonly string[] | 'taken' {
  const isUsed = isManaged(slice) && familyOfSlice(slice) === family && slice.metadata.deletionTimestamp === undefined;
  return isUsed ? podsOfSlice(slice) : 'taken';
}

/** The EndpointSlices of Services whose names lead to pods. */
export class NamedServices {
  /** Slices with names of such slices, of others too, by Service and then by key. */
  readonly #stored = new Map<string, Map<string, EndpointSlice>>();
  readonly #led = new Map<string, Led>();
  readonly #ledIn = new Map<string, Set<string>>();
  /** Keys of the slices that are to be written or deleted, by Service. */
  readonly #written = new Map<string, Set<string>>();
  readonly #pending: Pending<DesiredSlice>;
  readonly #obsolete: Pending<MeantObject>;
  /** Number of slices that were judged so far. */
  decisions = 0;

  /** @param former the Services before all are judged anew, with which equal writes are shared */
  constructor(former?: NamedServices) {
    this.#pending = new Pending(former === undefined ? undefined : former.#pending);
    this.#obsolete = new Pending(former === undefined ? undefined : former.#obsolete);
  }

  /** Those to create or to change. */
  get pending(): readonly DesiredSlice[] {
    return this.#pending.list;
  }

  /** Those to delete. */
  get obsolete(): readonly MeantObject[] {
    return this.#obsolete.list;
  }

  /** Selected pods in the network of their node, by name. */
  onHost(service: string): ReadonlySet<string> {
    return this.#led.get(service)?.onHost ?? noNames;
  }

  /** Takes the differences of two snapshots over. @returns the Services of which other pods are in the network of their node */
  take(changes: NamesChanges): ReadonlySet<string> {
    const again = new Map<string, Set<Family>>();
    const warned = new Set<string>();
    this.#takeSlices(changes, again);
    this.#takePods(changes, again, warned);
    for (const key of changes.services) this.#judgeAgain(key, changes);
    for (const [key, families] of again) {
      const led = this.#led.get(key);
      if (led !== undefined && !changes.services.has(key))
        for (const family of families) this.#settle(key, led, family);
    }
    return warned;
  }

  #takeSlices({ slices: { removed, added }, services, view, ...rest }: NamesChanges, again: Map<string, Set<Family>>) {
    const change = (slice: EndpointSlice, isThere: boolean) => {
      const place = placeOfName(slice.metadata.name);
      if (place === undefined) return;
      const key = keyIn(namespaceOf(slice), place.service);
      this.#store(key, slice, isThere);
      if (services.has(key)) return;
      const chain = this.#led.get(key)?.chains.get(place.family);
      if (chain === undefined) this.#judgeLeft(key, place, { ...rest, view });
      else {
        chain.setSlice(place.number, isThere ? namesIn(slice, place) : undefined);
        addTo(again, key, place.family);
      }
    };
    for (const slice of removed) change(slice, false);
    for (const slice of added) change(slice, true);
  }

  #store(key: string, slice: EndpointSlice, isThere: boolean): void {
    const stored = this.#stored.get(key) ?? new Map<string, EndpointSlice>();
    if (isThere) stored.set(keyOf(slice), slice);
    else stored.delete(keyOf(slice));
    if (stored.size === 0) this.#stored.delete(key);
    else this.#stored.set(key, stored);
  }

  #takePods(
    { pods: { removed, added }, services }: NamesChanges,
    again: Map<string, Set<Family>>,
    warned: Set<string>,
  ) {
    if (this.#led.size === 0) return;
    const changed = new Map<string, readonly [pod: Pod, isThere: boolean]>();
    for (const pod of removed) changed.set(keyOf(pod), [pod, false]);
    for (const pod of added) changed.set(keyOf(pod), [pod, true]);
    for (const [pod, isThere] of changed.values())
      for (const key of this.#ledIn.get(namespaceOf(pod)) ?? none) {
        const led = this.#led.get(key);
        if (led === undefined || services.has(key)) continue;
        const isOnHost = led.onHost.has(pod.metadata.name);
        this.#takePod(led, pod, isThere);
        if (led.onHost.has(pod.metadata.name) !== isOnHost) warned.add(key);
        for (const family of led.chains.keys()) addTo(again, key, family);
      }
  }

  #takePod({ service, scope, chains, onHost }: Led, pod: Pod, isThere: boolean): void {
    const { name, labels = {} } = pod.metadata;
    const isSelected = isThere && meetsAll(labels, scope.requirements);
    if (isSelected && pod.spec.hostNetwork === true && !hasEnded(pod)) onHost.add(name);
    else onHost.delete(name);
    for (const [family, chain] of chains)
      chain.setPod(name, isSelected ? namedPod(pod, service, scope.network, family) : undefined);
  }

  /** Judges all slices of a Service; what was to be written of one that is not judged is not any more. */
  #judgeAgain(key: string, changes: NamesChanges): void {
    const written = this.#written.get(key) ?? noNames;
    this.#written.delete(key);
    this.#judgeAll(key, changes);
    for (const slice of written) {
      if (this.#written.get(key)?.has(slice) === true) continue;
      this.#pending.set(slice, undefined);
      this.#obsolete.set(slice, undefined);
    }
  }

  #judgeAll(key: string, changes: NamesChanges): void {
    const { view, serviceOf } = changes;
    this.#led.delete(key);
    const [namespace = ''] = key.split('/');
    removeFrom(this.#ledIn, namespace, key);
    const service = serviceOf(key);
    const scope = this.#scope(key, changes);
    const stored = [...(this.#stored.get(key)?.values() ?? none)];
    const places = stored.flatMap((slice) => {
      const place = placeOfName(slice.metadata.name);
      return place === undefined ? [] : [{ slice, place }];
    });
    if (service === undefined || scope.kind !== 'led') {
      for (const { place } of places) this.#judgeLeft(key, place, changes);
      return;
    }
    const chains = new Map(familiesOf(service).map((family) => [family, new SliceChain()]));
    const led: Led = { service, scope, chains, onHost: new Set() };
    this.#led.set(key, led);
    addTo(this.#ledIn, namespace, key);
    for (const { slice, place } of places) {
      const chain = chains.get(place.family);
      if (chain === undefined) this.#judgeLeft(key, place, changes);
      else chain.setSlice(place.number, namesIn(slice, place));
    }
    for (const pod of podsByNamespace(view.snapshot.pods).get(namespace) ?? none) this.#takePod(led, pod, true);
    for (const family of chains.keys()) this.#settle(key, led, family);
  }

  /** Where the names of a Service lead; undecided where something that this follows from cannot be read. */
  #scope(
    key: string,
    { view, serviceOf, networkOf }: Pick<NamesChanges, 'view' | 'serviceOf' | 'networkOf'>,
  ): NamesScope {
    const [namespace = ''] = key.split('/');
    const service = serviceOf(key);
    const isUnread =
      namespacesIn(view.unreadable('pods')).has(namespace) || servicesIn(view.unreadable('endpointSlices')).has(key);
    // Those of a Service that is gone are left to the garbage collector.
    if (service === undefined || isUnread) return { kind: 'undecided' };
    return namesScope(service, networkOf(namespace));
  }

  /** Judges a slice that is in no chain: it is there for a Service, or a family of it, whose names lead nowhere. */
  #judgeLeft(key: string, place: NamesPlace, changes: Pick<NamesChanges, 'view' | 'serviceOf' | 'networkOf'>): void {
    const { kind } = this.#scope(key, changes);
    const [namespace = ''] = key.split('/');
    const slice = keyIn(namespace, namesSliceName(place));
    const stored = this.#stored.get(key)?.get(slice);
    const isObsolete = (kind === 'none' || kind === 'led') && stored !== undefined && isManaged(stored);
    this.#decide(key, place, isObsolete ? withoutSlice(stored) : {});
  }

  #settle(key: string, { service, chains }: Led, family: Family): void {
    const chain = chains.get(family);
    for (const number of chain?.settle() ?? none) {
      const place = { service: service.metadata.name, family, number };
      const stored = this.#stored.get(key)?.get(keyIn(namespaceOf(service), namesSliceName(place)));
      const pods = chain?.podsOf(number) ?? none;
      if (stored !== undefined && !isManaged(stored)) this.#decide(key, place, {});
      else if (pods.length > 0) this.#decide(key, place, decisionOn(namesSlice(service, place, pods), stored));
      else this.#decide(key, place, stored === undefined ? {} : withoutSlice(stored));
    }
  }

  #decide(key: string, place: NamesPlace, { pending, obsolete }: ReturnType<typeof decisionOn>): void {
    const [namespace = ''] = key.split('/');
    const slice = keyIn(namespace, namesSliceName(place));
    this.decisions += 1;
    this.#pending.set(slice, pending);
    this.#obsolete.set(slice, obsolete);
    const change = pending === undefined && obsolete === undefined ? removeFrom : addTo;
    change(this.#written, key, slice);
  }
}
