/** Decisions about all networks that ovn-uplinks provides together, and the networks whose plans follow from them. */
import type { Node } from '../../api/node.ts';
import { listChanges } from '../../basics/incremental/list-changes.ts';
import { by } from '../../basics/names/ordering.ts';
import type { NetworkKey } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { nodeIdOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import type { SubnetIndex } from '../../network/provision/used-subnets.ts';
import { clusterSubnets, uplinkSubnets } from '../view/cluster-subnets.ts';
import { viewCluster } from '../view/cluster-view.ts';
import { type ClusterIds, clusterIds } from '../view/network-ids.ts';
import { disputeWarnings, nodeIdDisputes } from '../view/node-id-disputes.ts';
import { endpointWarnings, unreachedByOthers } from '../view/tunnel-endpoints.ts';
import type { Warning } from '../view/warning.ts';
import { idsWithChangedReports } from './joins/changed-reports.ts';
import type { SteadyLists } from './joins/steady-lists.ts';
import type { Provision } from './provided-network-plan.ts';
import type { NodeId } from './provision-plan.ts';
import { type NodeReports, readReports } from './reported-readiness.ts';

/** The ids to write to Nodes. */
function missingNodeIds(nodes: readonly Node[], decisions: ClusterIds['nodes']): readonly NodeId[] {
  return nodes
    .flatMap((node): readonly NodeId[] => {
      const { name, uid } = node.metadata;
      const decision = decisions.get(name);
      if (decision?.kind !== 'claimed' || nodeIdOf(node) !== undefined) return [];
      return [{ node: name, ...(uid !== undefined && { uid }), id: decision.id }];
    })
    .sort(by(({ node }) => node));
}

/** Everything that is decided for all networks together. */
export interface SharedProvision {
  readonly lists: SteadyLists;
  readonly definitions: ClusterSnapshot['networkAttachmentDefinitions'];
  readonly ids: ClusterIds;
  readonly reports: NodeReports;
  /** Subnets of the cluster other than those of networks and uplinks. */
  readonly used: SubnetIndex;
  readonly usedByUplinks: Provision['usedByUplinks'];
  readonly nodeIds: readonly NodeId[];
  readonly warnings: readonly Warning[];
}

/** Decides the ids, and what nodes have published; nothing of it again where its lists are the same. */
export function decideShared(
  before: SharedProvision | undefined,
  lists: SteadyLists,
  snapshot: ClusterSnapshot,
  settings: ClusterSettings,
): SharedProvision {
  const { nodes, configMaps, clusterUserDefinedNetworks, userDefinedNetworks } = lists;
  const { networkAttachmentDefinitions: definitions } = snapshot;
  const areNodesSame = before?.lists.nodes === nodes && before.lists.configMaps === configMaps;
  const areIdsSame =
    areNodesSame &&
    before.lists.clusterUserDefinedNetworks === clusterUserDefinedNetworks &&
    before.lists.userDefinedNetworks === userDefinedNetworks &&
    before.definitions === definitions;
  const usedByUplinks = before?.lists.uplinkStates === lists.uplinkStates ? before.usedByUplinks : uplinkSubnets(lists);
  if (areIdsSame) return { ...before, lists, usedByUplinks };
  const view = viewCluster({ ...snapshot, ...lists }, settings);
  const ids = clusterIds(view);
  return {
    lists,
    definitions,
    ids,
    used: before?.lists.nodes === nodes ? before.used : clusterSubnets(nodes, settings),
    usedByUplinks,
    nodeIds: missingNodeIds(nodes, ids.nodes),
    reports: areNodesSame ? before.reports : readReports(lists, settings.namespace, unreachedByOthers(view)),
    warnings: [...nodeIdDisputes(nodes, ids.nodes).flatMap(disputeWarnings), ...endpointWarnings(view)],
  };
}

const isEqual = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** Names of the uplinks whose states have other addresses. */
function uplinksWithOtherAddresses(before: SteadyLists, after: SteadyLists): ReadonlySet<string | undefined> {
  const { removed, added } = listChanges(before.uplinkStates, after.uplinkStates);
  return new Set([...removed, ...added].map(({ status }) => status?.uplinkName));
}

/** The networks whose ids are other ones. */
export function networksWithOtherIds(
  before: SharedProvision | undefined,
  { ids }: SharedProvision,
  networks: ReadonlyMap<NetworkKey, Network>,
): readonly NetworkKey[] {
  if (before?.ids === ids) return [];
  return [...networks.values()]
    .filter(({ networkName }) => !isEqual(before?.ids.networks.get(networkName), ids.networks.get(networkName)))
    .map(({ key }) => key);
}

/** Whether the plan of a network follows from what is decided for all of them, and that has changed. */
export function changedForAll(
  before: SharedProvision | undefined,
  after: SharedProvision,
  settings: ClusterSettings,
): (network: Network) => boolean {
  if (before === undefined || before.lists.nodes !== after.lists.nodes) return () => true;
  const reports = idsWithChangedReports(before.lists.configMaps, after.lists.configMaps, settings.namespace);
  if (reports === undefined) return () => true;
  if (before.ids !== after.ids && !isEqual([...before.ids.nodes], [...after.ids.nodes])) return () => true;
  const [unreachedBefore, unreached] = [before.reports.unreached, after.reports.unreached];
  if (unreachedBefore !== unreached && !isEqual([...unreachedBefore], [...unreached])) return () => true;
  const addresses = uplinksWithOtherAddresses(before.lists, after.lists);
  return ({ networkName, uplinks }) => {
    const [former, later] = [before, after].map(({ ids }) => ids.networks.get(networkName));
    const isReported = later !== undefined && 'id' in later && reports.has(later.id);
    return (
      isReported || (former !== later && !isEqual(former, later)) || uplinks.some((uplink) => addresses.has(uplink))
    );
  };
}
