/**
 * Which Services are labelled, and what is wrong with which of them? A Service is judged where it, or the network of its namespace, has changed; and what is wrong with it where it
 * or a mirror of its EndpointSlices is judged.
 */
import type { ObjectWarning } from '../../../api/object-warning.ts';
import { lazyByObject } from '../../../basics/incremental/by-identity.ts';
import { isSameList, listChanges } from '../../../basics/incremental/list-changes.ts';
import type { LeftOut } from '../../../services/mirror.ts';
import type { NamespaceNetwork } from '../../../services/namespace-network.ts';
import { addressesOutside } from '../../../services/outside-addresses.ts';
import { lacksLabel, serviceScope } from '../../../services/service-scope.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import { nameSample } from '../../../status/node-sample.ts';
import { serviceInNetwork } from '../../../status/service-problem.ts';
import { serviceReasons, serviceWarnings } from '../../../status/service-warnings.ts';
import { namespaceOf, ServicesByNamespace } from '../../../services/services-by-namespace.ts';
import { SharedAddresses } from '../../../services/shared-addresses.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { Warning } from '../../view/warning.ts';
import type { MeantObject, ServicesPlan } from '../services-plan.ts';
import { Mirrors } from './mirrors.ts';
import { NamedServices } from './named-services.ts';
import { OutsideServices } from './outside-services.ts';
import { Pending } from './pending.ts';
import { ServedServices } from './served-services.ts';
import { meant } from './slice-decisions.ts';

/** The part of a network of a namespace that counts for its Services, as text. */
function textOf(found: NamespaceNetwork | undefined): string {
  if (found?.kind !== 'ours') return found === undefined ? '' : JSON.stringify(found);
  const { key, metadata, networkName, subnets } = found.network;
  return JSON.stringify([key, metadata.name, networkName, subnets, found.networkId]);
}

/** Changes by which Services are judged again. */
export interface ServiceChanges {
  /** Names of the namespaces whose network may be another one. */
  readonly namespaces: readonly string[];
  readonly networkOf: (namespace: string) => NamespaceNetwork;
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
  readonly outside: Pending<OutsideService>;
  /** By Service and reason. */
  readonly warned: Pending<ObjectWarning>;
}

const noServices: ServicesPlan = {
  unlabelled: [],
  mirrors: [],
  obsoleteMirrors: [],
  names: [],
  obsoleteNames: [],
  warnings: [],
};

/** The Services of networks, with their mirrors and names. */
export class JudgedServices {
  readonly #services = new ServicesByNamespace();
  /** The networks of namespaces that were asked for. */
  readonly #networks = new Map<string, NamespaceNetwork>();
  readonly mirrors: Mirrors;
  readonly names: NamedServices;
  readonly served = new ServedServices();
  readonly #addresses = new SharedAddresses();
  readonly #outside = new OutsideServices();
  readonly #pending: PendingWrites;
  #plan: ServicesPlan;
  #judged = 0;

  /** @param former the Services before all are judged anew, with which equal writes are shared */
  constructor(former?: JudgedServices) {
    const earlier = former === undefined ? undefined : former.#pending;
    this.#pending = {
      unlabelled: new Pending(earlier?.unlabelled),
      outside: new Pending(earlier?.outside),
      warned: new Pending(earlier?.warned),
    };
    this.mirrors = new Mirrors(former?.mirrors);
    this.names = new NamedServices(former?.names);
    this.#plan = former?.plan ?? noServices;
  }

  /** Number of Services, mirrors, slices of names, and warnings about a Service that were judged so far; laws hold it against the table of docs/design/cluster-plan.md. */
  get decisions(): number {
    return this.#judged + this.mirrors.decisions + this.names.decisions;
  }

  /** Everything that is to be written; one object as long as its parts do not change. */
  get plan(): ServicesPlan {
    const before = this.#plan;
    const { unlabelled, warned } = this.#pending;
    const next: ServicesPlan = {
      unlabelled: unlabelled.list,
      mirrors: this.mirrors.pending,
      obsoleteMirrors: this.mirrors.obsolete,
      names: this.names.pending,
      obsoleteNames: this.names.obsolete,
      warnings: warned.list,
    };
    if (!isSameList(Object.values(before), Object.values(next))) this.#plan = next;
    return this.#plan;
  }

  /** About slices of others that have the name of a mirror, and about addresses outside the subnets of Services. */
  get warnings(): readonly Warning[] {
    return [...this.mirrors.warnings, ...outsideWarnings(this.#pending.outside.list)];
  }

  /** Takes the differences of two snapshots over. */
  take(former: ClusterSnapshot, view: ClusterView, { namespaces, networkOf }: ServiceChanges): void {
    const { snapshot } = view;
    const services = this.#services.take(listChanges(former.services, snapshot.services));
    const others = this.#takeNamespaces(namespaces, networkOf);
    for (const namespace of others) for (const key of this.#services.in(namespace)) services.add(key);
    for (const key of this.#outside.take(view)) services.add(key);
    const changes = {
      view,
      services,
      namespaces: others,
      slices: listChanges(former.endpointSlices, snapshot.endpointSlices),
      pods: listChanges(former.pods, snapshot.pods),
      serviceOf: (key: string) => this.#services.get(key),
      networkOf: (namespace: string) => this.#networkOf(namespace, networkOf),
    };
    const onHost = this.names.take(changes);
    const sharing = [...services].flatMap((key) => this.#judgeService(key, view, changes.networkOf));
    const warned = new Set([...services, ...sharing, ...onHost, ...this.mirrors.take(changes)]);
    for (const key of warned) this.#judgeProblems(key, changes.networkOf);
    this.#judged += services.size + warned.size;
    this.#forgetNetworks(namespaces);
  }

  /** Takes networks of namespaces over. @returns the namespaces that have another one */
  #takeNamespaces(namespaces: readonly string[], networkOf: ServiceChanges['networkOf']): readonly string[] {
    return [...new Set(namespaces)].filter((namespace) => {
      const before = this.#networks.get(namespace);
      if (before === undefined) return false;
      const after = networkOf(namespace);
      this.#networks.set(namespace, after);
      return textOf(before) !== textOf(after);
    });
  }

  /** Forgets the networks of namespaces in which nothing is judged any more. */
  #forgetNetworks(namespaces: readonly string[]): void {
    for (const namespace of namespaces)
      if (this.#services.in(namespace).size === 0 && !this.mirrors.areIn(namespace)) this.#networks.delete(namespace);
  }

  #networkOf(namespace: string, networkOf: ServiceChanges['networkOf']): NamespaceNetwork {
    const known = this.#networks.get(namespace);
    if (known !== undefined) return known;
    const found = networkOf(namespace);
    this.#networks.set(namespace, found);
    return found;
  }

  /** Judges a Service. @returns others of its network that have one of its addresses, or had */
  #judgeService(key: string, view: ClusterView, networkOf: ServiceChanges['networkOf']): readonly string[] {
    const service = this.#services.get(key);
    const found = service && networkOf(namespaceOf(service));
    const isUnlabelled = service !== undefined && found !== undefined && lacksLabel(service, found);
    this.#pending.unlabelled.set(key, isUnlabelled ? meant(service) : undefined);
    const scope = service && found && serviceScope(service, found);
    const network = scope?.kind === 'served' ? scope.network : undefined;
    const addresses = service && network ? addressesOutside(service, view.settings.serviceCidrs) : [];
    this.#pending.outside.set(key, addresses.length === 0 ? undefined : { service: key, addresses });
    const meeting = service ? this.#outside.set(key, service, network, view) : this.#outside.delete(key);
    return [...this.#addresses.set(key, service, found), ...meeting];
  }

  /** Judges what is wrong with a Service. */
  #judgeProblems(key: string, networkOf: ServiceChanges['networkOf']): void {
    const service = this.#services.get(key);
    const found = service && networkOf(namespaceOf(service));
    const unserved = this.mirrors.leftOutOf(key);
    const shared = this.#addresses.with(key);
    const outside = this.#outside.findings(key);
    this.served.set(key, service && found && serviceInNetwork(service, found, { leftOut: unserved, shared, outside }));
    const onHost = [...this.names.onHost(key)].map((pod): LeftOut => ({
      endpoint: `pod ${pod}`,
      reason: 'HostNetworkEndpoint',
    }));
    const leftOut = [...unserved, ...onHost];
    const slices = this.mirrors.sourcesOf(key);
    const warned = { leftOut, shared, slices, ...(outside && { outside }) };
    const warnings = service && found ? serviceWarnings({ service, found, ...warned }) : [];
    for (const reason of serviceReasons)
      this.#pending.warned.set(
        `${key} ${reason}`,
        warnings.find((warning) => warning.reason === reason),
      );
  }
}
