/**
 * Nodes whose annotation has an id that is not theirs: packets that others send to that id are for the node that it is claimed for.
 */
import type { Claiming } from '../allocation/claim-ids.ts';
import type { Node } from '../api/node.ts';
import { NODE_ID_ANNOTATION } from '../conventions.ts';
import { by } from '../ordering.ts';
import { nodeIdOf } from '../selection/node-network.ts';
import type { NodeIdDispute } from '../status/network-allocation.ts';
import type { ClusterView } from './cluster-view.ts';
import { claimHolder } from './stored-claims.ts';
import type { Warning } from './warning.ts';

/** The id in the annotation of a node without a claim, where it belongs to another node. */
export function disputedNodeId(
  node: Node,
  { snapshot, settings }: Pick<ClusterView, 'snapshot' | 'settings'>,
): { readonly id: number; readonly holder: string } | undefined {
  const id = nodeIdOf(node);
  const holder = id === undefined ? undefined : claimHolder('node', id, snapshot, settings);
  return id === undefined || holder === undefined ? undefined : { id, holder };
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
      if (decision.kind === 'clash') return [{ node: name, annotated, holder: decision.holder }];
      if (decision.kind !== 'claimed' || decision.id === annotated) return [];
      const holder = holders.get(annotated);
      return [{ node: name, annotated, claimed: decision.id, ...(holder !== undefined && { holder }) }];
    })
    .sort(by(({ node }) => node));
}

/** Warnings about a dispute, of both nodes. */
export function disputeWarnings({ node, annotated, claimed, holder }: NodeIdDispute): readonly Warning[] {
  const path = `metadata.annotations["${NODE_ID_ANNOTATION}"]`;
  const consequence =
    claimed === undefined ? `${node} waits for an id` : `${node} has id ${claimed}, which is claimed for it`;
  const belongs = holder === undefined ? '' : `, which belongs to Node ${holder}`;
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
