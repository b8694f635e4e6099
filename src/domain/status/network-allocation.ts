/**
 * Condition NetworkAllocationSucceeded of a network that ovn-uplinks provides: whether it has an id, and all nodes have subnets of it (OKEP-5193, CRD
 * Status).
 */
import type { IdDecision } from '../network/allocation/claim-ids.ts';
import { idRanges } from '../network/allocation/id-range.ts';
import type { Condition } from '../api/condition.ts';
import { nameSample } from './node-sample.ts';
import type { NetworkAllocationReason } from './provision-reasons.ts';

/** Condition NetworkAllocationSucceeded. */
export type NetworkAllocationCondition = Condition<'NetworkAllocationSucceeded', NetworkAllocationReason>;

/** A node whose annotation has an id that is not its own. */
export interface NodeIdDispute {
  readonly node: string;
  /** The id in its annotation. */
  readonly annotated: number;
  /** The id that is claimed for it; absent if it has none. */
  readonly claimed?: number;
  /** Present if it has none because no node can have the one in its annotation. */
  readonly isInvalid?: true;
  /** The node that the id in the annotation is claimed for, which may have been deleted; absent if it is claimed for none. */
  readonly holder?: string;
}

/** The input of the condition. */
export interface NetworkAllocationInput {
  /** Absent for a network that gets no id, as this version does not provide it. */
  readonly id: IdDecision | undefined;
  /** Number of nodes of the cluster. */
  readonly nodes: number;
  /** Names of the nodes without an id, in order. */
  readonly nodesWithoutId: readonly string[];
  /** Nodes whose annotation has an id that is not theirs, in order. */
  readonly disputes: readonly NodeIdDispute[];
  /** Names of the nodes for which the subnets of its pods have no part left, in order. */
  readonly nodesWithoutSubnets: readonly string[];
  /** Names of the nodes for which the subnet between its routers has no address, in order. */
  readonly nodesWithoutJoinAddress: readonly string[];
}

/** The ids that nodes can have. */
export const nodeIdsText = `${idRanges.node.first} to ${idRanges.node.last}`;

function failed(reason: NetworkAllocationReason, message: string): NetworkAllocationCondition {
  return { type: 'NetworkAllocationSucceeded', status: 'False', reason, message };
}

function idFailure(decision: IdDecision | undefined): NetworkAllocationCondition | undefined {
  switch (decision?.kind) {
    case undefined:
      return failed('NetworkIdMissing', 'no network id is allocated, since this version does not provide the network');
    case 'claimed':
      return undefined;
    case 'unclaimed':
      return failed('NetworkIdMissing', `network id ${decision.id} is being claimed`);
    case 'clash':
      return failed('NetworkIdClash', `network id ${decision.id} belongs to ${decision.holder}; this network waits`);
    case 'invalid':
      return failed('NetworkIdInvalid', `network id ${decision.id} cannot be used`);
    case 'exhausted':
      return failed('NetworkIdsExhausted', 'no network id is free');
  }
}

function nodesMessage(names: readonly string[], total: number, lack: string): string {
  return `${names.length} of ${total} nodes ${lack}: ${nameSample(names)}`;
}

function disputeText({ node, annotated, claimed, holder }: NodeIdDispute): string {
  const belongs = holder === undefined ? `is not claimed for ${node}` : `of ${node} belongs to ${holder}`;
  return `node id ${annotated} ${belongs}; ${node} ${claimed === undefined ? 'waits' : `has id ${claimed}`}`;
}

/** Computes the condition. */
export function networkAllocationCondition(input: NetworkAllocationInput): NetworkAllocationCondition {
  const { id, nodes, nodesWithoutId, disputes, nodesWithoutSubnets, nodesWithoutJoinAddress } = input;
  const failure = idFailure(id);
  if (failure !== undefined) return failure;
  const invalid = disputes.filter(({ isInvalid }) => isInvalid);
  const clashes = disputes.filter(({ isInvalid }) => isInvalid !== true);
  const [clash] = clashes;
  if (clash !== undefined) {
    const names = clashes.map(({ node }) => node);
    return failed(
      'NodeIdClash',
      `${nodesMessage(names, nodes, 'have an id in their annotation that is not theirs')}; ${disputeText(clash)}`,
    );
  }
  const [first] = invalid;
  if (first !== undefined) {
    const names = invalid.map(({ node }) => node);
    return failed(
      'NodeIdInvalid',
      `${nodesMessage(names, nodes, 'have an id in their annotation that no node can have')}; node id ${first.annotated} of ${first.node} is not one of ${nodeIdsText}`,
    );
  }
  if (nodesWithoutSubnets.length > 0) {
    return failed(
      'SubnetsExhausted',
      `${nodesMessage(nodesWithoutSubnets, nodes, 'have no pods in the network')}; the network has no subnet left for them`,
    );
  }
  if (nodesWithoutJoinAddress.length > 0) {
    return failed(
      'JoinSubnetTooSmall',
      `${nodesMessage(nodesWithoutJoinAddress, nodes, 'are not in the network')}; joinSubnets has no address left for them`,
    );
  }
  if (nodesWithoutId.length > 0) {
    return failed('NodeIdMissing', nodesMessage(nodesWithoutId, nodes, 'have no id yet'));
  }
  const sharedWith = id?.kind === 'claimed' ? id.sharedWith : [];
  const shared = sharedWith.length === 0 ? '' : `; ${nameSample(sharedWith)} has the same network id and waits`;
  return {
    type: 'NetworkAllocationSucceeded',
    status: 'True',
    reason: 'NetworkAllocationSucceeded',
    message: `network id ${id?.kind === 'claimed' ? id.id : ''}; ${nodes} of ${nodes} nodes have subnets${shared}`,
  };
}
