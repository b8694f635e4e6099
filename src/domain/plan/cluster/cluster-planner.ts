/** The plan of a cluster, made from the one before at the cost of what has changed between their snapshots. Entries that are the same are the same objects. */
import type { Condition } from '../../api/condition.ts';
import type { ObjectMeta } from '../../api/object-meta.ts';
import type { Uplink } from '../../api/uplink.ts';
import { UPLINK_FINALIZER } from '../../basics/conventions.ts';
import { isSameList } from '../../basics/incremental/list-changes.ts';
import { sameIfEqual, sameIfSameItems } from '../../basics/incremental/same-if-equal.ts';
import { byName, distinct } from '../../basics/names/ordering.ts';
import { isNamespaced, type NetworkKey } from '../../network/key.ts';
import { unsupportedUplinks } from '../../network/unsupported.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { type DegradedCondition, degradedCondition } from '../../status/degraded.ts';
import { deletionSentence, finalizersOf } from '../../status/finalizers.ts';
import { uplinksReadyCondition } from '../../status/uplinks-ready.ts';
import { type ClusterView, viewCluster } from '../view/cluster-view.ts';
import { type Warning, sortedWarnings } from '../view/warning.ts';
import { clusterWarnings } from '../warnings/cluster-warnings.ts';
import type { ClusterPlan, NetworkPlan, UplinkPlan } from './cluster-plan.ts';
import { Joins } from './joins/joins.ts';

/** A condition with the generation of the object that it was decided for (Kubernetes API conventions, Typical status properties). */
function observed<Kind extends Condition>({ generation }: ObjectMeta, condition: Kind): Kind {
  return generation === undefined ? condition : { ...condition, observedGeneration: generation };
}

/** A condition that says as well what a deletion waits for. */
function withDeletion(
  condition: DegradedCondition,
  uplink: Uplink,
  networks: readonly NetworkKey[],
  { egress }: ClusterSettings,
): DegradedCondition {
  const waiting = deletionSentence(uplink, networks, egress);
  return waiting === undefined ? condition : { ...condition, message: `${condition.message}; ${waiting}` };
}

/** The plan of one Uplink; undefined if it does not exist. */
function planUplink(name: string, joins: Joins, view: ClusterView): UplinkPlan | undefined {
  const table = joins.selections.table(name);
  if (table === undefined) return undefined;
  const { uplink } = table;
  const isOurs = uplink.metadata.finalizers?.includes(UPLINK_FINALIZER) === true;
  // A network that cannot be read may be the one that the finalizer is there for.
  const networks = [...joins.readiness.networksOn(name), ...(isOurs ? view.unreadableOnUplinks : [])];
  const degraded = degradedCondition(joins.reports.selectedBy(name), table.unclear);
  const condition = withDeletion(degraded, uplink, networks, view.settings);
  return {
    name,
    finalizers: finalizersOf(uplink.metadata, UPLINK_FINALIZER, networks.length > 0),
    condition: observed(uplink.metadata, condition),
  };
}

/** The plan of one network; undefined if it does not exist, or if a tenant's has no uplinks. */
function planNetwork(key: NetworkKey, joins: Joins, settings: ClusterSettings): NetworkPlan | undefined {
  const network = joins.networks.get(key);
  if (network === undefined || (isNamespaced(key) && network.uplinks.length === 0)) return undefined;
  const { metadata } = network;
  const condition = uplinksReadyCondition({
    uplinks: distinct(network.uplinks).map((name) => joins.referenced(name)),
    unsupported: unsupportedUplinks(network, settings),
    activeNodes: joins.activity.total(key),
    notReady: joins.readiness.notReady(key),
  });
  return {
    ...(isNamespaced(key) && { namespace: metadata.namespace ?? 'default' }),
    name: metadata.name,
    condition: observed(metadata, condition),
  };
}

/** The plans of objects of one kind. */
class Plans<Key extends string, Plan> {
  readonly #plans = new Map<Key, Plan>();
  #earlier: ReadonlyMap<Key, Plan> | undefined;
  #list: readonly Plan[];

  /** @param former plans before all are made anew, with which equal ones are shared */
  constructor(former?: Plans<Key, Plan>) {
    if (former !== undefined) this.#earlier = former.#plans;
    this.#list = former?.list ?? [];
  }

  /** The plans, by key; the same list as long as they are the same. */
  get list(): readonly Plan[] {
    return this.#list;
  }

  /** Replaces the plans of some objects. One that is equal to the one before stays that one. */
  replace(plans: Iterable<readonly [key: Key, plan: Plan | undefined]>): void {
    let isChanged = this.#earlier !== undefined;
    for (const [key, made] of plans) {
      const before = this.#plans.get(key);
      const plan = made && sameIfEqual(before ?? this.#earlier?.get(key), made);
      if (before === plan) continue;
      isChanged = true;
      if (plan === undefined) this.#plans.delete(key);
      else this.#plans.set(key, plan);
    }
    this.#earlier = undefined;
    if (!isChanged) return;
    const sorted = [...this.#plans.keys()].sort(byName).flatMap((key) => this.#plans.get(key) ?? []);
    this.#list = sameIfSameItems(this.#list, sorted);
  }
}

/** Number of decisions that a plan took; the others were those of the plan before. */
export interface Decisions {
  /** Of Uplinks on nodes: what each selects there. */
  readonly selections: number;
  /** Of Uplinks on nodes: what each node reports. */
  readonly reports: number;
  /** Of networks on nodes: whether each is ready there. */
  readonly readiness: number;
  /** Conditions and finalizers of Uplinks. */
  readonly uplinks: number;
  /** Conditions of networks. */
  readonly networks: number;
  /** Networks that ovn-uplinks provides: what they need in the cluster. */
  readonly provided: number;
  /** Services in their networks: their labels, and the mirrors of what is behind them. */
  readonly services: number;
}

const noDecisions: Decisions = {
  selections: 0,
  reports: 0,
  readiness: 0,
  uplinks: 0,
  networks: 0,
  provided: 0,
  services: 0,
};

/** A memory of the last plan. What it makes is a function of the snapshot alone: the memory saves work. */
export class ClusterPlanner {
  readonly #settings: ClusterSettings;
  /** Absent before the first plan, and after one that has failed. */
  #joins: Joins | undefined;
  #unreadable: ClusterSnapshot['unreadable'];
  /** With all subnets of Services. */
  #effective: ClusterSettings | undefined;
  #uplinks = new Plans<string, UplinkPlan>();
  #networks = new Plans<NetworkKey, NetworkPlan>();
  #deletions: readonly string[] = [];
  /** The warnings as they were found, by which it is seen that they are the same. */
  #found: readonly Warning[] = [];
  #warnings: readonly Warning[] = [];
  readonly #join: (view: ClusterView, former: Joins | undefined) => Joins;
  #decisions = noDecisions;

  /** @param join makes the memory of pairs, given the view of the first snapshot and the memory before; laws have some that forget something */
  constructor(settings: ClusterSettings, join = (view: ClusterView, former?: Joins) => new Joins(view, former)) {
    this.#settings = settings;
    this.#join = join;
  }

  /** Number of decisions that the last plan took; laws hold it against the table of docs/design/cluster-plan.md. */
  get decisions(): Decisions {
    return this.#decisions;
  }

  /** Plans a cluster. Costs what differs from the cluster that was planned before. */
  plan(cluster: ClusterSnapshot): ClusterPlan {
    const view = viewCluster(cluster, this.#settings);
    const joins = this.#joinsFor(view);
    // Should anything fail below, all is joined anew by the next plan.
    this.#joins = undefined;
    const before = joins.decisions;
    const { uplinks, networks, provision } = joins.take(view);
    this.#uplinks.replace([...uplinks].map((name) => [name, planUplink(name, joins, view)]));
    this.#networks.replace([...networks].map((key) => [key, planNetwork(key, joins, view.settings)]));
    this.#deletions = sameIfSameItems(this.#deletions, joins.states.superseded);
    this.#warn([...clusterWarnings(view), ...joins.warnings, ...(provision?.warnings ?? [])]);
    this.#joins = joins;
    const { selections, reports, readiness, provided, services } = joins.decisions;
    this.#decisions = {
      selections: selections - before.selections,
      reports: reports - before.reports,
      readiness: readiness - before.readiness,
      uplinks: uplinks.size,
      networks: networks.size,
      provided: provided - before.provided,
      services: services - before.services,
    };
    return {
      uplinks: this.#uplinks.list,
      networks: this.#networks.list,
      deletions: this.#deletions,
      ...(provision && { provision }),
      warnings: this.#warnings,
    };
  }

  #warn(found: readonly Warning[]): void {
    if (isSameList(found, this.#found)) return;
    this.#found = found;
    const former = new Map(this.#warnings.map((warning) => [JSON.stringify(warning), warning]));
    const warnings = sortedWarnings(found).map((warning) => former.get(JSON.stringify(warning)) ?? warning);
    this.#warnings = sameIfSameItems(this.#warnings, warnings);
  }

  /** Objects that cannot be read, and subnets of Services, change what is known of every other object: all is joined anew where they are other ones. */
  #joinsFor(view: ClusterView): Joins {
    const { unreadable } = view.snapshot;
    const isSame = this.#unreadable === unreadable && this.#effective === view.settings;
    if (this.#joins !== undefined && isSame) return this.#joins;
    [this.#unreadable, this.#effective] = [unreadable, view.settings];
    this.#uplinks = new Plans(this.#uplinks);
    this.#networks = new Plans(this.#networks);
    return this.#join(view, this.#joins);
  }
}
