import type { Condition } from '../api/condition.ts';
import type { UplinkState } from '../api/uplink-state.ts';
import type { NodeSelection, UnclearSelector } from '../selection/node-config.ts';
import { isTrusted } from '../selection/trusted-state.ts';
import type { AffectedNodes } from './affected-nodes.ts';
import { notReadyMessage } from './node-sample.ts';
import { byPrecedence, type DegradedReason, degradedReasons } from './reasons.ts';
import { selectorSentence } from './sentences/selector-sentence.ts';

/** Condition Degraded of an Uplink. A reason written by a newer version is passed on unchanged. */
export type DegradedCondition = Condition<'Degraded', DegradedReason | (string & {})>;

const precedence = byPrecedence(degradedReasons);

/** The report of one node that an Uplink selects. */
export interface UplinkReport {
  readonly node: string;
  readonly selection: NodeSelection;
  /** The node's state, if it is about what is selected now. */
  readonly state?: UplinkState;
  /** Why the uplink is not ready on the node; absent if it is ready. */
  readonly reason?: string;
}

/** The report of one selected node by its state. */
export function uplinkReport(node: string, selection: NodeSelection, state: UplinkState | undefined): UplinkReport {
  switch (selection.kind) {
    case 'overlap':
      return { node, selection, reason: 'NodeSelectorOverlap' };
    case 'none':
    case 'unclear':
      return { node, selection, reason: 'UplinkStateMissing' };
    case 'selected': {
      const trusted = state !== undefined && isTrusted(state, selection.config) ? state : undefined;
      const ready = trusted?.status?.conditions?.find(({ type }) => type === 'Ready');
      if (trusted === undefined || ready === undefined) return { node, selection, reason: 'UplinkStateMissing' };
      const report = { node, selection, state: trusted };
      return ready.status === 'True' ? report : { ...report, reason: ready.reason };
    }
  }
}

/** The nodes that an Uplink selects. */
export interface SelectedNodes {
  readonly total: number;
  /** Those on which the uplink is not ready. */
  readonly notReady: AffectedNodes;
}

/** Condition Degraded by all selected nodes. */
export function degradedCondition(
  { total, notReady }: SelectedNodes,
  unclear: UnclearSelector | undefined,
): DegradedCondition {
  if (unclear !== undefined) {
    const message = `nodeSelector of ${unclear.hostInterfaceName}: ${selectorSentence(unclear)}`;
    return { type: 'Degraded', status: 'True', reason: 'NodeSelectorInvalid', message };
  }
  const reason = notReady.firstReason(precedence);
  if (reason !== undefined) {
    return { type: 'Degraded', status: 'True', reason, message: notReadyMessage(notReady, total, 'selected') };
  }
  if (total === 0) {
    return { type: 'Degraded', status: 'False', reason: 'NoNodesSelected', message: 'no nodes selected' };
  }
  return {
    type: 'Degraded',
    status: 'False',
    reason: 'AllNodesReady',
    message: `${total} of ${total} selected nodes ready`,
  };
}
