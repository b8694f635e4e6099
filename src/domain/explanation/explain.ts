import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { Node } from '../api/node.ts';
import { diffNode } from '../diff/diff-node.ts';
import { meaningOf } from '../operations/operation-meaning.ts';
import { distinct } from '../ordering.ts';
import { type ClusterView, viewCluster } from '../plan/cluster-view.ts';
import type { NodePlan } from '../plan/node-plan.ts';
import { planNode } from '../plan/plan-node.ts';
import { type ReportedNetwork, reportedNetworks } from '../plan/reported-node.ts';
import { uplinksOf } from '../selection/network.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { disruptionText } from '../status/operation-text.ts';
import { uplinkStateName } from '../status/state-identity.ts';
import { decisiveChanges } from './changes.ts';
import type { ExplainedOperation, Explanation, Fact, NetworkVerdict } from './explanation.ts';
import { discoveryFacts, failureFacts, neighbourFacts } from './node-facts.ts';
import { activityFacts, advertisementFacts, selectionFacts } from './object-facts.ts';
import { plannedVerdict, reportedVerdict, withoutUplinks } from './verdict.ts';

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

function domainFact({ routingDomain, active }: NetworkVerdict): readonly Fact[] {
  return active ? [{ depth: 0, text: `routing domain: ${routingDomain}`, sources: [] }] : [];
}

function plannedFacts(
  plan: NodePlan,
  snapshot: NodeSnapshot,
  view: ClusterView,
  network: ClusterUserDefinedNetwork,
  node: Node,
): readonly Fact[] {
  const rows = plan.networks.filter((row) => row.network === network.metadata.name);
  return [
    ...distinct(uplinksOf(network)).flatMap((uplink) => [
      ...selectionFacts(view, uplink, node),
      ...plan.uplinks
        .filter((onNode) => onNode.uplink === uplink)
        .flatMap((onNode) => discoveryFacts(onNode, snapshot)),
    ]),
    ...domainFact(plannedVerdict(plan, network.metadata.name)),
    ...advertisementFacts(view, network, node),
    ...rows.flatMap((row) => [...neighbourFacts(row, plan), ...failureFacts(row, plan, snapshot)]),
  ];
}

function operationsFor(network: string, plan: NodePlan, snapshot: NodeSnapshot): readonly ExplainedOperation[] {
  return diffNode(plan, snapshot)
    .filter(({ networks }) => networks.includes(network))
    .map((operation) => {
      const meaning = meaningOf(operation);
      const disturbs = disruptionText(operation);
      return {
        mark: meaning.mark,
        summary: meaning.summary(operation),
        disruption: meaning.disruption(operation),
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

function reportedFacts(view: ClusterView, network: ClusterUserDefinedNetwork, node: Node): readonly Fact[] {
  const reported = reportedNetworks(view, node.metadata.name).filter((row) => row.network === network.metadata.name);
  return [
    ...distinct(uplinksOf(network)).flatMap((uplink) => selectionFacts(view, uplink, node)),
    ...reported.map((row) => reportedFact(row, node.metadata.name)),
    ...domainFact(reportedVerdict(reported, network.metadata.name)),
    ...advertisementFacts(view, network, node),
  ];
}

/** Explains one network on one node. */
export function explain(input: ExplanationInput, networkName: string, nodeName: string): ExplanationOutcome {
  const view = viewCluster(input.cluster, input.settings);
  const network = view.networks.find(({ metadata }) => metadata.name === networkName);
  const node = view.nodes.byName.get(nodeName);
  if (network === undefined) return { explained: false, unknown: 'network' };
  if (node === undefined) return { explained: false, unknown: 'node' };
  const { node: snapshot } = input;
  const activity = activityFacts(view, network, node);
  const subject = { network: networkName, node: nodeName };
  if (uplinksOf(network).length === 0 && view.isActive(network, nodeName)) {
    const sources = [`ClusterUserDefinedNetwork/${networkName}`];
    const facts = [...activity, { depth: 0, text: withoutUplinks.message, sources }];
    return { explained: true, explanation: { ...subject, verdict: withoutUplinks, facts, changes: [] } };
  }
  if (snapshot === undefined) {
    const verdict = reportedVerdict(reportedNetworks(view, nodeName), networkName);
    const facts = [...activity, ...reportedFacts(view, network, node)];
    return { explained: true, explanation: { ...subject, verdict, facts, changes: [] } };
  }
  const plan = planNode(input.cluster, snapshot, input.settings);
  const verdict = plannedVerdict(plan, networkName);
  const facts = [...activity, ...plannedFacts(plan, snapshot, view, network, node)];
  const operations = operationsFor(networkName, plan, snapshot);
  const changes = decisiveChanges({ ...input, node: snapshot }, network, node, verdict);
  return { explained: true, explanation: { ...subject, verdict, facts, operations, changes } };
}
