/**
 * Condition UplinksReady of a ClusterUserDefinedNetwork: one reason for all its uplinks on all its active nodes.
 */
import type { UnsupportedUplinks } from '../network/unsupported.ts';
import type { Condition } from '../api/condition.ts';
import type { NetworkEntry, UplinkState } from '../api/uplink-state.ts';
import { least } from '../basics/names/ordering.ts';
import type { UnclearSelector } from '../selection/node-config.ts';
import type { UplinkReport } from './degraded.ts';
import { entryFor } from './network-entry.ts';
import { type AffectedNode, notReadyMessage } from './node-sample.ts';
import { byPrecedence, type UplinksReadyReason, uplinksReadyReasons } from './reasons.ts';
import { selectorSentence } from './sentences/selector-sentence.ts';
import { unsupportedSentence } from './sentences/unsupported-sentence.ts';

/** Condition UplinksReady. A reason written by a newer version is passed on unchanged. */
export type UplinksReadyCondition = Condition<'UplinksReady', UplinksReadyReason | (string & {})>;

/** One uplink that a network refers to. */
export type ReferencedUplink =
  | { readonly kind: 'missing'; readonly name: string }
  /** It exists, and this version cannot read it. */
  | { readonly kind: 'unreadable'; readonly name: string }
  | { readonly kind: 'unclear'; readonly problem: UnclearSelector }
  | { readonly kind: 'table'; readonly reportFor: (node: string) => UplinkReport | undefined };

const precedence = byPrecedence(uplinksReadyReasons);

/** The reason in one entry; none if the network is ready or has no entry. */
function entryReason(entry: NetworkEntry | undefined): readonly string[] {
  return entry === undefined || entry.ready === 'True' ? [] : [entry.reason];
}

/** Why a network is not ready by a node's state. In the DPU modes two entries report on it, and the first reason by precedence counts; `networks` is required. */
function reportedReason({ status }: UplinkState, network: string): string | undefined {
  const entry = entryFor(status?.networks, network);
  const reasons = [
    ...(entry === undefined ? ['UplinkNotReadyForNode'] : entryReason(entry)),
    ...entryReason(entryFor(status?.hostNetworks, network)),
  ];
  return least(reasons, precedence);
}

/** Why a network is not ready on one active node, by what the node reports of the uplink; undefined if it is ready. */
export function reasonOnNode(network: string, report: UplinkReport | undefined): string | undefined {
  if (report === undefined) return 'UplinkNotFoundForNode';
  if (report.selection.kind === 'overlap') return 'UplinkOverlapOnNode';
  if (report.state === undefined) return 'UplinkNotReadyForNode';
  const ofEntry = reportedReason(report.state, network);
  if (report.reason === undefined) return ofEntry;
  return least(['UplinkNotReadyForNode', ...(ofEntry === undefined ? [] : [ofEntry])], precedence);
}

/** Why a network is not ready on one active node by one of its uplinks; undefined if it is ready. */
export function reasonByUplink(network: string, uplink: ReferencedUplink, node: string): string | undefined {
  switch (uplink.kind) {
    case 'missing':
      return 'UplinkNotFound';
    case 'unreadable':
    case 'unclear':
      return 'UplinkNotReadyForNode';
    case 'table':
      return reasonOnNode(network, uplink.reportFor(node));
  }
}

function affectedNodes(
  network: string,
  uplink: ReferencedUplink,
  activeNodes: readonly string[],
): readonly AffectedNode[] {
  const affected: AffectedNode[] = [];
  for (const node of activeNodes) {
    const reason = reasonByUplink(network, uplink, node);
    if (reason !== undefined) affected.push({ node, reason });
  }
  return affected;
}

/** Why nothing can be said of an uplink. */
function uncertainty(uplink: ReferencedUplink): readonly string[] {
  if (uplink.kind === 'unreadable') return [`this version cannot read Uplink ${uplink.name}`];
  return uplink.kind === 'unclear' ? [selectorSentence(uplink.problem)] : [];
}

function notReady(reason: string, message: string): UplinksReadyCondition {
  return { type: 'UplinksReady', status: 'False', reason, message };
}

/** The input of the condition. */
export interface UplinksReadyInput {
  readonly network: string;
  readonly uplinks: readonly ReferencedUplink[];
  readonly unsupported: UnsupportedUplinks | undefined;
  /** Names of the nodes on which the network is active. */
  readonly activeNodes: readonly string[];
}

/** Computes the condition. */
export function uplinksReadyCondition({
  network,
  uplinks,
  unsupported,
  activeNodes,
}: UplinksReadyInput): UplinksReadyCondition {
  if (uplinks.length === 0)
    return { type: 'UplinksReady', status: 'True', reason: 'UplinksReady', message: 'the network has no uplinks' };
  if (unsupported !== undefined) return notReady(unsupported.reason, unsupportedSentence(unsupported));
  const missing = uplinks.find((uplink) => uplink.kind === 'missing');
  if (missing !== undefined) return notReady('UplinkNotFound', `Uplink ${missing.name} does not exist`);

  const affected = new Map<string, AffectedNode>();
  for (const { node, reason } of uplinks.flatMap((uplink) => affectedNodes(network, uplink, activeNodes))) {
    const before = affected.get(node);
    if (before === undefined || precedence(reason, before.reason) < 0) affected.set(node, { node, reason });
  }
  const reason = least(
    [...affected.values()].map((node) => node.reason),
    precedence,
  );
  if (reason !== undefined) {
    const [why] = uplinks.flatMap(uncertainty);
    const message = notReadyMessage([...affected.values()], activeNodes.length, 'active');
    return notReady(reason, why === undefined ? message : `${message}: ${why}`);
  }
  return {
    type: 'UplinksReady',
    status: 'True',
    reason: 'UplinksReady',
    message:
      activeNodes.length === 0
        ? 'not active on any node'
        : `ready on ${activeNodes.length} of ${activeNodes.length} active nodes`,
  };
}
