/**
 * Whether a network that ovn-uplinks provides is ready on a node, apart from its uplink, and why not: by the plan of the node, and by what its agent
 * reports.
 */
import type { LogicalNetworkFailure } from '../dataplane/logical-network/logical-network-failure.ts';
import type { Network } from '../network/network.ts';
import { unsupportedPart } from '../network/unsupported.ts';
import { type NotReady, nodeReportName, readinessIn, storedReport } from '../network/allocation/node-report.ts';
import type { Node } from '../api/node.ts';
import { ID_CLAIMS_NAME } from '../basics/conventions.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import type { LogicalNetworkOnNode } from '../plan/parts/part.ts';
import { unsupportedMessage } from '../status/network-created.ts';
import { egressSentence } from '../status/sentences/egress-sentence.ts';
import { egressReason, logicalNetworkReason } from '../plan/parts/parts.ts';
import { logicalNetworkSentence } from '../status/sentences/logical-network-sentence.ts';
import type { Fact, ReadinessVerdict } from './explanation.ts';
import { egressSources, logicalNetworkSources } from './failure-sources.ts';

/** The report of a node on a network that is ready. */
export const READY = { reason: 'NetworkReady', message: '' } as const;

/** The ConfigMap with the claims of ids. */
const claimsOf = ({ settings }: ClusterView) => `ConfigMap/${settings.namespace}/${ID_CLAIMS_NAME}`;

/** The report of a node's agent on a network; undefined if it does not report. */
export function reportedReadiness(
  networkId: number,
  node: Node,
  { snapshot, settings }: ClusterView,
): NotReady | undefined {
  const data = storedReport(node, snapshot.configMaps, settings.namespace);
  if (data === undefined) return undefined;
  const { ready, notReady } = readinessIn(data);
  return ready.has(networkId) ? READY : (notReady.get(networkId) ?? { reason: 'NetworkPending' });
}

function notReadyText({ reason, message = '' }: NotReady): string {
  return message === '' ? reason : `${reason}: ${message}`;
}

/** How pods leave by the node, or why they do not; nothing of networks that do not leave by it. */
function egressFacts(network: Network, node: string, planned: LogicalNetworkOnNode | undefined): readonly Fact[] {
  if (network.exit !== 'node') return [];
  if (planned === undefined)
    return [{ depth: 1, text: 'pods are to leave by the node, of which no capture was given', sources: [network.key] }];
  const { egressFailure } = planned;
  if (egressFailure === undefined)
    return [{ depth: 1, text: 'pods leave by the node, with its address', sources: [network.key] }];
  const text = `${egressReason(egressFailure)}: ${egressSentence(egressFailure)}`;
  return [{ depth: 1, text, sources: egressSources(egressFailure, node) }];
}

function failureFacts(failure: LogicalNetworkFailure): readonly Fact[] {
  return [
    {
      depth: 1,
      text: `${logicalNetworkReason(failure)}: ${logicalNetworkSentence(failure)}`,
      sources: logicalNetworkSources(failure),
    },
    { depth: 2, text: 'held: what is programmed stays as it is', sources: [] },
  ];
}

/** The report of a node's agent, or that there is none. */
export function reportFact(reported: NotReady | undefined, node: string, { settings }: ClusterView): Fact {
  const text =
    reported === undefined
      ? `NodeNotReporting: the agent of ${node} has not reported which ids it uses`
      : `the node reports: ${reported.reason === READY.reason ? 'ready' : notReadyText(reported)}`;
  const report = `ConfigMap/${settings.namespace}/${nodeReportName(node)}`;
  return { depth: 1, text, sources: reported === undefined ? [`Node/${node}`] : [report] };
}

/** The readiness of a network on a node, and the facts that decided. */
export interface ExplainedReadiness {
  readonly verdict: ReadinessVerdict;
  readonly facts: readonly Fact[];
}

/** Reasons of a report that follow from the plan of the node: others say what has failed while it was applied. */
const PLANNED_REASONS: ReadonlySet<string> = new Set([
  ...[READY.reason, 'NetworkPending'],
  ...['ClusterSubnetsUnknown', 'ForwardingDisabled', 'NoDefaultRoute'],
]);

const isPlanned = ({ reason }: NotReady) => PLANNED_REASONS.has(reason);

/** The verdict on a network by its plan, apart from failures that only the node knows: what has failed while it was programmed. */
function plannedReadiness({ egressFailure }: LogicalNetworkOnNode): ReadinessVerdict {
  if (egressFailure === undefined) return READY;
  return { reason: egressReason(egressFailure), message: egressSentence(egressFailure) };
}

/** The readiness of a network with an id. */
function onNode(
  network: Network,
  networkId: number,
  { node, view, planned }: { readonly node: Node; readonly view: ClusterView; readonly planned?: LogicalNetworkOnNode },
): ExplainedReadiness {
  const { name } = node.metadata;
  const reported = reportedReadiness(networkId, node, view);
  const { failure, podSubnets = [] } = planned ?? {};
  const subnets: Fact = { depth: 1, text: `pods on ${name} have ${podSubnets.join(', ')}`, sources: [`Node/${name}`] };
  const facts = [
    { depth: 0, text: `provided by ovn-uplinks, with network id ${String(networkId)}`, sources: [claimsOf(view)] },
    ...(podSubnets.length === 0 ? [] : [subnets]),
    ...(failure === undefined ? egressFacts(network, name, planned) : failureFacts(failure)),
    ...(failure?.cause === 'not-reported' ? [] : [reportFact(reported, name, view)]),
  ];
  if (failure !== undefined)
    return { verdict: { reason: logicalNetworkReason(failure), message: logicalNetworkSentence(failure) }, facts };
  // As planned, a network is ready once everything is done that has not failed.
  if (planned !== undefined && (reported === undefined || isPlanned(reported)))
    return { verdict: plannedReadiness(planned), facts };
  const { reason, message = '' } = reported ?? { reason: 'NodeNotReporting' };
  return { verdict: { reason, message }, facts };
}

/**
 * Explains the readiness of a network that is active on a node; undefined if another implementation provides it.
 *
 * @param planned the network in the plan of the node; absent if the node was not observed
 */
export function explainReadiness(
  network: Network,
  node: Node,
  view: ClusterView,
  planned?: LogicalNetworkOnNode,
): ExplainedReadiness | undefined {
  if (network.providedBy !== 'us') return undefined;
  const unsupported = unsupportedPart(network);
  if (unsupported !== undefined) {
    const verdict = { reason: 'NetworkUnsupported', message: unsupportedMessage(unsupported) };
    return { verdict, facts: [{ depth: 0, text: notReadyText(verdict), sources: [network.key] }] };
  }
  const networkId = view.networkId(network);
  if (networkId === undefined) {
    const verdict = { reason: 'NetworkNotAllocated', message: logicalNetworkSentence({ cause: 'no-network-id' }) };
    return { verdict, facts: [{ depth: 0, text: notReadyText(verdict), sources: [claimsOf(view)] }] };
  }
  return onNode(network, networkId, { node, view, ...(planned && { planned }) });
}
