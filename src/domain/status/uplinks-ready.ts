/**
 * Condition UplinksReady of a network: one reason for all its uplinks on all its active nodes.
 */
import type { UnsupportedUplinks } from '../network/unsupported.ts';
import type { Condition } from '../api/condition.ts';
import type { NetworkEntry, UplinkState } from '../api/uplink-state.ts';
import type { UnclearSelector } from '../selection/node-config.ts';
import type { AffectedNodes } from './affected-nodes.ts';
import type { UplinkReport } from './degraded.ts';
import { entryFor } from './network-entry.ts';
import { notReadyMessage } from './node-sample.ts';
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

/** The reason in one entry; undefined if the network is ready or has no entry. */
function entryReason(entry: NetworkEntry | undefined): string | undefined {
  return entry === undefined || entry.ready === 'True' ? undefined : entry.reason;
}

/** The first of two reasons by precedence. */
function firstReason(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return precedence(right, left) < 0 ? right : left;
}

/** Why a network is not ready by a node's state. In the DPU modes two entries report on it, and the first reason by precedence counts; `networks` is required. */
function reportedReason({ status }: UplinkState, network: string): string | undefined {
  const entry = entryFor(status?.networks, network);
  return firstReason(
    entry === undefined ? 'UplinkNotReadyForNode' : entryReason(entry),
    entryReason(entryFor(status?.hostNetworks, network)),
  );
}

/** Why a network is not ready on one active node, by what the node reports of the uplink; undefined if it is ready. */
export function reasonOnNode(network: string, report: UplinkReport | undefined): string | undefined {
  if (report === undefined) return 'UplinkNotFoundForNode';
  if (report.selection.kind === 'overlap') return 'UplinkOverlapOnNode';
  if (report.state === undefined) return 'UplinkNotReadyForNode';
  const ofEntry = reportedReason(report.state, network);
  return report.reason === undefined ? ofEntry : firstReason('UplinkNotReadyForNode', ofEntry);
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

/** Why a network is not ready on one active node: the first reason by precedence of all its uplinks; undefined if it is ready. */
export function reasonByUplinks(
  network: string,
  uplinks: readonly ReferencedUplink[],
  node: string,
): string | undefined {
  let first: string | undefined;
  for (const uplink of uplinks) first = firstReason(first, reasonByUplink(network, uplink, node));
  return first;
}

/** Why nothing can be said of an uplink. */
function uncertainty(uplink: ReferencedUplink): readonly string[] {
  if (uplink.kind === 'unreadable') return [`this version cannot read Uplink ${uplink.name}`];
  return uplink.kind === 'unclear' ? [selectorSentence(uplink.problem)] : [];
}

function failed(reason: string, message: string): UplinksReadyCondition {
  return { type: 'UplinksReady', status: 'False', reason, message };
}

/** The input of the condition. */
export interface UplinksReadyInput {
  readonly uplinks: readonly ReferencedUplink[];
  readonly unsupported: UnsupportedUplinks | undefined;
  /** Number of nodes on which the network is active. */
  readonly activeNodes: number;
  /** Those of them on which it is not ready. */
  readonly notReady: AffectedNodes;
}

/** Computes the condition. */
export function uplinksReadyCondition({
  uplinks,
  unsupported,
  activeNodes,
  notReady,
}: UplinksReadyInput): UplinksReadyCondition {
  if (uplinks.length === 0)
    return { type: 'UplinksReady', status: 'True', reason: 'UplinksReady', message: 'the network has no uplinks' };
  if (unsupported !== undefined) return failed(unsupported.reason, unsupportedSentence(unsupported));
  const missing = uplinks.find((uplink) => uplink.kind === 'missing');
  if (missing !== undefined) return failed('UplinkNotFound', `Uplink ${missing.name} does not exist`);
  const reason = notReady.firstReason(precedence);
  if (reason !== undefined) {
    const [why] = uplinks.flatMap(uncertainty);
    const message = notReadyMessage(notReady, activeNodes, 'active');
    return failed(reason, why === undefined ? message : `${message}: ${why}`);
  }
  return {
    type: 'UplinksReady',
    status: 'True',
    reason: 'UplinksReady',
    message: activeNodes === 0 ? 'not active on any node' : `ready on ${activeNodes} of ${activeNodes} active nodes`,
  };
}
