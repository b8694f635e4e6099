/**
 * Decides everything that is about the cluster as a whole: the conditions of Uplinks and networks, finalizers, and which states are obsolete.
 */
import type { Network } from '../../network/network.ts';
import { unsupportedUplinks } from '../../network/unsupported.ts';
import type { Condition } from '../../api/condition.ts';
import type { ObjectMeta } from '../../api/object-meta.ts';
import type { Uplink } from '../../api/uplink.ts';
import { UPLINK_FINALIZER } from '../../basics/conventions.ts';
import { lastByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { byName, distinct } from '../../basics/names/ordering.ts';
import type { UplinkTable } from '../../selection/node-config.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { type DegradedCondition, degradedCondition, type UplinkReport, uplinkReport } from '../../status/degraded.ts';
import { deletionSentence, finalizersOf } from '../../status/finalizers.ts';
import {
  type ReferencedUplink,
  type UplinksReadyCondition,
  uplinksReadyCondition,
} from '../../status/uplinks-ready.ts';
import { type ClusterView, viewCluster } from '../view/cluster-view.ts';
import { clusterWarnings } from '../warnings/cluster-warnings.ts';
import { planProvision, type ProvisionPlan } from './plan-provision.ts';
import { supersededStates } from './superseded-states.ts';
import { sortedWarnings, type Warning } from '../view/warning.ts';

/** The plan of one Uplink. */
export interface UplinkPlan {
  readonly name: string;
  /** All finalizers that it should have, including those of others. */
  readonly finalizers: readonly string[];
  readonly condition: DegradedCondition;
}

/** The plan of one network. */
export interface NetworkPlan {
  readonly name: string;
  readonly condition: UplinksReadyCondition;
}

/** Everything that was decided for the cluster. */
export interface ClusterPlan {
  /** By name. */
  readonly uplinks: readonly UplinkPlan[];
  /** By name. */
  readonly networks: readonly NetworkPlan[];
  /** Names of the UplinkStates to delete, in order. */
  readonly deletions: readonly string[];
  /** Writes for the networks that ovn-uplinks provides; absent if it provides none. */
  readonly provision?: ProvisionPlan;
  readonly warnings: readonly Warning[];
}

/** The report of one node on an Uplink; undefined if the Uplink does not select it. A function of one Uplink and one node. */
export function reportOn(uplink: string, node: string, view: ClusterView): UplinkReport | undefined {
  const selection = view.selections(uplink).get(node);
  return selection && uplinkReport(node, selection, view.state(uplink, node));
}

type Reports = ReadonlyMap<string, UplinkReport>;

/** The last reports on each Uplink. As long as none has changed what is decided by them need not be decided again. */
const lastReports = lastByObject<Reports>();

/** The reports of the nodes that an Uplink selects, by node name. A function of one Uplink. */
function reportsOn(uplink: string, view: ClusterView): Reports {
  const selections = view.selections(uplink);
  const states = [...selections.keys()].map((node) => view.state(uplink, node));
  const reports = () =>
    [...selections].map(([node, selection], index) => [node, uplinkReport(node, selection, states[index])] as const);
  return lastReports(selections, states, () => new Map(reports()));
}

const degradedByReports = lazyByObjects((table: UplinkTable, reports: Reports) =>
  degradedCondition([...reports.values()], table.unclear),
);

/** A condition with the generation of the object that it was decided for (Kubernetes API conventions, Typical status properties). */
function observed<Kind extends Condition>({ generation }: ObjectMeta, condition: Kind): Kind {
  return generation === undefined ? condition : { ...condition, observedGeneration: generation };
}

/** A condition that says as well what a deletion waits for. */
function withDeletion(condition: DegradedCondition, uplink: Uplink, networks: readonly string[]): DegradedCondition {
  const waiting = deletionSentence(uplink, networks);
  return waiting === undefined ? condition : { ...condition, message: `${condition.message}; ${waiting}` };
}

/** The plan of one Uplink. */
function planUplink(name: string, view: ClusterView, reports: Reports): UplinkPlan | undefined {
  const table = view.table(name);
  if (table === undefined) return undefined;
  const { uplink } = table;
  const isOurs = uplink.metadata.finalizers?.includes(UPLINK_FINALIZER) === true;
  // A network that cannot be read may be the one that the finalizer is there for.
  const networks = [
    ...view.networksOn(name).map(({ metadata }) => metadata.name),
    ...(isOurs ? view.unreadable('clusterUserDefinedNetworks') : []),
  ];
  const condition = withDeletion(degradedByReports(table, reports), uplink, networks);
  return {
    name,
    finalizers: finalizersOf(uplink.metadata, UPLINK_FINALIZER, networks.length > 0),
    condition: observed(uplink.metadata, condition),
  };
}

/** One uplink of a network, as input for its condition. */
export function referencedUplink(
  name: string,
  view: ClusterView,
  reportFor: (node: string) => UplinkReport | undefined,
): ReferencedUplink {
  const table = view.table(name);
  if (view.unreadable('uplinks').has(name)) return { kind: 'unreadable', name };
  if (table === undefined) return { kind: 'missing', name };
  return table.unclear === undefined ? { kind: 'table', reportFor } : { kind: 'unclear', problem: table.unclear };
}

const noReports: Reports = new Map();

/** The last condition of each network. */
const lastConditions = lastByObject<UplinksReadyCondition>();

/** The plan of one network. */
function planNetwork(network: Network, view: ClusterView, reportsOf: (uplink: string) => Reports): NetworkPlan {
  const { metadata } = network;
  const { settings } = view;
  const uplinks = distinct(network.uplinks);
  // A network without uplinks is ready everywhere, so its active nodes are not computed.
  const activeNodes = uplinks.length === 0 ? [] : view.activeNodes(network);
  const isUnreadable = (name: string) => view.unreadable('uplinks').has(name);
  const stand = uplinks.flatMap((name) => [view.table(name), isUnreadable(name), reportsOf(name)]);
  const parts = [settings, ...stand, ...activeNodes];
  const condition = lastConditions(network, parts, () =>
    uplinksReadyCondition({
      network: metadata.name,
      uplinks: uplinks.map((name) => referencedUplink(name, view, (node) => reportsOf(name).get(node))),
      unsupported: unsupportedUplinks(network, settings),
      activeNodes,
    }),
  );
  return { name: metadata.name, condition: observed(metadata, condition) };
}

/**
 * Plans the cluster.
 *
 * @param cluster all objects of the cluster, including the UplinkStates of the nodes
 * @returns the plan. Never throws: an object that is not understood degrades only itself.
 */
export function planCluster(cluster: ClusterSnapshot, settings: ClusterSettings): ClusterPlan {
  const view = viewCluster(cluster, settings);
  const reports = new Map(view.uplinkNames.map((name) => [name, reportsOn(name, view)]));
  const reportsOf = (uplink: string) => reports.get(uplink) ?? noReports;
  const provision = planProvision(view, settings);
  return {
    uplinks: view.uplinkNames.flatMap((name) => planUplink(name, view, reportsOf(name)) ?? []),
    networks: view.networks.map((network) => planNetwork(network, view, reportsOf)),
    deletions: supersededStates(view).sort(byName),
    ...(provision && { provision }),
    warnings: sortedWarnings([...clusterWarnings(view), ...(provision?.warnings ?? [])]),
  };
}
