/**
 * Plans made by hand, nodes as the kernel has them, and operations a line each.
 */
import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { nameOfNetwork } from '../../../../src/domain/network/key.ts';
import type { HeldNetwork } from '../../../../src/domain/plan/retained/held-network.ts';
import type { NetworkDataplane } from '../../../../src/domain/dataplane/network-dataplane.ts';
import { dataplaneOf } from '../../../../src/domain/plan/parts/parts.ts';
import {
  diffNode,
  semanticsOf,
  type NodeDataplane,
  type NodePlan,
  type NodeSnapshot,
  type Operation,
} from '../../../../src/domain/index.ts';
import { bringUp } from '../../../../src/domain/node-model/link-up.ts';
import { applyOperation } from '../../../../src/domain/entities/operations/operation-semantics.ts';
import { restored, withSettledLedger } from '../../../../src/domain/entities/ownership/restored.ts';
import { heldEntities } from '../../../../src/domain/plan/retained/held-entities.ts';
import { nodeDataplane } from '../../../../src/domain/plan/node-dataplane.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';
import {
  corporateVrf,
  dataplaneInputOn,
  defaultBridge,
  hostInterface,
  type InputBrief,
  managementPort,
} from '../dataplane/dataplane-input.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';

/** A node with the routes that the kernel makes of its addresses; by default nothing of ours is on it. */
export function nodeOf(brief: Omit<BriefNode, 'nodeName'> = {}): NodeSnapshot {
  const node = completeNode({
    nodeName: 'a',
    links: [hostInterface, defaultBridge, managementPort, corporateVrf],
    ...brief,
  });
  const up = node.links.filter((link) => link.up).map(({ name }) => name);
  return { ...node, routes: bringUp(node, new Set(up), node).routes };
}

/** The state that a node must have for network `blue`, of id 7 on `br-blue`, unless something else is said. */
export function dataplane(node: NodeSnapshot, brief: Omit<InputBrief, 'node'> = {}): NetworkDataplane {
  return dataplaneOf(dataplaneInputOn(viewNode(restored(node)), { families: [4], ...brief }));
}

/** The state that a node must have for its networks together. */
export function dataplaneOfNode(
  node: NodeSnapshot,
  programmed: readonly NetworkDataplane[],
  kept: readonly HeldNetwork[] = [],
): NodeDataplane {
  const settled = withSettledLedger(node);
  const isHeld = heldEntities({ onUplinks: kept, networks: new Set(), places: [] }, settled);
  return nodeDataplane({ logicalNetworks: [], programmed, shared: [] }, { kept, isHeld }, settled);
}

/** A plan of nothing but what the difference is made from. */
export function planOf(
  node: NodeSnapshot,
  programmed: readonly NetworkDataplane[],
  kept?: readonly HeldNetwork[],
): NodePlan {
  return { nodeName: 'a', uplinks: [], networks: [], dataplane: dataplaneOfNode(node, programmed, kept), warnings: [] };
}

/** A network that is left as it is, known by nothing but its name unless something is said. */
export function keptBy(network: string, brief: Partial<HeldNetwork> = {}): HeldNetwork {
  return {
    network: clusterNetworkKey(network),
    networkName: `cluster_udn_${network}`,
    vrfs: [],
    tables: [],
    devices: [],
    bridges: [],
    patchPorts: [],
    ...brief,
  };
}

/** Operations, a line each, as `+ blue enslave: br-blue into VRF blue`. */
export function linesOf(operations: readonly Operation[]): readonly string[] {
  return operations.map((operation) => {
    const semantics = semanticsOf(operation);
    const networks = operation.networks.length === 0 ? 'nobody' : operation.networks.map(nameOfNetwork).join('+');
    return `${semantics.mark} ${networks} ${semantics.name}: ${semantics.summary(operation)}`;
  });
}

/** The operations of a plan, a line each. */
export function plannedLines(
  node: NodeSnapshot,
  programmed: readonly NetworkDataplane[],
  kept?: readonly HeldNetwork[],
) {
  return linesOf(diffNode(planOf(node, programmed, kept), node));
}

/** The node after operations. @throws where one of them is refused. */
export function carriedOut(node: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
  return operations.reduce((before, operation) => {
    const change = applyOperation(operation, before);
    if (!change.done) throw new Error(`${linesOf([operation]).join()}: ${change.refusal}`);
    return change.node;
  }, node);
}

/** The node after what a plan needs; the plan is made for it as it is, with the networks given by what is unusual about each. */
export function programmedNode(node: NodeSnapshot, ...briefs: readonly Omit<InputBrief, 'node'>[]): NodeSnapshot {
  const wanted = briefs.map((brief) => dataplane(node, brief));
  return carriedOut(node, diffNode(planOf(node, wanted), node));
}
