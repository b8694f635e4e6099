/** The plan of the networks that ovn-uplinks provides, made from the one before. */
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import { NETWORK_FINALIZER } from '../../basics/conventions.ts';
import { differingItems, isSameList } from '../../basics/incremental/list-changes.ts';
import { sameIfEqual, sameIfSameItems } from '../../basics/incremental/same-if-equal.ts';
import { by, byName } from '../../basics/names/ordering.ts';
import type { PairSet } from '../../basics/names/pairs.ts';
import type { NetworkKey } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { isOf, isOwn } from '../../network/provision/namespace-attachment.ts';
import type { NamespaceNetwork } from '../../services/namespace-network.ts';
import { type ClusterSnapshot, emptyCluster } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import { networkOfServicesAmong } from '../view/network-of-services.ts';
import { namespacesFor, podsIn } from '../view/provided-networks.ts';
import { sharedNamespacesWarnings } from '../view/shared-namespaces.ts';
import type { Activity, FollowedNetworks } from './joins/activity.ts';
import { JudgedServices } from './joins/judged-services.ts';
import { type SteadyLists, steadyLists } from './joins/steady-lists.ts';
import { TouchedNetworks } from './joins/touched-networks.ts';
import { type PlannedProvision, planProvidedNetwork, type Provision, servingId } from './provided-network-plan.ts';
import type { ProvisionPlan } from './provision-plan.ts';
import { changedForAll, decideShared, networksWithOtherIds, type SharedProvision } from './shared-provision.ts';

const keyOf = ({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }) =>
  `${namespace}/${name}`;

/** Managed NetworkAttachmentDefinitions whose network no longer exists, and which nothing uses. */
function orphans(
  snapshot: ClusterSnapshot,
  networks: ReadonlyMap<NetworkKey, Network>,
): readonly NetworkAttachmentDefinition[] {
  const uids = new Set([...networks.values()].map(({ metadata }) => metadata.uid ?? ''));
  return snapshot.networkAttachmentDefinitions.filter(
    (definition) =>
      isOwn(definition) &&
      definition.metadata.finalizers?.includes(NETWORK_FINALIZER) === true &&
      (definition.metadata.ownerReferences ?? []).every(({ uid }) => !uids.has(uid)) &&
      ![...networks.values()].some((network) => isOf(network, definition)) &&
      podsIn(definition.metadata.namespace ?? 'default', snapshot).length === 0,
  );
}

/** The changes of a cluster by which networks are planned again. */
export interface ProvisionChanges {
  /** All networks, and those that came, went or are other objects. */
  readonly networks: FollowedNetworks;
  /** Networks and nodes. */
  readonly activity: PairSet<NetworkKey>;
}

/** Names of the namespaces that have changed, or in which a NetworkAttachmentDefinition has. */
function changedNamespaces(former: ClusterSnapshot, next: ClusterSnapshot): readonly string[] {
  return [
    ...differingItems(former.namespaces, next.namespaces).map(({ metadata }) => metadata.name),
    ...differingItems(former.networkAttachmentDefinitions, next.networkAttachmentDefinitions).map(
      ({ metadata }) => metadata.namespace ?? 'default',
    ),
  ];
}

/** The plan of a network, whose parts are those of the plan before where they are equal. */
function sharingPlan(before: PlannedProvision | undefined, after: PlannedProvision): PlannedProvision {
  if (before === undefined) return after;
  const former = new Map(before.definitions.map((definition) => [definition.metadata.namespace, definition]));
  return {
    plan: sameIfEqual(before.plan, after.plan),
    definitions: after.definitions.map((definition) =>
      sameIfEqual(former.get(definition.metadata.namespace), definition),
    ),
    obsolete: after.obsolete,
  };
}

/** A plan of which each part is that of the plan before where they are equal, and which is that one itself where all are. */
function sharingParts(before: ProvisionPlan | undefined, after: ProvisionPlan): ProvisionPlan {
  if (before === undefined) return after;
  const parts: ProvisionPlan = {
    ...after,
    networks: sameIfSameItems(before.networks, after.networks),
    definitions: sameIfSameItems(before.definitions, after.definitions),
    obsoleteDefinitions: sameIfEqual(before.obsoleteDefinitions, after.obsoleteDefinitions),
    nodeIds: sameIfEqual(before.nodeIds, after.nodeIds),
    warnings: sameIfEqual(before.warnings, after.warnings),
    ...(after.claims && { claims: sameIfEqual(before.claims, after.claims) }),
  };
  const isSame = isSameList(Object.values(before), Object.values(parts)) && before.claims === parts.claims;
  return isSame ? before : parts;
}

/**
 * The networks that ovn-uplinks provides, planned for one snapshot after the other. A network is planned again where something that it follows from has
 * changed.
 */
export class ProvidedNetworks {
  readonly #settings: ClusterSettings;
  readonly #activity: Activity;
  readonly touched = new TouchedNetworks();
  readonly services: JudgedServices;
  readonly #planned = new Map<NetworkKey, PlannedProvision>();
  #former: ClusterSnapshot = emptyCluster;
  #lists: SteadyLists = emptyCluster;
  #shared: SharedProvision | undefined;
  #plan: ProvisionPlan | undefined;
  /** Those of the networks before all are planned anew. */
  #earlier: ReadonlyMap<NetworkKey, PlannedProvision> | undefined;
  /** Number of networks that were planned so far; laws hold it against the table of docs/design/cluster-plan.md. */
  decisions = 0;

  /** @param former the networks before all are planned anew, with which equal plans are shared */
  constructor(settings: ClusterSettings, activity: Activity, former?: ProvidedNetworks) {
    this.#settings = settings;
    this.#activity = activity;
    this.services = new JudgedServices(former?.services);
    if (former === undefined) return;
    this.#earlier = former.#planned;
    this.#plan = former.#plan;
  }

  /** Plans the next snapshot. */
  take(view: ClusterView, { networks, activity }: ProvisionChanges): ProvisionPlan {
    const { snapshot } = view;
    this.#lists = steadyLists(this.#lists, this.#former, snapshot, this.#settings.namespace);
    const before = { snapshot: this.#former, shared: this.#shared };
    const left = this.#namespacesOf(networks.changed);
    const touched = this.touched.take(before.snapshot, view, networks);
    this.#former = snapshot;
    const shared = decideShared(before.shared, this.#lists, snapshot, this.#settings);
    const isChanged = changedForAll(before.shared, shared, this.#settings);
    this.#shared = shared;
    this.services.take(before.snapshot, view, {
      namespaces: [
        ...left,
        ...this.#namespacesOf(networks.changed),
        ...this.#namespacesOf(networksWithOtherIds(before.shared, shared, networks.all)),
        ...changedNamespaces(before.snapshot, snapshot),
      ],
      networkOf: (namespace) => this.#networkOf(namespace, view, shared, networks.all),
    });
    const again = new Set([...touched, ...[...activity].map(([key]) => key)]);
    for (const key of this.services.served.takeChanged()) again.add(key);
    for (const [key, network] of networks.all) if (isChanged(network)) again.add(key);
    const provision = this.#provisionOf(snapshot, shared, networks.all);
    for (const key of again) {
      const network = networks.all.get(key);
      if (network?.providedBy !== 'us') this.#planned.delete(key);
      else {
        this.decisions += 1;
        const before = this.#planned.get(key) ?? this.#earlier?.get(key);
        this.#planned.set(key, sharingPlan(before, planProvidedNetwork(network, provision)));
      }
    }
    this.#earlier = undefined;
    this.#plan = sharingParts(this.#plan, this.#assembled(view, shared, networks.all));
    return this.#plan;
  }

  #namespacesOf(networks: Iterable<NetworkKey>): readonly string[] {
    return [...networks].flatMap((key) => [...this.touched.namespacesOf(key)]);
  }

  #networkOf(
    name: string,
    view: ClusterView,
    { ids }: SharedProvision,
    all: FollowedNetworks['all'],
  ): NamespaceNetwork {
    const networks = [...this.touched.in(name)].flatMap((key) => all.get(key) ?? []);
    return networkOfServicesAmong({ networks, idOf: (network) => servingId(network, ids) }, name, view);
  }

  #provisionOf(snapshot: ClusterSnapshot, shared: SharedProvision, all: FollowedNetworks['all']): Provision {
    const { nodes, configMaps, uplinkStates } = shared.lists;
    const isIn = (network: Network, namespace: string) =>
      namespacesFor(network, snapshot).some(({ metadata }) => metadata.name === namespace);
    return {
      snapshot: { ...snapshot, nodes, configMaps, uplinkStates },
      settings: this.#settings,
      ids: shared.ids,
      networksFor: (namespace) =>
        [...this.touched.in(namespace)]
          .flatMap((key) => all.get(key) ?? [])
          .filter((network) => network.providedBy === 'us' && isIn(network, namespace)),
      activeNodes: ({ key }) => ({
        count: this.#activity.total(key),
        has: (node) => this.#activity.isActive(key, node),
      }),
      reports: shared.reports,
      servicesOf: ({ key }) => this.services.served.in(key),
      used: shared.used,
      usedByUplinks: shared.usedByUplinks,
    };
  }

  #assembled(
    view: ClusterView,
    { ids, nodeIds, warnings }: SharedProvision,
    all: FollowedNetworks['all'],
  ): ProvisionPlan {
    const { snapshot } = view;
    const planned = [...this.#planned.keys()].sort(byName).flatMap((key) => this.#planned.get(key) ?? []);
    // While a network cannot be read, the owner of its NetworkAttachmentDefinitions is unknown.
    const isKnown =
      view.unreadable('clusterUserDefinedNetworks').size + view.unreadable('userDefinedNetworks').size === 0;
    const obsolete = [...planned.flatMap((each) => each.obsolete), ...(isKnown ? orphans(snapshot, all) : [])];
    return {
      networks: planned.map((each) => each.plan),
      definitions: planned.flatMap((each) => each.definitions).sort(by(({ metadata }) => keyOf(metadata))),
      obsoleteDefinitions: obsolete
        .map(({ metadata: { namespace = 'default', name, uid } }) => ({
          namespace,
          name,
          ...(uid !== undefined && { uid }),
        }))
        .sort(by(keyOf)),
      nodeIds,
      services: this.services.plan,
      warnings: [...warnings, ...sharedNamespacesWarnings(snapshot, this.#settings), ...this.services.warnings],
      ...(ids.claims && { claims: ids.claims }),
    };
  }
}
