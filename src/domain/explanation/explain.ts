import type { Network } from '../network/network.ts';
import { type NetworkKey, nameOfNetwork } from '../network/key.ts';
import type { Node } from '../api/node.ts';
import { diffNode } from '../diff/diff-node.ts';
import { semanticsOf } from '../entities/operations/operation-semantics.ts';
import { distinct } from '../basics/names/ordering.ts';
import { type ClusterView, viewCluster } from '../plan/view/cluster-view.ts';
import type { NodePlan } from '../plan/node-plan.ts';
import { planNode } from '../plan/plan-node.ts';
import { networksIn } from '../plan/view/provided-networks.ts';
import { type ReportedNetwork, reportedNetworks } from '../plan/cluster/reported-node.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { disruptionText } from '../status/operation-text.ts';
import { uplinkStateName } from '../status/state-identity.ts';
import { decisiveChanges } from './changes.ts';
import type { ExplainedOperation, Explanation, Fact, NetworkVerdict } from './explanation.ts';
import { type ExplainedReadiness, explainReadiness } from './network-readiness.ts';
import { discoveryFacts, failureFacts, neighbourFacts } from './node-facts.ts';
import { activityFacts, activityOf, advertisementFacts, selectionFacts } from './object-facts.ts';
import { inactive, plannedVerdict, reportedVerdict, withoutUplinks } from './verdict.ts';

/** The input of an explanation, as for a plan. Of a node without a snapshot, its states are used. */
export interface ExplanationInput {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot | undefined;
  readonly settings: NodeSettings;
}

/** An explanation, or whether the network or the node is unknown. */
export type ExplanationOutcome =
  | { readonly explained: true; readonly explanation: Explanation }
  | { readonly explained: false; readonly unknown: 'network' | 'node' };

function deletionFacts(network: Network): readonly Fact[] {
  const isStaying = network.metadata.deletionTimestamp === undefined;
  return isStaying ? [] : [{ depth: 0, text: 'is being deleted', sources: [network.key] }];
}

/** The Uplink that the setting gives a network which names none. */
function settingFacts({ key, uplinks, exitBySetting }: Network): readonly Fact[] {
  if (exitBySetting === undefined || uplinks.length === 0) return [];
  const text = `names no Uplink, and --egress ${exitBySetting} gives it that one`;
  return [{ depth: 0, text, sources: [key] }];
}

function domainFact({ routingDomain, active }: NetworkVerdict): readonly Fact[] {
  return active ? [{ depth: 0, text: `routing domain: ${routingDomain}`, sources: [] }] : [];
}

function plannedFacts(
  plan: NodePlan,
  snapshot: NodeSnapshot,
  view: ClusterView,
  network: Network,
  node: Node,
): readonly Fact[] {
  const rows = plan.networks.filter((row) => row.key === network.key);
  return [
    ...distinct(network.uplinks).flatMap((uplink) => [
      ...selectionFacts(view, uplink, node),
      ...plan.uplinks
        .filter((onNode) => onNode.uplink === uplink)
        .flatMap((onNode) => discoveryFacts(onNode, snapshot)),
    ]),
    ...domainFact(plannedVerdict(plan, network.key)),
    ...advertisementFacts(view, network, node),
    ...rows.flatMap((row) => [...neighbourFacts(row, plan), ...failureFacts(row, plan, snapshot)]),
  ];
}

function operationsFor(key: NetworkKey, plan: NodePlan, snapshot: NodeSnapshot): readonly ExplainedOperation[] {
  return diffNode(plan, snapshot)
    .filter(({ networks }) => networks.includes(key))
    .map((operation) => {
      const semantics = semanticsOf(operation);
      const disturbs = disruptionText(operation);
      return {
        mark: semantics.mark,
        summary: semantics.summary(operation),
        disruption: semantics.disruption(operation),
        ...(disturbs !== undefined && { disturbs }),
      };
    });
}

function reportedFact({ uplink, hostInterfaceName, bridge, reason, message }: ReportedNetwork, node: string): Fact {
  const source = `UplinkState/${uplinkStateName(uplink, node)}`;
  if (hostInterfaceName === undefined) {
    return {
      depth: 1,
      text: 'no capture of the node was given, and it has no current report',
      sources: [source],
    };
  }
  const state = reason === undefined ? 'ready' : `${reason}${message === '' ? '' : `: ${message}`}`;
  return {
    depth: 1,
    text: `the node reports: interface ${hostInterfaceName}, bridge ${bridge ?? 'unknown'}, ${state}`,
    sources: [source],
  };
}

function reportedFacts(view: ClusterView, network: Network, node: Node): readonly Fact[] {
  const reported = reportedNetworks(view, node.metadata.name).filter((row) => row.key === network.key);
  return [
    ...distinct(network.uplinks).flatMap((uplink) => selectionFacts(view, uplink, node)),
    ...reported.map((row) => reportedFact(row, node.metadata.name)),
    ...domainFact(reportedVerdict(reported, network.key)),
    ...advertisementFacts(view, network, node),
  ];
}

/** A network on a node, before anything of its uplinks is explained. */
interface ExplainedNetwork {
  readonly view: ClusterView;
  readonly network: Network;
  readonly node: Node;
  /** Absent if another implementation provides the network, or if it is not active. */
  readonly readiness: ExplainedReadiness | undefined;
  readonly facts: readonly Fact[];
}

/** The explanation of a network without uplinks that is active. */
function explainWithoutUplinks(
  { network, readiness, facts }: ExplainedNetwork,
  operations: readonly ExplainedOperation[] | undefined,
): Omit<Explanation, 'network' | 'node'> {
  const verdict = withoutUplinks(network, readiness !== undefined);
  const fact = { depth: 0, text: verdict.message, sources: [network.key] };
  return {
    verdict,
    facts: [...facts, fact],
    ...(readiness !== undefined && operations !== undefined && { operations }),
    changes: [],
  };
}

/** The explanation of a network on its uplinks on a node that was not observed. */
function explainReported({ view, node, facts }: ExplainedNetwork, object: Network) {
  const verdict = reportedVerdict(reportedNetworks(view, node.metadata.name), object.key);
  return { verdict, facts: [...facts, ...reportedFacts(view, object, node)], changes: [] };
}

/**
 * Explains one network on one node.
 *
 * @param networkName of a ClusterUserDefinedNetwork, or `namespace/name` of a UserDefinedNetwork
 */
export function explain(input: ExplanationInput, networkName: string, nodeName: string): ExplanationOutcome {
  const view = viewCluster(input.cluster, input.settings);
  const network = networksIn(input.cluster, input.settings).find((each) => nameOfNetwork(each.key) === networkName);
  const node = view.nodes.byName.get(nodeName);
  if (network === undefined) return { explained: false, unknown: 'network' };
  if (node === undefined) return { explained: false, unknown: 'node' };
  const { node: snapshot } = input;
  const observed = snapshot && { plan: planNode(input.cluster, snapshot, input.settings), snapshot };
  const activity = activityOf(view, network, nodeName);
  const logicalNetwork = observed?.plan.zones?.find(({ object }) => object === network.key);
  const readiness = activity.isActive ? explainReadiness(network, node, view, logicalNetwork) : undefined;
  const facts = [
    ...deletionFacts(network),
    ...activityFacts(view, activity, node),
    ...settingFacts(network),
    ...(readiness?.facts ?? []),
  ];
  const subject: ExplainedNetwork = { view, network, node, readiness, facts };
  const explained = (explanation: Omit<Explanation, 'network' | 'node'>): ExplanationOutcome => ({
    explained: true,
    explanation: {
      network: networkName,
      node: nodeName,
      ...(readiness && { readiness: readiness.verdict }),
      ...explanation,
    },
  });
  const operations = observed && operationsFor(network.key, observed.plan, observed.snapshot);
  if (activity.isActive && network.uplinks.length === 0) return explained(explainWithoutUplinks(subject, operations));
  const object = view.networks.find(({ key }) => key === network.key);
  // A UserDefinedNetwork without uplinks.
  if (object === undefined)
    return explained({ verdict: inactive, facts, ...(operations && { operations }), changes: [] });
  if (observed === undefined) return explained(explainReported(subject, object));
  const verdict = plannedVerdict(observed.plan, network.key);
  return explained({
    verdict,
    facts: [...facts, ...plannedFacts(observed.plan, observed.snapshot, view, object, node)],
    ...(operations && { operations }),
    changes: decisiveChanges({ ...input, node: observed.snapshot }, object, node, verdict),
  });
}
