/**
 * Nodes whose annotation has an id that is not theirs: packets that others send to that id are for the node that it is claimed for.
 */
import type { Claiming } from '../../network/allocation/claim-ids.ts';
import { isId } from '../../network/allocation/id-range.ts';
import type { Node } from '../../api/node.ts';
import { NODE_ID_ANNOTATION } from '../../basics/conventions.ts';
import type { DisputedId } from '../../dataplane/logical-network/logical-network-failure.ts';
import { by } from '../../basics/names/ordering.ts';
import { nodeIdOf } from '../../selection/node-network.ts';
import { type NodeIdDispute, nodeIdsText } from '../../status/network-allocation.ts';
import type { ClusterView } from './cluster-view.ts';
import { claimHolder } from './stored-claims.ts';
import type { Warning } from './warning.ts';

/** The id in the annotation of a node without a claim, where it belongs to another node, or without a holder where no node can have it. */
export function disputedNodeId(
  node: Node,
  { snapshot, settings }: Pick<ClusterView, 'snapshot' | 'settings'>,
): DisputedId | undefined {
  const id = nodeIdOf(node);
  if (id === undefined) return undefined;
  if (!isId('node', id)) return { id };
  const holder = claimHolder('node', id, snapshot, settings);
  return holder === undefined ? undefined : { id, holder };
}

/** The disputes, by node. */
export function nodeIdDisputes(nodes: readonly Node[], decisions: Claiming['decisions']): readonly NodeIdDispute[] {
  const holders = new Map(
    [...decisions].flatMap(([name, decision]) => (decision.kind === 'claimed' ? [[decision.id, name] as const] : [])),
  );
  return nodes
    .flatMap((node): readonly NodeIdDispute[] => {
      const annotated = nodeIdOf(node);
      const { name } = node.metadata;
      const decision = decisions.get(name);
      if (annotated === undefined || decision === undefined) return [];
      if (decision.kind === 'invalid') return [{ node: name, annotated, isInvalid: true }];
      if (decision.kind === 'clash') return [{ node: name, annotated, holder: decision.holder }];
      if (decision.kind !== 'claimed' || decision.id === annotated) return [];
      const holder = holders.get(annotated);
      return [{ node: name, annotated, claimed: decision.id, ...(holder !== undefined && { holder }) }];
    })
    .sort(by(({ node }) => node));
}

/** Warnings about a dispute, of both nodes. */
export function disputeWarnings({ node, annotated, claimed, holder, isInvalid }: NodeIdDispute): readonly Warning[] {
  const path = `metadata.annotations["${NODE_ID_ANNOTATION}"]`;
  const consequence =
    claimed === undefined ? `${node} waits for an id` : `${node} has id ${claimed}, which is claimed for it`;
  const belongs = isInvalid
    ? `, expected ${nodeIdsText}; remove the annotation`
    : holder === undefined
      ? ''
      : `, which belongs to Node ${holder}`;
  return [
    { object: `Node/${node}`, path, message: `is ${annotated}${belongs}; ${consequence}` },
    ...(holder === undefined
      ? []
      : [
          {
            object: `Node/${holder}`,
            message: `its node id ${annotated} is in the annotation of Node ${node} too; ${consequence}`,
          },
        ]),
  ];
}
